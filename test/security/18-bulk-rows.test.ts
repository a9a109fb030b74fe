/** In the mode `per_row` only operations that do not match the schema fail, in every bulk request; otherwise it is a 422. */
import t from 'tap';
import { BulkBody } from '../../core/inventory/cards/index.js';
import { bulkCheck } from '../../core/foundation/http/query.js';
import { registerAdmin, testApp, type AnyBody } from '../support/app.js';

const { app, origin, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);
const card = async (type: string, name: string) => (await api.post('/cards', { type, name })).body.id;
const [source, target] = [await card('Application', 'Source'), await card('BusinessCapability', 'Target')];
const relation = { type: 'applicationToBusinessCapability', source_id: source, target_id: target };

interface Row {
  index: number;
  ref?: string;
  id?: string;
  outcome: string;
  code?: string;
  errors?: { field: string; reason: string; in: string }[];
}
type Answer = AnyBody & { summary: Record<string, number>; results: Row[] };
interface Bulk {
  path: string;
  list: string;
  sound: object[];
  wrong: [operation: unknown, ...fields: string[]][];
}

const OTHER_OPERATION = 'nothing';
const BULKS: Bulk[] = [
  {
    path: '/cards/bulk',
    list: '/cards?type=Platform',
    sound: [
      { op: 'create', ref: 'a', card: { type: 'Platform', name: 'One' } },
      { op: 'create', card: { type: 'Platform', name: 'Two', parent_id: null } },
      { op: 'create', card: { type: 'Platform', name: ' ' } },
    ],
    wrong: [
      [{ op: 'create', ref: 'w', card: { type: 'Platform', name: 7 } }, '/card/name'],
      [{ op: 'create', card: { type: 'Platform', name: 'x', colour: 'red' } }, '/card/colour'],
      [{ card: { type: 'Platform', name: 'x' } }, '/op'],
      [{ op: 'destroy' }, '/op'],
      [7, ''],
      [null, ''],
      [[], ''],
      [
        { op: 'create', card: { type: 'Platform', name: 'x', attributes: { n: 9007199254740993 } } },
        '/card/attributes/n',
      ],
      [{ op: 'update', id: 'x', version: 0, surprise: 1 }, '/surprise', '/id', '/version'],
      [{ op: 'create', card: { type: 'Platform', name: 'a\0b' } }, '/card/name'],
    ],
  },
  {
    path: '/relations/bulk',
    list: `/relations?card_id=${source}`,
    sound: [
      { op: 'upsert', ...relation },
      { op: 'upsert', ...relation, description: 'Again' },
      { op: 'create', ...relation },
    ],
    wrong: [
      [{ op: 'create', ...relation, type: null }, '/type'],
      [{ ...relation }, '/op'],
      [{ op: 'create', ...relation, weight: 1 }, '/weight'],
      [{ op: 'create', ...relation, source_id: 'x' }, '/source_id'],
      ['delete', ''],
    ],
  },
  {
    path: '/risks/bulk',
    list: '/risks',
    sound: [
      { op: 'create', ref: 'a', risk: { title: 'One', category: 'security' } },
      { op: 'transition', ref: 'a', to: 'analysed' },
      { op: 'update', ref: 'w', risk: { title: 'of a row that failed' } },
    ],
    wrong: [
      [{ op: 'create', ref: 'w', risk: { title: '', category: 'security' } }, '/risk/title'],
      [{ op: 'create', risk: { title: 5, category: 'security' } }, '/risk/title'],
      [{ op: 'create', risk: { title: 'x', category: 'security', size: 1 } }, '/risk/size'],
      [{ risk: { title: 'x', category: 'security' } }, '/op'],
    ],
  },
];
/** Alternately an invalid and a valid operation. */
const mixed = ({ sound, wrong }: Bulk): unknown[] =>
  wrong.flatMap(([operation], i) => [operation, ...sound.slice(i, i + 1)]);

