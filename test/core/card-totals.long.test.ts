/** Totals: exact if counters contain them or hits are at most 10,000; beyond that a lower bound, unless total=exact. */
import pg from 'pg';
import t from 'tap';
import { registerAdmin, sql, testApp, type AnyBody } from '../support/app.js';
import { watchStatements } from '../support/statements.js';

const CARDS = 10_050;

const watch = watchStatements();
const { origin, database, close } = await testApp();
t.teardown(async () => {
  watch.stop();
  await close();
});
const { api } = await registerAdmin(origin);
// Inserted directly, because only their number matters; all have the same parent, tag and value.
const group = (await api.post('/metamodel/tag-groups', { name: 'Colours' })).body;
const tag = (await api.post(`/metamodel/tag-groups/${group.id}/tags`, { name: 'Blue' })).body;
await sql(
  database,
  `with c as (insert into cards (id, type, subtype, name, name_key, search_name, search_text, created_at)
    select gen_random_uuid(), 'Application', 'aiAgent', 'Bulk ' || i, 'bulk ' || lpad(i::text, 6, '0'), 'bulk ' || i, 'bulk ' || i, now()
      from generate_series(1, ${CARDS}) i returning *)
  insert into card_contents (id, type, status, name_key, updated_at, version, attributes)
    select id, type, status, name_key, created_at, 1, jsonb_build_object('numberOfUsers', substr(name, 6)::int, 'productName', 'Same') from c`,
);
await sql(
  database,
  `insert into card_counts (type, status, approval_status, n) values ('Application', 'ACTIVE', 'DRAFT', ${CARDS})`,
);
await sql(database, 'insert into card_tags (card_id, tag_id) select id, $1 from cards', [tag.id]);

const list = async (query: Record<string, unknown>): Promise<AnyBody> => {
  const { status, body } = await api.get('/cards', { query: query as never });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};
const totalOf = async (query: Record<string, unknown>): Promise<unknown[]> => {
  const { total, total_relation } = await list({ page_size: 1, ...query });
  return [total, total_relation];
};

await t.test('totals from counters are exact, also with a subtype', async (t) => {
  for (const query of [
    {},
    { type: 'Application' },
    { status: 'ACTIVE' },
    { approval_status: 'DRAFT' },
    { type: 'Application', sort_by: 'attributes.numberOfUsers' },
    { type: 'Application', subtype: 'aiAgent', approval_status: 'DRAFT' },
    { subtype: 'aiAgent', sort_by: 'attributes.numberOfUsers' },
  ])
    t.same(await totalOf(query), [CARDS, 'eq'], JSON.stringify(query));
});

const MANY: Record<string, unknown>[] = [
  { 'attributes.numberOfUsers[gte]': 1 },
  { type: 'Application', 'attributes.numberOfUsers[gte]': 1 },
  { type: 'Application', 'attributes.numberOfUsers[gte]': 1, sort_by: 'attributes.numberOfUsers' },
  { type: 'Application', 'attributes.numberOfUsers[gte]': 1, sort_by: 'updated_at', sort_dir: 'desc' },
  { 'attributes.productName': 'Same' },
  { 'attributes.productName[contains]': 'sam', sort_by: 'attributes.numberOfUsers' },
  { tag: tag.id },
  { subtype: 'aiAgent', tag: tag.id },
  { parent_id: 'null' },
  { updated_since: '2000-01-01T00:00:00.000Z' },
  { search: 'bulk' },
  { search: 'bulk', 'attributes.numberOfUsers[gte]': 1 },
];

await t.test('beyond 10,000 hits a total is a lower bound, unless the exact one is requested', async (t) => {
  for (const query of MANY) {
    t.same(await totalOf(query), [10_000, 'gte'], JSON.stringify(query));
    t.same(await totalOf({ ...query, total: 'exact' }), [CARDS, 'eq'], `exact: ${JSON.stringify(query)}`);
    t.same(await totalOf({ ...query, page: 2 }), [10_000, 'gte'], `page 2: ${JSON.stringify(query)}`);
  }
  for (const [hits, relation] of [
    [9_999, 'eq'],
    [10_000, 'eq'],
    [10_001, 'gte'],
  ] as const) {
    const query = { type: 'Application', 'attributes.numberOfUsers[lte]': hits };
    t.same(await totalOf(query), [Math.min(hits, 10_000), relation], `${hits} hits`);
  }
});

