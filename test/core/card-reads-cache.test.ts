import { createHash } from 'node:crypto';
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until, type AnyBody, type Session } from '../support/app.js';

/** Two nodes on one database: one changes cards that the other has cached. */
const one = await testApp();
t.teardown(one.close);
const two = await testApp({ database: one.database });
t.teardown(two.close);
const admin = await registerAdmin(one.origin);
const viewer = await makeUser(admin, 'viewer');
const { api } = admin;

const make = async (card: object): Promise<AnyBody> => {
  const { status, body } = await api.post('/cards', { type: 'BusinessCapability', ...card });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
};
const root = await make({ name: 'Root' });
const mid = await make({ name: 'Mid', parent_id: root.id });
const leaf = await make({ name: 'Leaf', parent_id: mid.id, description: 'first' });
const app = await make({ type: 'Application', name: 'Costly', attributes: { costTotalAnnual: 4711 } });

const fetchOn = async (
  origin: string,
  path: string,
  token: string,
): Promise<{ body: AnyBody; etag: string | null }> => {
  const answer = await fetch(`${origin}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { body: (await answer.json()) as AnyBody, etag: answer.headers.get('etag') };
};
/** A card as both nodes return it, alone and in a list, twice: read and cached. */
async function shown(id: string, who: Session = admin): Promise<AnyBody> {
  const seen: { body: AnyBody; etag: string | null }[] = [];
  for (const origin of [one.origin, two.origin, one.origin, two.origin]) {
    seen.push(await fetchOn(origin, `/cards/${id}`, who.token));
    const { body } = await fetchOn(origin, `/cards?ids=${id}`, who.token);
    seen.push({ body: body.items[0]! as never, etag: seen.at(-1)!.etag });
  }
  const digests = new Set(seen.map((s) => createHash('sha256').update(JSON.stringify(s)).digest('hex')));
  if (digests.size !== 1) throw new Error(`shown differently: ${JSON.stringify(seen)}`);
  return seen[0]!.body;
}

t.test('cached cards are current', async (t) => {
  t.match(await shown(leaf.id), { path: ['Root', 'Mid'], level: 3, description: 'first' });
  await api.patch(`/cards/${leaf.id}`, { description: 'second' });
  t.match(await shown(leaf.id), { description: 'second', version: 2 });
  await api.patch(`/cards/${root.id}`, { name: 'Renamed' });
  t.match(await shown(leaf.id), { path: ['Renamed', 'Mid'], version: 2 }, 'a name above it');
  await api.patch(`/cards/${mid.id}`, { parent_id: null });
  t.match(await shown(leaf.id), { path: ['Mid'], level: 2, version: 2 }, 'a move above it');
  const before = (await shown(leaf.id))['data_quality'] as number;
  const stake = await api.post(`/cards/${leaf.id}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' });
  t.equal(stake.status, 201);
  const held = await shown(leaf.id);
  t.match(held, { stakeholders: [{ user_id: viewer.user.id, role: 'responsible' }], version: 2 });
  t.ok((held['data_quality'] as number) > before, 'and its score');
  await sql(one.database, `update users set display_name = 'Viola "New"' where id = $1`, [viewer.user.id]);
  t.match(await shown(leaf.id), { stakeholders: [{ display_name: 'Viola "New"' }] }, 'the name of a stakeholder');
  await sql(one.database, `update card_contents set data_quality = 12.5 where id = $1`, [leaf.id]);
  t.match(await shown(leaf.id), { data_quality: 12.5, version: 2 }, 'a score worked out anew');
  await sql(
    one.database,
    `update card_contents set lifecycle = jsonb_build_object('active', to_char(clock_timestamp(), 'YYYY-MM-DD')) where id = $1`,
    [leaf.id],
  );
  t.match(await shown(leaf.id), { lifecycle_phase: 'active' });
  await api.del(`/cards/${leaf.id}`);
  for (const origin of [one.origin, two.origin])
    t.match((await fetchOn(origin, `/cards/${leaf.id}`, admin.token)).body, { code: 'not_found' });
});

