/** Runs in a process of its own: it measures processor time. */
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Type } from 'typebox';
import { strictAjv } from '../../core/foundation/http/ajv.js';
import { patternFault } from '../../core/foundation/http/linear-pattern.js';
import { costFaults } from '../../core/foundation/http/schema-cost.js';
import { registerAdmin, testApp } from '../support/app.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const { origin, close } = await testApp({
  config: { pluginsDir: join(root, 'test/fixtures/costly-modules'), logLevel: 'silent' },
});
t.teardown(close);
const admin = await registerAdmin(origin);
interface Module {
  id: string;
  state: string;
  reason: string | null;
  reason_code: string | null;
}
const {
  body: { items: modules },
} = await admin.api.get<{ items: Module[] }>('/settings/modules', { query: { page_size: 200 } });

/** Runs work and measures the processor time of this process in ms, which other load on the machine does not affect. */
const measured = <T>(work: () => T): { ms: number; value: T } => {
  const before = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1_000, value };
};

t.test('POST /adr with 224 KiB of related decisions is refused at once', async (t) => {
  const related: string[] = [];
  for (let length = 0; length < 224 * 1_024; length += related.at(-1)!.length + 1)
    related.push(`{"":${related.length}}`);
  await admin.api.post('/adr', { title: 'x', bogus: 1 });
  const post = async (items: string[]) => {
    // The service and its client are one process.
    const before = process.cpuUsage();
    const answer = await admin.api.send('POST', '/adr', `{"title":"x","related":[${items.join(',')}]}`, {
      headers: { 'content-type': 'application/json' },
    });
    const ms = process.cpuUsage(before).user / 1_000;
    t.comment(`${items.length} items: ${answer.status} after ${ms.toFixed(0)} ms`);
    t.ok(ms < 1_500, `took ${ms.toFixed(0)} ms`);
    return answer;
  };
  t.match(await post(related), { status: 413, body: { code: 'body_too_complex' } });
  const within = await post(related.slice(0, 6_000));
  t.match(within, {
    status: 422,
    body: { errors: [{ field: '/related', reason: /must NOT have more than 200 items/ }] },
  });
  t.equal(within.body.errors.length, 1, 'the items are not validated');
  // The schema alone, without the limit of values of a body.
  const check = strictAjv().compile({
    type: 'object',
    properties: { related: { type: 'array', maxItems: 200, uniqueItems: true, items: { type: 'object' } } },
  });
  const { ms } = measured(() => check({ related: related.map((text) => JSON.parse(text) as unknown) }));
  t.strictSame(
    check.errors?.map(({ keyword }) => keyword),
    ['maxItems'],
  );
  t.ok(ms < 1_500, `took ${ms.toFixed(0)} ms`);
});

t.test('a decision names another once', async (t) => {
  const one = { type: 'relates_to', adr_id: (await admin.api.post('/adr', { title: 'First' })).body.id };
  const twice = await admin.api.post('/adr', { title: 'Second', related: [one, { ...one, type: 'supersedes' }, one] });
  t.match(twice, { status: 422, body: { errors: [{ field: '/related/2', reason: 'occurs more than once' }] } });
  t.equal(
    (await admin.api.post('/adr', { title: 'Second', related: [one, { ...one, type: 'supersedes' }] })).status,
    201,
  );
});

t.test('a module whose schema can take more than linear time does not run, with the reason', async (t) => {
  const REFUSED: Record<string, [code: string, reason: RegExp]> = {
    compares_all: [
      'mount',
      /schema of POST \/api\/v1\/compares_all is rejected: body: \/properties\/pairs has `uniqueItems` over items/,
    ],
    costly_settings: ['invalid_manifest', /\/settings: \/properties\/pairs has `uniqueItems`/],
  };
  for (const [id, [code, reason]] of Object.entries(REFUSED)) {
    t.match(
      modules.find((m) => m.id === id),
      { state: 'failed', reason_code: code, reason },
      id,
    );
    t.equal((await admin.api.post(`/${id}`, {})).status, 404);
  }
  t.match(
    modules.find((m) => m.id === 'bounded'),
    { state: 'enabled', reason: null },
  );
  t.equal((await admin.api.post('/bounded', { steps: [null], tree: { children: [{ name: 'leaf' }] } })).status, 200);
  for (const id of ['adr', 'bpm', 'cmdbsync', 'diagrams', 'insightlens', 'portals', 'ppm', 'reports', 'risks', 'soaw'])
    t.match(
      modules.find((m) => m.id === id),
      { state: 'enabled' },
      id,
    );
});

