/**
 * Indexes of single attributes: they are created and dropped with the flag of a field, on any node, are repaired, are
 * used, and change no answer, whatever values are in the attributes.
 */
import pg from 'pg';
import t from 'tap';
import { setTimeout as delay } from 'node:timers/promises';
import { boundKnex } from '../../core/foundation/db/bound-knex.js';
import { INDEX_JOB } from '../../core/inventory/cards/index.js';
import { cardPage, keysOnlyStatement } from '../../core/inventory/cards/list/page-repository.js';
import { visibilityOf } from '../../core/inventory/access/index.js';
import { systemContext } from '../../core/foundation/context.js';
import * as functions from '../../migrations/0003_card_reads.js';
import * as migration from '../../migrations/0007_attribute_indexes.js';
import * as contents from '../../migrations/0028_card_contents.js';
import {
  client as clientOf,
  createDatabase,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  until,
  type AnyBody,
  type Session,
} from '../support/app.js';
import { NOTHING_KNOWN } from '../support/list-knowledge.js';

interface Index {
  name: string;
  valid: boolean;
  field: string | null;
}
const INDEXES = `select c.relname as name, i.indisvalid as valid, obj_description(c.oid) as field
  from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = 'card_contents'::regclass and starts_with(c.relname, 'cards_attr_') order by 3`;

const { origin, database, app, close } = await testApp();
const other = await testApp({ database });
t.teardown(async () => {
  await other.close();
  await close();
});
const admin = await registerAdmin(origin);
const { api } = admin;
const viewer = await makeUser(admin, 'viewer');
const indexes = (): Promise<Index[]> => sql<Index & Record<string, unknown>>(database, INDEXES);
const indexOf = async (field: string): Promise<Index | undefined> =>
  (await indexes()).find((index) => index.field === field);
const atStart = await indexes();