t.test('each reader gets the view of that reader, regardless of earlier readers', async (t) => {
  for (let round = 0; round < 3; round++) {
    t.match(await shown(app.id), { attributes: { costTotalAnnual: 4711 } });
    t.same((await shown(app.id, viewer))['attributes'], {});
  }
  await api.post(`/cards/${app.id}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' });
  t.match(await shown(app.id, viewer), { attributes: { costTotalAnnual: 4711 } }, 'open by a stakeholder role');
  const [stake] = (await shown(app.id))['stakeholders'] as unknown as { id: string }[];
  await api.del(`/cards/${app.id}/stakeholders/${stake!.id}`);
  t.same((await shown(app.id, viewer))['attributes'], {}, 'and closed again with it');
});

t.test('cards of a hidden type are in no response', async (t) => {
  const child = await make({ name: 'Child', parent_id: root.id });
  await sql(
    one.database,
    `update roles set types = '{"BusinessCapability": {"cards.view": false}}' where key = 'viewer'`,
  );
  await sql(one.database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
  const asViewer = (path: string) => fetchOn(one.origin, path, viewer.token);
  await until(async () => (await asViewer('/cards')).body['total'] === 1, 3_000);
  t.match(
    (await asViewer('/cards?sort_by=updated_at')).body.items.map((c) => c.name),
    ['Costly'],
  );
  t.match((await asViewer(`/cards?ids=${root.id},${app.id}`)).body, { total: 1 });
  t.match((await asViewer('/cards?type=BusinessCapability')).body, { total: 0, items: [] });
  t.match((await asViewer('/cards?search=child')).body, { total: 0 });
  t.match((await asViewer('/cards/facets')).body, { total: 1, facets: { type: [{ value: 'Application', count: 1 }] } });
  for (const path of [`/cards/${child.id}`, `/cards/${root.id}/hierarchy`])
    t.match((await asViewer(path)).body, { code: 'not_found' }, path);
  t.match((await fetchOn(one.origin, '/cards?type=BusinessCapability', admin.token)).body, { total: 3 });
});

t.test('concurrent requests: each gets its card', async (t) => {
  const cards = await Promise.all(
    Array.from({ length: 30 }, (_, i) => make({ type: 'Objective', name: `Objective ${i}` })),
  );
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all([...cards, ...cards].map(async ({ id }) => (await api.get(`/cards/${id}`)).body));
    t.same(
      answers.map((card) => card.id),
      [...cards, ...cards].map((card) => card.id),
    );
  }
  const missing = await Promise.all([
    api.get(`/cards/${cards[0]!.id}`),
    api.get('/cards/01900000-0000-7000-8000-00000000dead'),
  ]);
  t.same(
    missing.map(({ status }) => status),
    [200, 404],
  );
});

t.test('a page of a search has the exact total or a lower bound', async (t) => {
  // Inserted directly, because creating so many cards by the service takes too long.
  await sql(
    one.database,
    `with c as (insert into cards (id, type, name, name_key, search_name, search_text, created_at)
    select gen_random_uuid(), 'Objective', 'Bulk ' || i, 'bulk ' || i, 'bulk ' || i, 'bulk ' || i || case when i % 200 = 0 then ' seldom' else '' end, now() from generate_series(1, 13000) i returning *)
    insert into card_contents (id, type, status, name_key, updated_at, version) select id, type, status, name_key, created_at, 1 from c`,
  );
  await sql(
    one.database,
    `insert into card_counts (type, status, approval_status, n) values ('Objective', 'ACTIVE', 'DRAFT', 13000)`,
  );
  for (let round = 0; round < 2; round++) {
    t.match((await api.get('/cards', { query: { search: 'bulk' } })).body, { total: 10_000, total_relation: 'gte' });
    t.match((await api.get('/cards', { query: { search: 'bulk', total: 'exact' } })).body, {
      total: 13_000,
      total_relation: 'eq',
    });
    t.match((await api.get('/cards', { query: { search: 'bulk', sort_by: 'relevance' } })).body, {
      total: 10_000,
      total_relation: 'gte',
    });
    t.match((await api.get('/cards', { query: { search: 'seldom' } })).body, { total: 65, total_relation: 'eq' });
    t.match((await api.get('/cards', { query: { search: 'seldom', sort_by: 'created_at', sort_dir: 'desc' } })).body, {
      total: 65,
    });
    t.match((await api.get('/cards', { query: { search: 'bulk seldom', sort_by: 'relevance' } })).body, { total: 65 });
    t.match((await api.get('/cards', { query: { type: 'Application', search: 'bulk' } })).body, { total: 0 });
  }
  const seldom: Record<string, string>[] = [
    { search: 'seldom' },
    { search: 'seldom', sort_by: 'relevance' },
    { search: 'seldom', sort_by: 'data_quality' },
  ];
  for (const query of seldom) {
    const ids = new Set<string>();
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { body } = await api.get('/cards', { query: { ...query, page_size: 20, ...(cursor && { cursor }) } });
      t.equal(body['total'], 65, 'the total is that of the whole search, wherever one reads');
      for (const { id } of body.items) ids.add(id);
      cursor = body['next_cursor'] as string | null;
    }
    t.equal(ids.size, 65, JSON.stringify(query));
  }
});

t.test('distant pages are the same in both directions of reading', async (t) => {
  const sorts: Record<string, string>[] = [
    { sort_by: 'name' },
    { sort_by: 'subtype' },
    { sort_by: 'created_at', sort_dir: 'desc' },
  ];
  for (const sort of sorts) {
    const query = { type: 'Objective', ...sort, page_size: 200 };
    const byCursor: string[] = [];
    let total = 0;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { body } = await api.get('/cards', { query: { ...query, ...(cursor && { cursor }) } });
      byCursor.push(...body.items.map((card) => card.id));
      total = body['total'] as number;
      cursor = body['next_cursor'] as string | null;
    }
    t.equal(byCursor.length, total, 'every card is read');
    const last = Math.ceil(total / 200);
    for (const page of [12, 40, last - 1, last, last + 1]) {
      const { body } = await api.get('/cards', { query: { ...query, page } });
      t.same(
        body.items.map((card) => card.id),
        byCursor.slice((page - 1) * 200, page * 200),
        `page ${page} by ${sort['sort_by']}`,
      );
      t.equal(body['next_cursor'] === null, page >= last, `the page after page ${page}`);
      t.equal(body['total'], total);
    }
  }
});