t.test('the part of a schema that can take more than linear time is reported', (t) => {
  const branch = (name: string, inner: object) => ({
    type: 'object',
    additionalProperties: false,
    properties: { [name]: { type: 'integer' }, inner },
  });
  const again = { $ref: '#/definitions/tree' };
  const tree = (definition: object) => ({
    type: 'object',
    properties: { tree: again },
    definitions: { tree: definition },
  });
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'integer' } : { anyOf: ['a', 'b', 'c'].map((name) => branch(name, nested(depth - 1))) };
  const doubling = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [
      `d${n}`,
      {
        type: 'object',
        properties: { l: { $ref: `#/definitions/d${n + 1}` }, r: { $ref: `#/definitions/d${n + 1}` } },
      },
    ]),
  );
  const CASES: [schema: object, isBounded: boolean, faults: RegExp[]][] = [
    [
      Type.Object({ words: Type.String({ pattern: '^(\\w+\\s?)*$' }) }),
      false,
      [/^\/properties\/words has the pattern .* matches the same text in more than one way/],
    ],
    [{ type: 'object', patternProperties: { '^(a+)+$': {} } }, false, [/pattern of properties/]],
    [
      tree({ anyOf: [branch('a', again), branch('b', again)] }),
      false,
      [/^\/properties\/tree\/anyOf\/0.* refers to itself within branches/, /^\/properties\/tree\/anyOf\/1/],
    ],
    [tree(branch('a', again)), false, []],
    [tree({ anyOf: [{ type: 'null' }, branch('a', again)] }), false, []],
    [nested(2), false, []],
    [nested(5), false, [/process a value more than 64 times/]],
    [
      { ...(doubling['d0'] as object), definitions: { ...doubling, d30: {} } },
      false,
      [/is too large, with its references followed/],
    ],
    [{ $ref: 'elsewhere#' }, false, [/refers to elsewhere#, which is not in the schema/]],
    [
      Type.Object({
        list: Type.Array(Type.Integer()),
        text: Type.String(),
        map: Type.Record(Type.String(), Type.Integer()),
        id: Type.String({ format: 'uuid' }),
        code: Type.String({ pattern: '^[a-z]{3}$' }),
        kind: Type.String({ enum: ['a'] }),
      }),
      true,
      [
        /^\/properties\/list is an array without `maxItems`$/,
        /^\/properties\/text is text without `maxLength`$/,
        /^\/properties\/map is a map without `maxProperties`$/,
      ],
    ],
    [Type.Object({ list: Type.Array(Type.Integer()), text: Type.String() }), false, []],
  ];
  for (const [schema, isBounded, faults] of CASES) {
    const found = costFaults(schema, isBounded);
    t.ok(
      faults.length === 0 ? found.length === 0 : found.length > 0,
      `${JSON.stringify(schema).slice(0, 80)}: ${found.join('; ').slice(0, 200)}`,
    );
    t.match(found.slice(0, faults.length), faults);
  }
  t.end();
});