const ok = (answer: { status: number; body: AnyBody }, status = 200): AnyBody => {
  if (answer.status !== status) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const FIELDS = [
  { key: 'size', kind: 'number', min: -1e9, filterable: true },
  { key: 'due', kind: 'date', filterable: true },
  { key: 'title', kind: 'text', filterable: true },
  { key: 'price', kind: 'cost', filterable: true },
  { key: 'on', kind: 'boolean', filterable: true },
  { key: 'plain', kind: 'number' },
];
const sensor = (fields: object[]) => ({ sections: [{ key: 'general', fields }] });
ok(await api.post('/metamodel/types', { key: 'Sensor', label: 'Sensor', ...sensor(FIELDS) }), 201);
ok(await api.post('/metamodel/types', { key: 'Probe', label: 'Probe', ...sensor([FIELDS[0]!, FIELDS[3]!]) }), 201);
await until(async () => (await indexOf('Probe.price'))?.valid && (await indexOf('Sensor.on'))?.valid, 10_000);

/** Values that no field accepts, written directly to the database. */
const HOSTILE: unknown[] = [
  null,
  'many',
  '',
  ' ',
  '0',
  [],
  {},
  [1],
  true,
  false,
  0,
  -0.5,
  1e-300,
  123456789012.25,
  -1e9,
  42,
  42,
  '2026-01-15',
  '2026-01-16',
  '0000-99-99',
  'äöü-ÄÖ-ßß',
  '____-__-__',
  '%',
  "'; drop table cards --",
  'x'.repeat(5_000),
  '\u{1F680}'.repeat(500),
  'e\u0301'.repeat(600),
  'ΠΛΆΤΩΝΟΣ',
  'Größe',
  'GROSSE',
  { size: 1 },
  '\\u0000',
  '{"a":1}',
];
const KEYS = ['size', 'due', 'title', 'price', 'on', 'plain'];
const ids: string[] = [];
for (const [i, value] of HOSTILE.entries()) {
  const card = ok(
    await api.post('/cards', { type: i % 3 === 2 ? 'Probe' : 'Sensor', name: `Card ${String(i).padStart(3, '0')}` }),
    201,
  );
  ids.push(card.id);
  await sql(database, `update card_contents set attributes = $2 where id = $1`, [
    card.id,
    JSON.stringify(Object.fromEntries(KEYS.map((key, k) => [key, HOSTILE[(i * (1 + k)) % HOSTILE.length]]))),
  ]);
  if (value === null) ok(await api.post(`/cards/${card.id}/archive`));
}
ok(await api.post('/cards', { type: 'Provider', name: 'Of no such field' }), 201);
ok(await api.post(`/cards/${ids[1]}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' }), 201);

const FILTERS: Record<string, string>[] = [
  ...['size', 'price', 'plain'].flatMap((key) =>
    [
      ['gt', '0'],
      ['gte', '42'],
      ['lt', '-0.5'],
      ['lte', '42'],
    ].map(([op, value]) => ({ [`attributes.${key}[${op}]`]: value! })),
  ),
  ...[
    ['gt', '2026-01-15'],
    ['gte', '2026-01-16'],
    ['lt', '2026-01-16'],
    ['lte', '0001-01-01'],
  ].map(([op, value]) => ({ type: 'Sensor', [`attributes.due[${op}]`]: value! })),
  { 'attributes.size[gte]': '-100', 'attributes.size[lt]': '1000' },
  { 'attributes.size[gte]': '0', search: 'card' },
  { 'attributes.size[gte]': '0', status: 'ACTIVE,ARCHIVED' },
];
const TYPES: Record<string, string>[] = [
  { type: 'Sensor' },
  { type: 'Probe' },
  { type: 'Sensor,Probe' },
  {},
  { type: 'Sensor,Provider' },
];
const SORTS = ['name', ...KEYS.map((key) => `attributes.${key}`)].flatMap((sort_by) =>
  ['asc', 'desc'].map((sort_dir) => ({ sort_by, sort_dir })),
);

/** All results of a query by cursor, after checking that pages by number are the same. */
async function walk(query: Record<string, string>, who: Session): Promise<string> {
  const [byCursor, byPage, totals]: [string[], string[], unknown[]] = [[], [], []];
  for (let cursor: string | undefined; ; ) {
    const { status, body } = await who.api.get('/cards', {
      query: { ...query, page_size: '13', ...(cursor !== undefined && { cursor }) },
    });
    if (status !== 200) return `${status} ${JSON.stringify(body['errors'] ?? body)}`;
    byCursor.push(...body.items.map((card) => card.id));
    totals.push(body['total']);
    if (typeof body['next_cursor'] !== 'string') break;
    cursor = body['next_cursor'];
  }
  // Pages by number are read by another statement than those by cursor.
  for (let page = 1; ; page++) {
    const { items } = ok(await who.api.get('/cards', { query: { ...query, page_size: '13', page: String(page) } }));
    byPage.push(...items.map((card) => card.id));
    if (items.length < 13) break;
  }
  if (byCursor.join() !== byPage.join() || totals.some((total) => total !== byCursor.length))
    return `inconsistent: ${byCursor.join()} / ${byPage.join()} / ${totals.join()}`;
  return byCursor.join();
}

/** Ids in the order of a number, sorted here. */
async function naive(types: string[], key: string, dir: string): Promise<string> {
  const cards = await sql<{ id: string; value: unknown }>(
    database,
    `select id, attributes->$2 as value from card_contents where type = any($1) and status = 'ACTIVE'`,
    [types, key],
  );
  const sign = dir === 'asc' ? 1 : -1;
  const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -sign : sign);
  const valued = cards.filter((card): card is { id: string; value: number } => typeof card.value === 'number');
  return [
    ...valued.sort((a, b) => (a.value === b.value ? byId(a, b) : sign * (a.value - b.value))),
    ...cards.filter((card) => typeof card.value !== 'number').sort(byId),
  ]
    .map((card) => card.id)
    .join();
}

const QUERIES = [
  ...TYPES.flatMap((type) => SORTS.map((sort) => ({ ...type, ...sort }))),
  ...SORTS.flatMap((sort) => [
    { type: 'Sensor', approval_status: 'DRAFT', ...sort },
    { status: 'ACTIVE,ARCHIVED', ...sort },
    { type: 'Sensor', 'attributes.plain[empty]': 'true', ...sort },
  ]),
  ...TYPES.flatMap((type) => FILTERS.map((filter, i) => ({ ...type, ...filter, ...SORTS[i % SORTS.length] }))),
];
const answers = async (): Promise<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const query of QUERIES)
    for (const who of JSON.stringify(query).includes('price') ? [admin, viewer] : [admin])
      found[`${who.user.role} ${new URLSearchParams(query).toString()}`] = await walk(query, who);
  return found;
};
/** Runs the job directly, without the one that a change queues. */
const runJob = (): Promise<{ made: number; dropped: number }> =>
  app.services.attributeIndexes.bringUp({ signal: new AbortController().signal, progress: async () => undefined });

/** Waits until no such job is queued or running. */
const settled = (): Promise<unknown> =>
  until(
    async () =>
      (await sql(database, `select from jobs where type = $1 and state in ('queued', 'running')`, [INDEX_JOB]))
        .length === 0,
    10_000,
  );

t.test('a workspace begins with the indexes of the default metamodel', async (t) => {
  t.same(
    atStart.map((index) => index.field),
    [
      'Application.costTotalAnnual',
      'Application.numberOfUsers',
      'ITComponent.costTotalAnnual',
      'Initiative.costBudget',
      'Initiative.endDate',
      'Provider.contractEnd',
    ],
  );
  t.ok(atStart.every((index) => index.valid));
  t.strictSame(
    await sql(database, `select state from jobs where type = $1 and created_at < (select min(created_at) from users)`, [
      INDEX_JOB,
    ]),
    [],
    'without a job',
  );
});

t.test('hostile values do not prevent an index, and no answer depends on one', async (t) => {
  await settled();
  t.same(
    (await indexes()).filter((index) => !index.valid),
    [],
  );
  const withThem = await answers();
  for (const { name } of await indexes()) await sql(database, `drop index ${name}`);
  const without = await answers();
  t.strictSame(withThem, without);
  t.notOk(
    Object.values(without).some((answer) => answer.startsWith('inconsistent') || answer.startsWith('5')),
    'pages, cursors and totals agree',
  );
  for (const type of ['Sensor', 'Probe', 'Sensor,Probe']) {
    for (const sort_dir of ['asc', 'desc']) {
      for (const key of ['size', 'price']) {
        const text = new URLSearchParams({ type, sort_by: `attributes.${key}`, sort_dir }).toString();
        t.equal(withThem[`admin ${text}`], await naive(type.split(','), key, sort_dir), text);
      }
    }
  }
  t.ok(
    Object.values(without).filter((answer) => answer.includes(ids[16]!)).length > 50,
    'and there is something in them',
  );
  const { made } = await runJob();
  t.equal(made, 6 + 7, 'made again over the values that lie there');
  t.strictSame(await runJob(), { made: 0, dropped: 0 });
});

t.test(
  'the planner uses the indexes, for ranges and for sorts in both directions, with and without types',
  async (t) => {
    const client = new pg.Client({ ...database });
    await client.connect();
    t.teardown(() => client.end());
    // Enough cards that reading all of them is expensive.
    await client.query(`with c as (insert into cards (id, type, name, name_key, search_name, search_text, created_at)
      select gen_random_uuid(), case when n % 4 = 0 then 'Probe' else 'Sensor' end, 'Many ' || n, 'many ' || n, '', '', now()
        from generate_series(1, 20000) n returning *)
    insert into card_contents (id, type, status, name_key, updated_at, version, attributes) select id, type, status, name_key, created_at, 1,
      jsonb_build_object('size', n, 'price', n, 'due', '2026-01-' || lpad((n % 28 + 1)::text, 2, '0'), 'title', 'T' || n)
      from (select c.*, substr(name, 6)::int as n from c) c`);
    await client.query('vacuum analyze cards, card_contents');
    const names = new Map((await indexes()).map((index) => [index.name, index.field!]));
    const { current } = app.services.metamodel;
    const used = async (query: Record<string, string>): Promise<string[]> => {
      const page = cardPage(
        { ...query, page: query['page'] === undefined ? undefined : Number(query['page']) },
        { metamodel: current, visibility: visibilityOf(systemContext('test'), current), today: '2026-01-15' },
        NOTHING_KNOWN,
      );
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain ${keysOnlyStatement(page)}`,
        page.bindings.values,
      );
      return [
        ...new Set(
          rows.flatMap((row) => [...row['QUERY PLAN'].matchAll(/cards_attr_\w+/g)].map(([name]) => names.get(name)!)),
        ),
      ].sort();
    };
    const cases: [Record<string, string>, string[]][] = [
      [{ type: 'Sensor', 'attributes.size[gte]': '19990' }, ['Sensor.size']],
      [{ type: 'Sensor', 'attributes.size[lt]': '20', sort_by: 'attributes.price' }, ['Sensor.size']],
      [{ 'attributes.size[gt]': '19990' }, ['Probe.size', 'Sensor.size']],
      [{ type: 'Sensor', 'attributes.due[lte]': '2025-12-31' }, ['Sensor.due']],
      [{ type: 'Sensor', sort_by: 'attributes.size' }, ['Sensor.size']],
      [{ type: 'Sensor', sort_by: 'attributes.size', sort_dir: 'desc' }, ['Sensor.size']],
      [{ type: 'Sensor', sort_by: 'attributes.title' }, ['Sensor.title']],
      [{ type: 'Sensor', sort_by: 'attributes.due', sort_dir: 'desc' }, ['Sensor.due']],
      [{ sort_by: 'attributes.price' }, ['Probe.price', 'Sensor.price']],
      [{ type: 'Probe', sort_by: 'attributes.price', page: '3' }, ['Probe.price']],
    ];
    for (const [query, fields] of cases) {
      const text = new URLSearchParams(query).toString();
      t.same(await used(query), fields, text);
      const body = ok(await api.get('/cards', { query }));
      const cursor = body['next_cursor'];
      if (typeof cursor === 'string') t.same(await used({ ...query, cursor }), fields, `${text}, and on by cursor`);
    }
  },
);