await t.test('without a total, the same cards are found in every way of reading them', async (t) => {
  const others = [
    {},
    { search: 'bulk', sort_by: 'relevance' },
    { sort_by: 'attributes.numberOfUsers', sort_dir: 'desc' },
    { type: 'Application', subtype: 'aiAgent' },
  ];
  for (const query of [...others, ...MANY]) {
    const what = JSON.stringify(query);
    t.same(await totalOf({ ...query, total: 'none' }), [null, 'none'], what);
    // The last of these is read from the end, if the total is known.
    for (const page of [1, 2, 48]) {
      const { items, next_cursor } = await list({ page_size: 200, page, fields: 'name', ...query });
      const none = await list({ page_size: 200, page, fields: 'name', ...query, total: 'none' });
      t.same(none.items, items, `page ${page}: ${what}`);
      t.equal(none.next_cursor, next_cursor, `cursor of page ${page}: ${what}`);
      if (none.next_cursor === null) continue;
      const next = { page_size: 3, fields: 'name', ...query, cursor: none.next_cursor };
      t.same((await list({ ...next, total: 'none' })).items, (await list(next)).items, `by cursor: ${what}`);
    }
  }
  for (const query of [{}, { page: 48 }, { type: 'Application', page: 48 }, { tag: tag.id }, { parent_id: 'null' }]) {
    const { statements } = await watch.during(() => list({ page_size: 200, ...query, total: 'none' }));
    for (const { text } of statements) t.notMatch(text, /count\(\*\)|card_counts/, JSON.stringify(query));
  }
  t.same(await totalOf({ search: 'bulk' }), [10_000, 'gte'], 'a list without a total leaves no wrong one behind');
  t.same(await totalOf({}), [CARDS, 'eq']);
});

await t.test('pages of frequent and of rare hits are correct', async (t) => {
  const numbers = ({ items }: AnyBody): number[] =>
    items.map((card) => (card.attributes as unknown as { numberOfUsers: number }).numberOfUsers);
  const range = { type: 'Application', sort_by: 'name', 'attributes.numberOfUsers[gte]': 41 };
  const span = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);
  // Pages that are read in the order of the list, by sorting all hits, and at the end of the list.
  for (const page of [1, 2, 5, 6, 51]) {
    const at = 41 + (page - 1) * 200;
    const expected = span(at, Math.min(at + 199, CARDS));
    t.same(numbers(await list({ ...range, page, page_size: 200 })), expected, `page ${page}`);
  }
  const rare = { ...range, 'attributes.numberOfUsers[gte]': 41, 'attributes.numberOfUsers[lt]': 44 };
  t.same(numbers(await list(rare)), [41, 42, 43]);
  // More hits than are counted, none of them among the first cards of the order.
  await sql(
    database,
    `with c as (insert into cards (id, type, name, name_key, search_name, search_text, created_at)
      select gen_random_uuid(), 'Application', 'A ' || i, 'a ' || i, 'a', 'a', now() from generate_series(1, 3100) i returning *)
    insert into card_contents (id, type, status, name_key, updated_at, version) select id, type, status, name_key, created_at, 1 from c`,
  );
  t.same(numbers(await list({ ...range, page_size: 5 })), span(41, 45), 'behind many cards that are no hits');

  const seen: number[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const body = await list({ ...range, page_size: 200, ...(cursor && { cursor }) });
    t.same([body.total, body.total_relation], [10_000, 'gte']);
    seen.push(...numbers(body));
    cursor = body.next_cursor as string | null;
  }
  t.same(seen, span(41, CARDS), 'a cursor reads all of them');
});

await t.test('links continue beyond 10,000 hits, and a last page is given only if it is known', async (t) => {
  const rels = async (query: Record<string, unknown>): Promise<string[]> => {
    const { headers } = await api.get('/cards', { query: query as never });
    return [...(headers.get('link') ?? '').matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel!);
  };
  const many = { 'attributes.numberOfUsers[gte]': 1, page_size: 200 };
  t.same(await rels(many), ['first', 'next']);
  t.same(await rels({ ...many, page: 50 }), ['first', 'prev', 'next'], 'after the 10,000th');
  t.same(await rels({ ...many, page: 51 }), ['first', 'prev'], 'the end');
  t.same(await rels({ ...many, total: 'exact' }), ['first', 'next', 'last']);
});

await t.test('a count that takes too long is aborted', async (t) => {
  const client = new pg.Client(database);
  await client.connect();
  t.teardown(() => client.end());
  await client.query('begin; lock table cards in access exclusive mode');
  const pending = api.get('/cards', { query: { tag: tag.id as string, total: 'exact' } });
  // Cancelled here, because the time limit of the service is one minute. The statement is identified by its lock, because
  // pg_stat_activity has no text of a statement that waits while it is parsed.
  let isDone = false;
  const done = pending.finally(() => (isDone = true));
  while (!isDone)
    await client.query(
      'select pg_cancel_backend(pid) from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))',
    );
  t.match(await done, { status: 422, body: { code: 'too_expensive' } });
  await client.query('rollback');
});