t.test('upper bounds are checked first: values that exceed them are not validated further', (t) => {
  const many = Array.from({ length: 50_000 }, (_, i) => i);
  const schemas: [schema: object, value: unknown, keyword: string][] = [
    [{ type: 'array', maxItems: 3, uniqueItems: true, items: { type: 'object' } }, many, 'maxItems'],
    [{ type: 'array', maxItems: 3, contains: { const: -1 }, items: { type: 'string' } }, many, 'maxItems'],
    [
      { type: 'object', maxProperties: 3, additionalProperties: false, required: ['name'] },
      Object.fromEntries(many.map((n) => [`k${n}`, n])),
      'maxProperties',
    ],
    [
      { type: 'object', maxProperties: 3, patternProperties: { '^k': { type: 'string' } } },
      Object.fromEntries(many.map((n) => [`k${n}`, n])),
      'maxProperties',
    ],
    [{ type: 'string', maxLength: 10, pattern: '^(a|aa)+$', format: 'email' }, `${'a'.repeat(60)}!`, 'maxLength'],
    [{ anyOf: [{ type: 'array', maxItems: 3, uniqueItems: true }, { type: 'null' }] }, many, 'maxItems'],
  ];
  for (const [schema, value, keyword] of schemas) {
    const check = strictAjv().compile(schema);
    const { ms } = measured(() => check(value));
    const found = check.errors
      ?.filter((e) => e.keyword !== 'anyOf' && e.params['type'] !== 'null')
      .map((e) => e.keyword);
    t.strictSame(found, [keyword], `${keyword} alone, after ${ms.toFixed(1)} ms`);
  }
  t.end();
});

t.test('validation has the same result as standard Ajv', (t) => {
  const Leaf = Type.Union([
    Type.Null(),
    Type.String({ maxLength: 3, pattern: '^a*$' }),
    Type.Array(Type.Integer(), { maxItems: 3, uniqueItems: true }),
  ]);
  const Schema = Type.Object(
    {
      a: Type.Array(
        Type.Union([Type.Array(Leaf, { maxItems: 4 }), Type.Record(Type.String(), Leaf, { maxProperties: 2 })]),
        { maxItems: 1_500 },
      ),
      b: Type.Optional(Type.Object({ x: Type.Optional(Leaf) }, { additionalProperties: false, maxProperties: 1 })),
    },
    { additionalProperties: false },
  );
  const ours = strictAjv().compile(Schema);
  const stock = new Ajv({ allErrors: true, strict: false }).compile(Schema);
  const leaf = fc.oneof(
    fc.constantFrom<unknown>(null, '', 'aa', 'aaaa', 'aaaaaaaaa', 'ab', 1, [], [1, 2], [1, 1], [1, 2, 3, 4]),
  );
  const inner = fc.oneof(fc.array(leaf, { maxLength: 5 }), fc.dictionary(fc.constantFrom('k', 'l', 'm'), leaf), leaf);
  // Some lists are so long that loops end early, also inside unions.
  const list = fc
    .tuple(fc.array(inner, { maxLength: 4 }), fc.constantFrom(1, 1, 400))
    .map(([some, times]) => Array.from({ length: times }, () => some).flat());
  const value = fc.record(
    { a: fc.oneof(list, leaf), b: fc.oneof(fc.dictionary(fc.constantFrom('x', 'y'), leaf), leaf), c: leaf },
    { requiredKeys: ['a'] },
  );
  fc.assert(
    fc.property(value, (v) => ours(v) === stock(v)),
    { numRuns: 3_000, seed: 2 },
  );
  const union = {
    anyOf: [
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: { type: 'integer' } },
    ],
  };
  const check = strictAjv().compile({ type: 'array', items: union });
  const numbers = Array.from({ length: 2_000 }, (_, i) => i);
  t.equal(check([numbers, numbers]), true, 'a branch that ends early does not end the others');
  t.equal(check([numbers, [...numbers, 'x']]), false);
  t.end();
});

