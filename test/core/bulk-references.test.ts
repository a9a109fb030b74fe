import t from 'tap';
import { registerAdmin, sql, testApp, type AnyBody } from '../support/app.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);

interface Result {
  index: number;
  id: string;
  outcome: string;
  relations?: { id: string; outcome: string }[];
  errors?: { field: string; reason: string }[];
}
let n = 0;
const fresh = (prefix = 'B') => `${prefix} ${++n}`;
const bulk = (operations: object[], mode = 'all_or_nothing', query = {}) =>
  api.post<AnyBody & { results: Result[]; summary: Record<string, number> }>(
    '/cards/bulk',
    { mode, operations },
    { query },
  );
const capability = (name: string, more: object = {}) => ({ type: 'BusinessCapability', name, ...more });
const app = (more: object = {}) => ({ type: 'Application', name: fresh(), ...more });
const get = async (id: string) => (await api.get(`/cards/${id}`)).body;
const relations = async (query: Record<string, string>) => (await api.get('/relations', { query })).body;

await t.test('a parent by path: stored, created in the same request, below a stored one', async (t) => {
  const root = fresh('Root');
  const first = await bulk([
    { op: 'create', card: capability(root) },
    { op: 'create', card: capability('Mid', { parent: { type: 'BusinessCapability', path: [], name: root } }) },
  ]);
  t.match(first.body.summary, { created: 2 });
  const { body } = await bulk([
    { op: 'create', card: capability('Low', { parent: { type: 'BusinessCapability', path: [root], name: 'Mid' } }) },
    {
      op: 'create',
      card: capability('Leaf', { parent: { type: 'BusinessCapability', path: `${root} / mid`, name: 'LOW' } }),
    },
    { op: 'create', card: capability('Beside', { parent: { type: 'BusinessCapability', name: root } }) },
  ]);
  t.match(body.summary, { created: 3 }, JSON.stringify(body.errors));
  t.match(await get(body.results[1]!.id), { path: [root, 'Mid', 'Low'], level: 4 });
  t.match(await get(body.results[2]!.id), { path: [root] });
});

await t.test('a path of no card, or of more than one', async (t) => {
  const name = fresh('Twin');
  const [a, b] = [fresh(), fresh()];
  await bulk([a, b].map((parent) => ({ op: 'create', ref: parent, card: capability(parent) })));
  await bulk(
    [a, b].map((parent) => ({
      op: 'create',
      card: capability(name, { parent: { type: 'BusinessCapability', name: parent } }),
    })),
  );
  const { body } = await bulk(
    [
      { op: 'create', card: capability(fresh(), { parent: { type: 'BusinessCapability', name } }) },
      { op: 'create', card: capability(fresh(), { parent: { type: 'BusinessCapability', path: [a], name } }) },
      { op: 'create', card: capability(fresh(), { parent: { type: 'BusinessCapability', path: [], name } }) },
      { op: 'create', card: capability(fresh(), { parent: { type: 'Application', path: [a], name } }) },
      { op: 'create', card: capability(fresh(), { parent: { id: '01900000-0000-7000-8000-00000000dead', ref: 'x' } }) },
    ],
    'per_row',
  );
  t.strictSame(
    body.results.map((r) => [r.outcome, r.errors?.[0]?.reason.split(',')[0]]),
    [
      ['failed', 'names more than one card'],
      ['created', undefined],
      ['failed', 'names no card'],
      ['failed', 'names no card'],
      ['failed', 'must be {id}'],
    ],
  );
  t.equal(body.results[0]!.errors![0]!.field, '/operations/0/card/parent');
});

await t.test(
  'relations in the call: by ref forwards and back, by key, by place, by id; again changes nothing',
  async (t) => {
    const [source, target] = [fresh('Src'), fresh('Tgt')];
    const stored = (await api.post('/cards', capability(fresh('Stored'), { external_id: 'cap-1' }))).body;
    const operations = [
      {
        op: 'upsert',
        ref: 's',
        card: app({ external_id: 'app-1', name: source }),
        relations: [
          { type: 'applicationToBusinessCapability', target: { ref: 't' }, attributes: { supportType: 'leading' } },
          { type: 'applicationToBusinessCapability', target: { type: 'BusinessCapability', external_id: 'cap-1' } },
        ],
      },
      { op: 'upsert', ref: 't', card: capability(target, { external_id: 'cap-2' }) },
      {
        op: 'upsert',
        card: app({
          external_id: 'app-2',
          relations: [
            { type: 'applicationToBusinessCapability', target: { type: 'BusinessCapability', path: [], name: target } },
            { type: 'applicationToBusinessCapability', target: { id: stored.id } },
          ],
        }),
      },
    ];
    const { status, body } = await bulk(operations);
    t.equal(status, 200, JSON.stringify(body));
    t.strictSame(
      body.results.map((r) => r.relations?.map((x) => x.outcome)),
      [['created', 'created'], undefined, ['created', 'created']],
    );
    t.equal((await relations({ target_id: stored.id })).total, 2);
    t.match((await relations({ source_id: body.results[0]!.id, target_id: body.results[1]!.id })).items[0], {
      attributes: { supportType: 'leading' },
    });
    const again = await bulk(operations);
    t.match(again.body.summary, { unchanged: 3 });
    t.strictSame(
      again.body.results[0]!.relations?.map((x) => x.outcome),
      ['unchanged', 'unchanged'],
    );
    const dry = await bulk(
      [
        {
          op: 'create',
          card: app(),
          relations: [{ type: 'applicationToBusinessCapability', target: { id: stored.id } }],
        },
      ],
      'per_row',
      { dry_run: true },
    );
    t.strictSame(
      [dry.body.results[0]!.outcome, (await relations({ target_id: stored.id })).total],
      ['created', 2],
      'a dry run stores none',
    );
  },
);