t.test('an index is created and dropped with the flag, the field and the type, on any node', async (t) => {
  const there = clientOf(other.origin, admin.token);
  const { version } = ok(await api.get('/metamodel/types/Probe'));
  ok(
    await there.patch('/metamodel/types/Probe', sensor([{ ...FIELDS[0], filterable: false }, FIELDS[3]!]), {
      headers: { 'if-match': `"${version}"` },
    }),
  );
  await until(async () => (await indexOf('Probe.size')) === undefined, 10_000);
  t.ok(await indexOf('Probe.price'), 'the other index is kept');
  ok(await api.patch('/metamodel/types/Probe', sensor([{ ...FIELDS[0], filterable: true }, FIELDS[3]!])));
  await until(async () => (await indexOf('Probe.size'))?.valid, 10_000);
  ok(await api.post('/metamodel/types', { key: 'Brief', label: 'Brief', ...sensor([FIELDS[0]!]) }), 201);
  await until(async () => (await indexOf('Brief.size'))?.valid, 10_000);
  t.equal((await there.del('/metamodel/types/Brief')).status, 204);
  await until(async () => (await indexOf('Brief.size')) === undefined, 10_000);
  const jobs = await sql<{ n: string }>(database, `select count(*) as n from jobs where type = $1`, [INDEX_JOB]);
  ok(await api.patch('/metamodel/types/Probe', { label: 'Probes' }));
  t.strictSame(
    await sql(database, `select count(*) as n from jobs where type = $1`, [INDEX_JOB]),
    jobs,
    'a change without a flag queues no job',
  );
});

