import t from 'tap';
import { client, nextAddress, PASSWORD, registerAdmin, sql, testApp } from '../support/app.js';

const { origin, database, close } = await testApp();
t.teardown(close);

const { api } = await registerAdmin(origin);

const statuses = (answers: { status: number }[]) =>
  answers
    .map((a) => a.status)
    .sort()
    .join(' ');
const count = (answers: { status: number }[], status: number) => answers.filter((a) => a.status === status).length;
const times = <T>(n: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)));

await t.test('20 parallel registers of the first user make one administrator', async (t) => {
  const fresh = await testApp();
  t.teardown(fresh.close);
  const answers = await times(20, (i) =>
    client(fresh.origin).post(
      '/auth/register',
      { email: `user${i}@example.org`, password: PASSWORD, display_name: `User ${i}` },
      { from: nextAddress() },
    ),
  );
  t.equal(count(answers, 201), 1, statuses(answers));
  t.equal(count(answers, 403), 19, statuses(answers));
  const [row] = await sql<{ n: number }>(fresh.database, `select count(*)::int as n from users where role = 'admin'`);
  t.equal(row?.n, 1);
});

const make = async (name: string, more: object = {}) =>
  (await api.post('/cards', { type: 'Application', name, ...more })).body;

await t.test('50 writers with If-Match on one card: one succeeds per version', async (t) => {
  const card = await make('Contended');
  let version = card.version;
  for (let round = 0; round < 3; round++) {
    const answers = await times(50, (i) =>
      api.patch(`/cards/${card.id}`, { description: `${round} ${i}` }, { headers: { 'if-match': `"${version}"` } }),
    );
    t.equal(count(answers, 200), 1, statuses(answers));
    t.equal(count(answers, 412), 49, statuses(answers));
    const winner = answers.find((a) => a.status === 200)!.body;
    t.equal(winner.version, version + 1);
    const loser = answers.find((a) => a.status === 412)!.body;
    t.equal(loser['current_version'], version + 1);
    t.strictSame(loser['changed_fields'], ['description']);
    version = winner.version;
  }
  const versions = await sql<{ version: number; fields: string[] | null }>(
    database,
    `select version, jsonb_path_query_array(changes, '$[*].field') as fields from card_versions where id = $1 order by version`,
    [card.id],
  );
  t.strictSame(versions, [
    { version: 1, fields: null },
    ...[2, 3, 4].map((n) => ({ version: n, fields: ['description'] })),
  ]);
});

await t.test('50 merge patches without a condition: none lost, one version each', async (t) => {
  const card = await make('Shared');
  const answers = await times(50, (i) => api.patch(`/cards/${card.id}`, { attributes: { productName: `p${i}` } }));
  t.equal(count(answers, 200), 50, statuses(answers));
  t.equal(new Set(answers.map((a) => a.body.version)).size, 50);
});

await t.test('one Idempotency-Key twenty times in parallel: one card', async (t) => {
  const headers = { 'idempotency-key': 'only-once' };
  const answers = await times(20, () => api.post('/cards', { type: 'Application', name: 'Once' }, { headers }));
  t.equal(
    answers.every((a) => a.status === 201 || a.status === 409),
    true,
    statuses(answers),
  );
  t.equal(new Set(answers.filter((a) => a.status === 201).map((a) => a.body.id)).size, 1);
  const again = await api.post('/cards', { type: 'Application', name: 'Once' }, { headers });
  t.equal(again.status, 201);
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  const other = await api.post('/cards', { type: 'Application', name: 'Other' }, { headers });
  t.equal(other.status, 422);
  t.equal(other.body.code, 'idempotency_key_reused');
  t.equal((await api.get('/cards', { query: { search: 'once' } })).body.total, 1);
});

await t.test('20 creates of one name: one card, in any spelling of it', async (t) => {
  const names = ['Straße', 'STRASSE', 'strasse', 'Strasse'];
  const answers = await times(20, (i) => api.post('/cards', { type: 'Application', name: names[i % 4] }));
  t.equal(count(answers, 201), 1, statuses(answers));
  t.equal(
    answers.filter((a) => a.status === 409).every((a) => a.body.code === 'name_taken'),
    true,
  );
});

await t.test('20 moves that would form a cycle', async (t) => {
  const cards = await times(4, (i) => make(`Ring ${i}`));
  const answers = await times(20, (i) =>
    api.patch(`/cards/${cards[i % 4]!.id}`, { parent_id: cards[(i + 1) % 4]!.id }),
  );
  t.equal(
    answers.every((a) => [200, 409, 422].includes(a.status)),
    true,
    statuses(answers),
  );
  const [row] = await sql<{ n: number }>(database, 'select count(*)::int as n from cards where id = any(path_ids)');
  t.equal(row?.n, 0);
  const stored = await sql<{ parent_id: string | null; path_ids: string[] }>(
    database,
    'select parent_id, path_ids from cards where id = any($1)',
    [cards.map((c) => c.id)],
  );
  t.equal(stored.filter((c) => c.parent_id === null).length >= 1, true, 'a root remains');
  for (const c of stored) t.equal(c.path_ids.at(-1) ?? null, c.parent_id, 'the path ends at the parent');
});