await t.test('an invalid relation fails its card, and in per_row no other', async (t) => {
  const good = app();
  const operations = [
    { op: 'create', card: good },
    { op: 'create', card: app(), relations: [{ type: 'applicationToBusinessCapability', target: { ref: 'nobody' } }] },
    {
      op: 'create',
      card: app(),
      relations: [
        { type: 'nope', target: { id: '01900000-0000-7000-8000-00000000dead' } },
        { type: 'applicationToBusinessCapability', target: { type: 'Application', name: good.name } },
      ],
    },
    { op: 'create', ref: 'bad', card: { type: 'BusinessCapability', name: '' } },
    { op: 'create', card: app(), relations: [{ type: 'applicationToBusinessCapability', target: { ref: 'bad' } }] },
  ];
  const all = await bulk(operations);
  t.equal(all.status, 422);
  t.equal((await api.get('/cards', { query: { search: good.name } })).body.total, 0);
  const { body } = await bulk(operations, 'per_row');
  t.strictSame(
    body.results.map((r) => r.outcome),
    ['created', 'failed', 'failed', 'failed', 'failed'],
  );
  t.strictSame(
    body.results[1]!.errors!.map((e) => e.field),
    ['/operations/1/relations/0/target'],
  );
  t.strictSame(
    body.results[2]!.errors!.map((e) => e.field.replace(/\/\w+$/, '')),
    ['/operations/2/relations/0', '/operations/2/relations/0', '/operations/2/relations/1'],
  );
  t.strictSame(
    await sql(database, `select r.id from relations r left join cards c on c.id = r.source_id where c.id is null`),
    [],
  );
});

await t.test('bulk requests refer to ends of relations by path', async (t) => {
  const [a, b] = [app(), capability(fresh())];
  await bulk([
    { op: 'create', card: a },
    { op: 'create', card: b },
  ]);
  const send = (operations: object[]) =>
    api.post<AnyBody & { results: Result[] }>('/relations/bulk', { mode: 'per_row', operations });
  const one = {
    op: 'upsert',
    type: 'applicationToBusinessCapability',
    source: { type: 'Application', name: a.name },
    target: { type: 'BusinessCapability', path: '', name: b.name },
  };
  t.strictSame(
    (await send([one])).body.results.map((r) => r.outcome),
    ['created'],
  );
  t.strictSame(
    (
      await send([
        one,
        { ...one, op: 'create' },
        { ...one, target: { type: 'BusinessCapability', name: 'never' } },
        { ...one, source: { name: a.name, external_id: 'x', type: 'Application' } },
      ])
    ).body.results.map((r) => r.outcome),
    ['unchanged', 'failed', 'failed', 'failed'],
  );
});

await t.test('two concurrent upserts of the same new cards succeed, and one of them creates the cards', async (t) => {
  for (let round = 0; round < 5; round++) {
    const operations = Array.from({ length: 20 }, (_, i) => ({
      op: 'upsert',
      card: { type: 'Application', name: `Raced ${round} ${i}`, external_id: `raced-${round}-${i}` },
    }));
    const answers = await Promise.all(Array.from({ length: 4 }, () => bulk(operations)));
    t.strictSame(
      answers.map((a) => a.status),
      [200, 200, 200, 200],
      JSON.stringify(answers.find((a) => a.status !== 200)?.body),
    );
    t.equal(
      answers.reduce((sum, a) => sum + (a.body.summary['created'] ?? 0), 0),
      20,
    );
  }
});

await t.test('cards that exchange their external ids are found by the new ones in the same call', async (t) => {
  const [a, b] = [fresh('Key'), fresh('Key')];
  const made = await bulk([
    { op: 'create', card: capability(fresh(), { external_id: a }) },
    { op: 'create', card: capability(fresh(), { external_id: b }) },
  ]);
  const [first, second] = made.body.results;
  const { body } = await bulk([
    { op: 'update', id: first!.id, card: { external_id: b } },
    { op: 'update', id: second!.id, card: { external_id: a } },
    { op: 'create', card: capability(fresh(), { parent: { type: 'BusinessCapability', external_id: b } }) },
    { op: 'upsert', card: { type: 'BusinessCapability', external_id: b, name: fresh(), alias: 'moved' } },
  ]);
  t.match(body.summary, { created: 1, updated: 3 }, JSON.stringify(body));
  t.match(await get(body.results[2]!.id), { parent_id: first!.id });
  t.equal(body.results[3]!.id, first!.id);
});

for (const op of ['delete', 'archive']) {
  await t.test(`a card created below another one that the same call would ${op} with all below it`, async (t) => {
    const root = fresh('Root');
    const { id } = (await bulk([{ op: 'create', card: capability(root) }])).body.results[0]!;
    const { status, body } = await bulk(
      [
        { op: 'create', card: capability(fresh(), { parent: { id } }) },
        { op, id, child_strategy: 'cascade' },
      ],
      'per_row',
    );
    t.equal(status, 200, JSON.stringify(body));
    t.match(body.results, [{ outcome: 'created' }, { outcome: 'failed', errors: [{ field: /child_strategy$/ }] }]);
    t.match(await get(body.results[0]!.id), { status: 'ACTIVE', parent_id: id });
  });
}