t.test('an index left invalid is created again, and an unneeded one is dropped', async (t) => {
  await settled();
  const { name } = (await indexOf('Sensor.size'))!;
  const definition = (): Promise<unknown[]> => sql(database, `select pg_get_indexdef($1::regclass)`, [name]);
  const before = await definition();
  await sql(database, `update pg_index set indisvalid = false where indexrelid = $1::regclass`, [name]);
  await sql(database, `create index cards_attr_orphan on cards (id) where type = 'Gone'`);
  t.equal((await indexOf('Sensor.size'))!.valid, false);
  const next = await testApp({ database });
  t.teardown(next.close);
  await until(async () => (await indexOf('Sensor.size'))?.valid, 10_000);
  await until(async () => !(await indexes()).some((index) => index.name === 'cards_attr_orphan'), 10_000);
  t.strictSame(await definition(), before, 'unchanged');
});

t.test('two concurrent runs create each index once; an aborted run leaves the rest to the next one', async (t) => {
  await settled();
  for (const { name } of (await indexes()).slice(0, 6)) await sql(database, `drop index ${name}`);
  const both = await Promise.all([
    runJob(),
    other.app.services.attributeIndexes.bringUp({
      signal: new AbortController().signal,
      progress: async () => undefined,
    }),
  ]);
  t.same(both.map(({ made }) => made).sort(), [0, 6]);
  const { name } = (await indexOf('Sensor.title'))!;
  await sql(database, `drop index ${name}`);
  const blocker = new pg.Client({ ...database });
  await blocker.connect();
  // CREATE INDEX CONCURRENTLY waits for all transactions that began before it.
  await blocker.query(`begin; update card_contents set updated_at = updated_at where id = '${ids[2]}'`);
  const stop = new AbortController();
  const stopped = app.services.attributeIndexes.bringUp({ signal: stop.signal, progress: async () => undefined }).then(
    () => 'done',
    () => 'stopped',
  );
  await until(async () => (await indexes()).find((index) => index.name === name)?.valid === false);
  stop.abort();
  t.equal(await Promise.race([stopped, delay(5_000, 'still waiting')]), 'stopped');
  await blocker.query('rollback');
  await blocker.end();
  t.strictSame(await runJob(), { made: 1, dropped: 1 });
});