t.test('uniqueItems over text, numbers and booleans is linear', (t) => {
  for (const [type, make] of [
    ['string', (n: number) => `s${n}`],
    ['integer', (n: number) => n * 65_537],
    [['string', 'number'], (n: number) => (n % 2 ? n : `${n}`)],
  ] as const) {
    const check = strictAjv().compile({ type: 'array', uniqueItems: true, items: { type } });
    const ms = (length: number): number => {
      const value = Array.from({ length }, (_, n) => make(n));
      return Math.min(...[1, 2, 3].map(() => measured(() => check(value)).ms));
    };
    const [small, large] = [ms(20_000), ms(160_000)];
    t.ok(
      large < 500 && large < 40 * Math.max(small, 5),
      `${String(type)}: ${small.toFixed(1)} ms for 20,000 items, ${large.toFixed(1)} ms for eight times as many`,
    );
    t.strictSame(costFaults({ type: 'array', uniqueItems: true, items: { type } }, false), []);
  }
  for (const items of [
    undefined,
    {},
    { enum: ['a'] },
    { type: 'object' },
    { type: ['string', 'array'] },
    { anyOf: [{ type: 'string' }] },
    [{ type: 'string' }],
  ]) {
    t.match(
      costFaults({ type: 'array', uniqueItems: true, items }, false),
      [/^the schema has `uniqueItems` over items that are not all/],
      JSON.stringify(items),
    );
  }
  t.end();
});

t.test('patterns with unbounded backtracking are distinguished from those without', (t) => {
  const LINEAR = [
    '',
    '\\S',
    '^.*$',
    '^(?!\\s*$)[^\\p{Cc}]*$',
    '^#[0-9A-Fa-f]{6}$',
    '^/?[A-Za-z0-9_-]+([./][A-Za-z0-9_-]+)*$',
    '^[A-Za-z0-9](?:[A-Za-z0-9.:_-]*[A-Za-z0-9])?$',
    '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$',
    '^(?!(?:a|b)$)[a-z]+$',
    '^(draft|in_review|signed|superseded)(,(draft|in_review|signed|superseded))*$',
    '^a*ba*$',
    '^[\u4e00-\u9fff]+[\u3041-\u3096]+$',
    'abc|def',
    '^\\d+(\\.\\d+)?$',
    '^\\u{1F600}*😀?x$|^y$',
  ];
  const COSTLY: [pattern: string, begin: string, again: string][] = [
    ['^(a+)+$', '', 'a'],
    ['^(a|a)*$', '', 'a'],
    ['^(a|aa)+$', '', 'a'],
    ['^(\\w+\\s?)*$', '', 'a'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', '', 'a'],
    ['^a*a*a*a*a*$', '', 'a'],
    ['^[^x]*[^x ][^x]*[^x][^x]*$', '', 'a'],
    ['^(a?){30}a{30}$', '', 'a'],
    ['(.*a){10}b', '', 'a'],
    ['^(?=(a+)+b)a', '', 'a'],
    ['^(a|b|ab)*c$', '', 'ab'],
    ['^(a{1,5}){1,9}$', '', 'a'],
  ];
  for (const pattern of LINEAR.filter((p) => p !== '^\\u{1F600}*😀?x$|^y$'))
    t.equal(patternFault(pattern), undefined, pattern);
  for (const [pattern] of COSTLY) t.type(patternFault(pattern), 'string', pattern);
  for (const pattern of [
    '(a)\\1',
    '\\bx\\b',
    '(?<=a)b',
    'a(?=b)',
    'a+b',
    '^\\s+|\\s+$',
    '^(.*)*$',
    '[',
    `^(${'a?'.repeat(400)})`,
    '^((((a{9}){9}){9}){9}){9}$',
    '^\\u{1F600}*😀?x$',
  ])
    t.type(patternFault(pattern), 'string', pattern);
  // Accepted patterns take linear time with texts that cause backtracking.
  for (const pattern of LINEAR) {
    const expression = new RegExp(pattern, 'u');
    for (const text of [' ', 'a', 'a.', 'draft,', '0', 'ab', '-', '中'])
      t.ok(measured(() => expression.test(`${text.repeat(20_000)}\0`)).ms < 300, `${pattern} over ${text}`);
  }
  t.end();
});