for (const bulk of BULKS) {
  const { path, list, sound, wrong } = bulk;
  const operations = mixed(bulk);
  const total = async () => (await api.get(list)).body.total;
  const post = (body: object, query = {}, headers = {}) => api.post<Answer>(path, body, { query, headers });

  await t.test(`${path}: all or nothing`, async (t) => {
    const before = await total();
    for (const mode of [undefined, 'all_or_nothing']) {
      const { status, body } = await post({ ...(mode && { mode }), operations });
      t.strictSame([status, body.code], [422, 'validation_failed']);
      for (const [, ...fields] of wrong)
        for (const field of fields)
          t.ok(
            body.errors.some((e) => e.field.replace(/^\/operations\/\d+/, '') === field),
            `${field} is named`,
          );
    }
    t.equal(await total(), before);
  });

  await t.test(`${path}: by row, first as a dry run`, async (t) => {
    const before = await total();
    const dryRun = await post({ mode: 'per_row', operations }, { dry_run: true });
    t.equal(await total(), before);
    const key = { 'idempotency-key': `rows ${path}`.replaceAll(/\W/g, '-') };
    const { status, body } = await post({ operations, mode: 'per_row' }, {}, key);
    t.equal(status, 200, JSON.stringify(body).slice(0, 500));
    t.strictSame(
      body.results.map(({ index }) => index),
      operations.map((_, i) => i),
      'every row, in order',
    );
    t.strictSame(dryRun.body.summary, body.summary);
    t.equal(body.summary['failed'], wrong.length + 1);
    t.ok((await total()) > before);
    for (const { index, outcome, errors, ref } of body.results) {
      const isWrong = wrong.find(([operation]) => operation === operations[index]);
      if (isWrong) {
        t.equal(outcome, 'failed');
        t.strictSame(
          errors!.map(({ field }) => field),
          isWrong.slice(1).map((field) => `/operations/${index}${String(field)}`),
          JSON.stringify(operations[index]),
        );
        t.equal(ref, (operations[index] as { ref?: string } | null)?.ref);
      } else if (operations[index] === sound.at(-1)) {
        t.equal(outcome, 'failed', 'a fault that only the service can find');
        t.ok(
          errors!.every(({ field }) => field.startsWith(`/operations/${index}`)),
          JSON.stringify(errors),
        );
      } else t.not(outcome, 'failed', JSON.stringify(errors));
    }
    const again = await post({ operations, mode: 'per_row' }, {}, key);
    t.equal(again.headers.get('idempotent-replayed'), 'true');
    t.strictSame(again.body, body, 'the repeated answer');
    const other = await post(
      { operations: [{ op: OTHER_OPERATION }, ...operations.slice(1)], mode: 'per_row' },
      {},
      key,
    );
    t.match(
      other,
      { status: 422, body: { code: 'idempotency_key_reused' } },
      'a refused operation counts for the comparison of requests',
    );
  });

  await t.test(`${path}: invalid members other than operations refuse the request in either mode`, async (t) => {
    for (const [body, field] of [
      [{ mode: 'per_row', operations: [] }, '/operations'],
      [{ mode: 'per_row' }, '/operations'],
      [{ mode: 'per_row', operations: 3 }, '/operations'],
      [{ mode: 'rows', operations: sound }, '/mode'],
      [{ mode: 'per_row', operations: sound, more: 1 }, '/more'],
      [[], ''],
    ] as const) {
      const { status, body: answer } = await post(body);
      t.equal(status, 422, JSON.stringify(body));
      t.ok(
        answer.errors.some((e) => e.field === field),
        JSON.stringify(answer.errors),
      );
    }
    const both = await post({ mode: 'rows', operations: [wrong[0]![0]] }, { dry_run: 'perhaps', more: 1 });
    t.ok(
      ['body /mode', 'query dry_run', 'query more'].every((fault) =>
        both.body.errors.some(({ in: part, field }) => `${part} ${field}` === fault),
      ),
      'faults of body and query together',
    );
    t.strictSame(
      (await post({ mode: 'per_row', operations: wrong.map(([operation]) => operation) })).body.summary,
      { failed: wrong.length },
      'all of them may fail',
    );
    t.equal(
      (
        await api.send<Answer>(
          'POST',
          path,
          `{"mode":"per_row","operations":[{"op":"delete","op":"create"},${JSON.stringify(sound[0])}]}`,
          { headers: { 'content-type': 'application/json' } },
        )
      ).body.results[0]?.errors?.[0]?.field,
      '/operations/0/op',
      'a duplicate key',
    );
  });
}

await t.test('a module that sends a bulk request inside the process gets the same results', async (t) => {
  const check = bulkCheck(BulkBody);
  const sound = { op: 'create', card: { type: 'Platform', name: 'x' } };
  const { body, refused } = await check({
    mode: 'per_row',
    operations: [{ op: 7 }, sound, { op: 'create', card: { name: 'a\0' } }],
  });
  t.strictSame(body.operations, [sound]);
  t.strictSame(
    refused.map(({ index, errors }) => [index, errors[0]!.field]),
    [
      [0, '/operations/0/op'],
      [2, '/operations/2/card/name'],
    ],
  );
  await t.rejects(check({ mode: 'all_or_nothing', operations: [sound, { op: 7 }] }), {
    status: 422,
    code: 'validation_failed',
    errors: [{ field: '/operations/1/op' }],
  });
});

await t.test('the document describes an operation', async (t) => {
  interface Described {
    $ref?: string;
    properties?: Record<string, Described>;
    items?: Described;
  }
  const document = app.openapiDocument();
  const resolved = (schema: Described): Described =>
    schema.$ref === undefined ? schema : (document.components['schemas']![schema.$ref.split('/').at(-1)!] as Described);
  for (const { path } of BULKS) {
    const { content } = document.paths[`/api/v1${path}`]!['post']!.requestBody!;
    const body = resolved(content['application/json']!.schema as Described);
    t.ok(resolved(body.properties!['operations']!.items!).properties, path);
  }
});