t.test('the flag is refused for fields that cannot be indexed', async (t) => {
  const refused = async (path: string, body: object): Promise<unknown> => {
    const answer = await api.post(path, body);
    return [answer.status, (answer.body['errors'] as { field: string }[] | undefined)?.map((e) => e.field)];
  };
  const many = Array.from({ length: 21 }, (_, i) => ({ key: `f${i}`, kind: 'number', filterable: true }));
  t.same(
    await refused('/metamodel/types', {
      key: 'Odd',
      label: 'Odd',
      ...sensor([{ key: 'some', kind: 'multiple_select', options: [{ key: 'a' }], filterable: true }]),
    }),
    [422, ['/sections/0/fields/0/filterable']],
  );
  t.same(await refused('/metamodel/types', { key: 'Odd', label: 'Odd', ...sensor(many) }), [422, ['/sections']]);
  t.same(
    await refused('/metamodel/relation-types', {
      key: 'odd',
      label: 'odd',
      source_type: 'Sensor',
      target_type: 'Sensor',
      fields: [{ key: 'n', kind: 'number', filterable: true }],
    }),
    [422, ['/fields/0/filterable']],
  );
  t.equal(
    (
      await api.post('/metamodel/types', {
        key: 'Odd',
        label: 'Odd',
        ...sensor([{ key: 'n', kind: 'number', filterable: 'yes' }]),
      })
    ).status,
    422,
  );
});

t.test('the reverted migration drops the indexes and the function they use', async (t) => {
  const old = await createDatabase();
  const client = new pg.Client({ ...old });
  await client.connect();
  t.teardown(() => client.end());
  // Its indexes were on `cards`, before the migration that divides that table.
  await contents.down(await boundKnex(client));
  await client.query(`create index cards_attr_x on cards ((lintel_fold(attributes->>'a')), id) where type = 'A'`);
  await migration.down(await boundKnex(client));
  t.strictSame((await client.query(`select from pg_class where starts_with(relname, 'cards_attr_')`)).rows, []);
  await functions.down(await boundKnex(client));
  await functions.up(await boundKnex(client));
  await migration.up(await boundKnex(client));
  await contents.up(await boundKnex(client));
});