await t.test('20 concurrent relations violate neither 1:n nor the unique pair', async (t) => {
  await sql(
    database,
    `insert into relation_types (key, source_type, target_type, one_source, one_target, allow_self, doc)
    select 'oneOwner', 'Provider', 'Application', true, false, false, doc || '{"key":"oneOwner","source_type":"Provider","target_type":"Application","cardinality":"1:n","fields":[]}' from relation_types where key = 'related'`,
  );
  await sql(database, `update revisions set revision = revision + 1 where kind = 'metamodel'`);
  const target = await make('Owned');
  const owners = await times(
    20,
    async (i) => (await api.post('/cards', { type: 'Provider', name: `Owner ${i}` })).body,
  );
  const relate = (i: number) =>
    api.post('/relations', { type: 'oneOwner', source_id: owners[i]!.id, target_id: target.id });
  let first = await relate(0);
  // The type was inserted directly into the database; the node loads it within a second.
  for (const end = Date.now() + 3_000; first.status === 422 && Date.now() < end; ) first = await relate(0);
  t.equal(first.status, 201);
  await api.del(`/relations/${first.body.id}`);
  const answers = await times(20, relate);
  t.equal(count(answers, 201), 1, statuses(answers));
  t.equal(
    answers.filter((a) => a.status === 409).every((a) => a.body.code === 'cardinality'),
    true,
  );
  const pairs = await times(20, () =>
    api.post('/relations', { type: 'related', source_id: owners[0]!.id, target_id: target.id }),
  );
  t.equal(count(pairs, 201), 1, statuses(pairs));
});

await t.test('one new relation upserted 20 times concurrently: one creates it, the others find it', async (t) => {
  type Bulk = {
    summary: Record<string, number>;
    results: { id: string; outcome: string; relations?: { id: string; outcome: string }[] }[];
  };
  const bulk = (path: string, mode: string, operations: object[]) => api.post<Bulk>(path, { mode, operations });
  const [source, target, other] = [await make('Upserted from'), await make('Upserted to'), await make('Upserted too')];
  const pair = { type: 'related', source_id: source.id };
  for (const [round, mode] of ['all_or_nothing', 'per_row', 'all_or_nothing'].entries()) {
    const operations = [
      { op: 'upsert', ...pair, target_id: target.id },
      { op: 'upsert', ...pair, target_id: other.id },
    ];
    const answers = await times(20, () => bulk('/relations/bulk', mode, operations));
    t.equal(count(answers, 200), 20, JSON.stringify(answers.find((a) => a.status !== 200)?.body));
    t.equal(
      answers.reduce((sum, a) => sum + (a.body.summary['created'] ?? 0), 0),
      2,
      `${mode}: made once`,
    );
    t.equal(
      answers.reduce((sum, a) => sum + (a.body.summary['unchanged'] ?? 0), 0),
      38,
    );
    const ids = new Set(answers.flatMap((a) => a.body.results.map((r) => r.id)));
    t.equal(ids.size, 2, 'all answers have the same two ids');
    for (const id of ids) await api.del(`/relations/${id}`);
    // The same with the relation in the operation of a new card.
    const card = {
      op: 'upsert',
      card: { type: 'Application', external_id: `up-${round}`, name: `Upserted ${round}` },
      relations: [{ type: 'related', target: { id: target.id } }],
    };
    const along = await times(12, () => bulk('/cards/bulk', mode, [card]));
    t.equal(count(along, 200), 12, JSON.stringify(along.find((a) => a.status !== 200)?.body));
    t.equal(
      new Set(along.map((a) => a.body.results[0]!.relations?.[0]?.id)).size,
      1,
      `${mode}: ${JSON.stringify(along.map((a) => a.body.results))}`,
    );
    t.equal(along.filter((a) => a.body.results[0]!.outcome === 'created').length, 1);
  }
  // A create of an existing relation is refused and does not become an update.
  const creates = await times(20, () =>
    bulk('/relations/bulk', 'all_or_nothing', [
      { op: 'create', ...pair, target_id: target.id },
      { op: 'upsert', ...pair, target_id: other.id },
    ]),
  );
  t.equal(count(creates, 200), 1, statuses(creates));
  t.ok(
    creates.every(
      (a) =>
        a.status === 200 || (a.status === 409 && (a.body as unknown as { code: string }).code === 'relation_exists'),
    ),
    statuses(creates),
  );
});

await t.test('deleting a card during 20 concurrent relations leaves no relation without an end', async (t) => {
  const target = await make('Doomed');
  const sources = await times(20, (i) => make(`Relating ${i}`));
  const [gone, ...answers] = await Promise.all([
    api.del(`/cards/${target.id}`),
    ...sources.map((s) => api.post('/relations', { type: 'related', source_id: s.id, target_id: target.id })),
  ]);
  t.equal(
    answers.every((a) => [201, 409, 422].includes(a.status)),
    true,
    statuses(answers),
  );
  const removed = gone.status === 204 || (await api.del(`/cards/${target.id}`)).status === 204;
  t.equal(removed, true, `delete gave ${gone.status}`);
  const [row] = await sql<{ n: number }>(database, 'select count(*)::int as n from relations where target_id = $1', [
    target.id,
  ]);
  t.equal(row?.n, 0);
  const [open] = await sql<{ n: number }>(
    database,
    `select count(*)::int as n from relation_versions v where not exists (select from relations r where r.id = v.id)
      and not exists (select from relation_deletions d where d.id = v.id)`,
  );
  t.equal(open?.n, 0, 'the deletion of each removed relation is stored');
});

await t.test('exact totals while 16 write', async (t) => {
  let writing = true;
  const before = (await api.get('/cards', { query: { type: 'DataObject' } })).body.total;
  const writers = times(16, async (w) => {
    for (let i = 0; i < 12; i++) await api.post('/cards', { type: 'DataObject', name: `D ${w} ${i}` });
  });
  void writers.finally(() => {
    writing = false;
  });
  let last = before;
  while (writing) {
    const { body } = await api.get('/cards', { query: { type: 'DataObject', page_size: 200 } });
    t.equal(body.total, body.items.length, 'items and total are of one snapshot');
    t.equal(body.total >= last, true);
    last = body.total;
  }
  await writers;
  t.equal((await api.get('/cards', { query: { type: 'DataObject' } })).body.total, before + 16 * 12);
});
