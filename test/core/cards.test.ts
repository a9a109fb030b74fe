import pg from 'pg';
import t from 'tap';
import { client, makeUser, registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
const member = await makeUser(admin, 'member');
const { api } = admin;

const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NOWHERE = '01900000-0000-7000-8000-00000000dead';
let n = 0;
const fresh = (prefix = 'Card') => `${prefix} ${++n}`;
const make = async (more: object = {}): Promise<AnyBody> => {
  const answer = await api.post('/cards', { type: 'Application', name: fresh(), ...more });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const fields = (body: AnyBody) => body.errors.map((e) => e.field).sort();
const names = (body: AnyBody) => body.items.map((c) => c.name);

await t.test('a card is returned as documented', async (t) => {
  const { status, headers, body } = await api.post('/cards', {
    type: 'Application',
    name: '  Billing ',
    description: 'd',
    attributes: { costTotalAnnual: 12.5, commercial: false },
    lifecycle: { plan: '2019-01-01', active: '2020-01-01', endOfLife: '2999-01-01' },
  });
  t.equal(status, 201);
  t.match(body.id, UUID7);
  t.match(body['created_at'], TIME);
  t.match(headers.get('etag'), /^"1\.[\w-]+"$/, 'the phase of its lifecycle is derived');
  t.equal(headers.get('location'), `/api/v1/cards/${body.id}`);
  t.match(body, {
    type: 'Application',
    name: 'Billing',
    status: 'ACTIVE',
    approval_status: 'DRAFT',
    path: [],
    level: 1,
    parent_id: null,
    lifecycle_phase: 'active',
    attributes: { costTotalAnnual: 12.5, commercial: false },
    tags: [],
    stakeholders: [],
    version: 1,
    created_by: admin.user.id,
  });
  t.strictSame((await api.get(`/cards/${body.id}`)).body, body);
});

await t.test('every invalid field is named at once', async (t) => {
  const { status, body } = await api.post('/cards', {
    type: 'Application',
    attributes: { hostingType: 'moon', costTotalAnnual: '5', nope: 1 },
    bogus: true,
    parent_id: 'zzz',
  });
  t.equal(status, 422);
  t.strictSame(fields(body), ['/bogus', '/name', '/parent_id']);
  const deeper = await api.post('/cards', {
    type: 'Application',
    name: ' ',
    subtype: 'x',
    lifecycle: { active: '2025-13-01', retired: '2025-01-01' },
    attributes: { hostingType: 'moon', costTotalAnnual: '5', nope: 1 },
  });
  t.equal(deeper.status, 422);
  t.strictSame(fields(deeper.body), [
    '/attributes/costTotalAnnual',
    '/attributes/hostingType',
    '/attributes/nope',
    '/lifecycle/active',
    '/lifecycle/retired',
    '/name',
    '/subtype',
  ]);
});

await t.test('bad names, types, parents, order of phases', async (t) => {
  for (const name of ['', '   ', 'n'.repeat(501), null, 5, 'a\u0000b', '\ud800'])
    t.equal((await api.post('/cards', { type: 'Application', name })).status, 422, JSON.stringify(name).slice(0, 20));
  t.strictSame(fields((await api.post('/cards', { type: 'Nope', name: 'x' })).body), ['/type']);
  t.strictSame(fields((await api.post('/cards', { type: 'Application', name: fresh(), parent_id: NOWHERE })).body), [
    '/parent_id',
  ]);
  t.strictSame(
    fields(
      (
        await api.post('/cards', {
          type: 'Application',
          name: fresh(),
          lifecycle: { plan: '2026-01-01', active: '2025-01-01' },
        })
      ).body,
    ),
    ['/lifecycle/active'],
  );
  const provider = await make({ type: 'Provider' });
  t.strictSame(
    fields((await api.post('/cards', { type: 'Application', name: fresh(), parent_id: provider.id })).body),
    ['/parent_id'],
    'a parent of another type',
  );
  const platform = await make({ type: 'Platform' });
  t.strictSame(
    fields((await api.post('/cards', { type: 'Platform', name: fresh(), parent_id: platform.id })).body),
    ['/parent_id'],
    'a type without hierarchy',
  );
  for (const key of ['status', 'approval_status', 'data_quality', 'id', 'version', 'created_by', 'path'])
    t.equal((await api.post('/cards', { type: 'Application', name: fresh(), [key]: 'x' })).status, 422, key);
});

await t.test('merge patch: absent members are unchanged, null removes, an equal value changes nothing', async (t) => {
  const card = await make({
    description: 'keep',
    alias: 'al',
    attributes: { productName: 'a', numberOfUsers: 1 },
    lifecycle: { plan: '2020-01-01', active: '2021-01-01' },
  });
  const { body } = await api.patch(`/cards/${card.id}`, {
    alias: null,
    attributes: { productName: 'b', numberOfUsers: null },
    lifecycle: { plan: null },
  });
  t.match(body, { description: 'keep', alias: null, version: 2 });
  t.strictSame(body['attributes'], { productName: 'b' });
  t.strictSame(body['lifecycle'], { active: '2021-01-01' });
  const [{ n: before } = { n: 0 }] = await sql<{ n: number }>(
    database,
    `select count(*)::int as n from card_versions where id = $1`,
    [card.id],
  );
  t.equal((await api.patch(`/cards/${card.id}`, { attributes: { productName: 'b' } })).body.version, 2);
  const [{ n: after } = { n: 0 }] = await sql<{ n: number }>(
    database,
    `select count(*)::int as n from card_versions where id = $1`,
    [card.id],
  );
  t.equal(after, before);
  const merge = await api.send('PATCH', `/cards/${card.id}`, '{"description":null}', {
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  t.equal(merge.body['description'], null);
});

await t.test('conditional requests: ETag, 304, 412 with the changed fields', async (t) => {
  const card = await make();
  t.equal((await api.get(`/cards/${card.id}`, { headers: { 'if-none-match': '"1"' } })).status, 304);
  await api.patch(`/cards/${card.id}`, { attributes: { productName: 'x' } }, { headers: { 'if-match': '"1"' } });
  t.equal((await api.get(`/cards/${card.id}`, { headers: { 'if-none-match': '"1"' } })).status, 200);
  const stale = await api.patch(`/cards/${card.id}`, { description: 'y' }, { headers: { 'if-match': '"1"' } });
  t.match(stale, {
    status: 412,
    body: { code: 'precondition_failed', current_version: 2, changed_fields: ['attributes.productName'] },
  });
  t.equal((await api.del(`/cards/${card.id}`, { headers: { 'if-match': '"1"' } })).status, 412);
  t.equal((await api.post(`/cards/${card.id}/archive`, undefined, { headers: { 'if-match': '"1"' } })).status, 412);
  t.equal(
    (await api.patch(`/cards/${card.id}`, { description: 'z' }, { headers: { 'if-match': 'banana' } })).status,
    422,
  );
  t.equal((await api.patch(`/cards/${card.id}`, { description: 'z' }, { headers: { 'if-match': '*' } })).status, 200);
  t.equal((await api.del(`/cards/${card.id}`, { headers: { 'if-match': '"3"' } })).status, 204);
  t.equal((await api.get(`/cards/${card.id}`)).status, 404);
});

await t.test('the tree: paths, levels, moves, level limit', async (t) => {
  const tree = { type: 'BusinessCapability' };
  const a = await make({ ...tree, name: 'A' });
  const b = await make({ ...tree, name: 'B', parent_id: a.id });
  const c = await make({ ...tree, name: 'C', parent_id: b.id });
  t.match(c, { path: ['A', 'B'], level: 3 });
  const { headers } = await api.get(`/cards/${c.id}`);
  const known = { headers: { 'if-none-match': headers.get('etag')! } };
  t.equal((await api.get(`/cards/${c.id}`, known)).status, 304);
  await api.patch(`/cards/${a.id}`, { name: 'A2' });
  t.equal((await api.get(`/cards/${c.id}`, known)).status, 200, 'the path is part of the entity tag');
  t.strictSame((await api.get(`/cards/${c.id}`)).body['path'], ['A2', 'B'], 'a rename shows below');
  t.match((await api.patch(`/cards/${b.id}`, { parent_id: null })).body, { path: [], level: 1 });
  t.match(
    (await api.get(`/cards/${c.id}`)).body,
    { path: ['B'], level: 2, version: 1 },
    'descendants are moved without a new version',
  );
  for (const parent of [b.id, c.id])
    t.equal((await api.patch(`/cards/${b.id}`, { parent_id: parent })).status, 422, 'no cycle');
  t.equal((await api.get('/cards', { query: { root_id: b.id } })).body.total, 2);
  t.equal((await api.get('/cards', { query: { parent_id: b.id } })).body.total, 1);
  let deep = c;
  for (let level = 3; level <= 6; level++) deep = await make({ ...tree, parent_id: deep.id });
  t.equal((await api.post('/cards', { ...tree, name: fresh(), parent_id: deep.id })).status, 422, 'level 7 of 6');
  t.equal(
    (await api.patch(`/cards/${b.id}`, { parent_id: a.id })).status,
    422,
    'a move that pushes a descendant to level 7',
  );
  t.strictSame((await api.get(`/cards/${c.id}`)).body['path'], ['B'], 'nothing moved');
  t.match(await api.del(`/cards/${b.id}`), { status: 409, body: { code: 'children_present', child_count: 1 } });
});

await t.test(
  'names are unique among active siblings; archiving frees a name, and restoring is refused if it is used',
  async (t) => {
    const card = await make({ name: 'Größe' });
    t.match(await api.post('/cards', { type: 'Application', name: 'GRÖSSE' }), {
      status: 409,
      body: { code: 'name_taken' },
    });
    t.match((await api.post(`/cards/${card.id}/archive`)).body, { status: 'ARCHIVED', version: 2 });
    t.equal((await api.get('/cards', { query: { ids: card.id } })).body.total, 0);
    t.equal((await api.get('/cards', { query: { ids: card.id, status: 'ACTIVE,ARCHIVED' } })).body.total, 1);
    t.equal((await api.patch(`/cards/${card.id}`, { description: 'x' })).status, 409);
    await make({ name: 'grösse' });
    t.match(await api.post(`/cards/${card.id}/restore`), { status: 409, body: { code: 'name_taken' } });
    t.match(await api.post('/cards', { type: 'Application', name: fresh(), external_id: 'E-1' }), { status: 201 });
    t.match(await api.post('/cards', { type: 'Application', name: fresh(), external_id: 'E-1' }), {
      status: 409,
      body: { code: 'external_id_taken' },
    });
  },
);

await t.test('data quality counts filled fields; 0 and false are values', async (t) => {
  const empty = await make({ type: 'TechCategory' });
  t.equal(empty['data_quality'], 0);
  t.equal(
    (await api.patch(`/cards/${empty.id}`, { description: 'x' })).body['data_quality'],
    25,
    'description of description, lifecycle and two roles',
  );
  const holder = await api.post(`/cards/${empty.id}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' });
  t.equal(holder.status, 201);
  t.match((await api.get(`/cards/${empty.id}`)).body, {
    data_quality: 50,
    version: 2,
    stakeholders: [{ user_id: viewer.user.id, role: 'responsible' }],
  });
  t.equal(
    (await api.post(`/cards/${empty.id}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' })).status,
    409,
  );
  t.equal((await api.post(`/cards/${empty.id}/stakeholders`, { user_id: viewer.user.id, role: 'nope' })).status, 422);
  const at = `/cards/${empty.id}/stakeholders/${holder.body.id}`;
  t.equal(holder.headers.get('location'), `/api/v1${at}`);
  t.strictSame((await api.get(at)).body, holder.body);
  t.equal((await api.get(`/cards/${holder.body.id}/stakeholders/${holder.body.id}`)).status, 404);
  t.equal((await api.del(at)).status, 204);
  t.equal((await api.get(at)).status, 404);
  t.match(
    (await api.get(`/cards/${empty.id}/history`)).body['items'],
    [
      {
        changes: [
          {
            field: 'stakeholders.responsible',
            old: { user_id: viewer.user.id, display_name: viewer.user.display_name },
            new: null,
          },
        ],
      },
    ],
    'with the name as in the request',
  );
  t.equal((await api.get(`/cards/${empty.id}`)).body['data_quality'], 25);
  const zero = await make({ type: 'DataObject', attributes: { isPersonalData: false } });
  const none = await make({ type: 'DataObject' });
  t.equal(Number(zero['data_quality']) > Number(none['data_quality']), true);
});

await t.test('a stakeholder edits their card and no other', async (t) => {
  const [mine, other] = [await make(), await make()];
  t.equal((await viewer.api.patch(`/cards/${mine.id}`, { description: 'x' })).status, 403);
  await api.post(`/cards/${mine.id}/stakeholders`, { user_id: viewer.user.id, role: 'business_owner' });
  t.equal((await viewer.api.patch(`/cards/${mine.id}`, { description: 'x' })).status, 200);
  t.match(await viewer.api.patch(`/cards/${other.id}`, { description: 'x' }), {
    status: 403,
    body: { required_permission: 'cards.edit', or_card_permission: 'card.edit' },
  });
  t.equal((await viewer.api.post(`/cards/${mine.id}/archive`)).status, 403, 'the role does not grant card.archive');
  t.equal((await viewer.api.post('/cards', { type: 'Application', name: fresh() })).status, 403);
  t.equal((await member.api.post('/cards', { type: 'Application', name: fresh() })).status, 201);
  t.equal((await member.api.del(`/cards/${mine.id}`)).status, 403);
  t.equal((await client(origin).get(`/cards/${mine.id}`)).status, 401);
  t.equal((await viewer.api.get('/cards', { query: { stakeholder_id: 'me' } })).body.total, 1);
});

await t.test('costs are shown only to callers with the permission', async (t) => {
  const card = await make({ name: fresh('Cost'), attributes: { costTotalAnnual: 4711, productName: 'p' } });
  const seen = async (c: typeof api) => [
    (await c.get<{ attributes: object }>(`/cards/${card.id}`)).body.attributes,
    (await c.get('/cards', { query: { ids: card.id } })).body.items[0]?.['attributes'],
  ];
  t.strictSame(await seen(api), [
    { costTotalAnnual: 4711, productName: 'p' },
    { costTotalAnnual: 4711, productName: 'p' },
  ]);
  t.strictSame(await seen(viewer.api), [{ productName: 'p' }, { productName: 'p' }]);
  t.match(
    (await viewer.api.get(`/cards/${card.id}`)).headers.get('etag'),
    /^"1\.[\w-]+"$/,
    'a view without costs has another entity tag',
  );
  t.notMatch((await viewer.api.get<string>('/cards/export')).body, /\b4711\b/);
  await api.post(`/cards/${card.id}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' });
  t.match(await seen(viewer.api), [{ costTotalAnnual: 4711 }, { costTotalAnnual: 4711 }]);
});

await t.test('lists: pages, cursors and links agree', async (t) => {
  await api.post('/cards/bulk', {
    operations: Array.from({ length: 23 }, (_, i) => ({
      op: 'create',
      card: {
        type: 'Objective',
        name: `Goal ${String(i).padStart(2, '0')}`,
        ...(i % 3 ? { subtype: 'tactical' } : {}),
      },
    })),
  });
  for (const [sort_by, sort_dir] of [
    ['name', 'asc'],
    ['updated_at', 'desc'],
    ['subtype', 'asc'],
    ['subtype', 'desc'],
    ['data_quality', 'desc'],
    ['status', 'asc'],
  ] as const) {
    const query = { type: 'Objective', sort_by, sort_dir, page_size: 5 };
    const byPage: string[] = [];
    for (let page = 1; page <= 5; page++) {
      const { body } = await api.get('/cards', { query: { ...query, page } });
      t.match(body, { total: 23, page, page_size: 5, total_relation: 'eq' });
      byPage.push(...body.items.map((c) => c.id));
    }
    const byCursor: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: { body: AnyBody } = await api.get('/cards', { query: { ...query, ...(cursor && { cursor }) } });
      byCursor.push(...body.items.map((c) => c.id));
      cursor = body.next_cursor;
    }
    t.equal(new Set(byPage).size, 23, `${sort_by} ${sort_dir}`);
    t.strictSame(byCursor, byPage, `${sort_by} ${sort_dir}`);
  }
  const { headers } = await api.get('/cards', { query: { type: 'Objective', page_size: 5, page: 2 } });
  t.match(headers.get('link'), /rel="first".*page=1.*rel="prev".*page=3.*rel="next".*page=5.*rel="last"/);
  t.strictSame((await api.get('/cards', { query: { type: 'Objective', page: 9 } })).body.items, []);
  const { body: first } = await api.get('/cards', { query: { type: 'Objective', page_size: 5 } });
  for (const cursor of [
    'garbage',
    `${first.next_cursor!.slice(3)}`,
    Buffer.from('{"v":"x","i":"y","p":2,"h":"z"}').toString('base64url'),
  ])
    t.match(await api.get('/cards', { query: { type: 'Objective', cursor } }), {
      status: 422,
      body: { code: 'invalid_cursor' },
    });
  t.equal(
    (await api.get('/cards', { query: { type: 'Application', page_size: 5, cursor: first.next_cursor! } })).status,
    422,
    'a cursor of another query',
  );
});

await t.test('search finds every word, without case and accents, as prefix or part', async (t) => {
  const types = { type: 'Interface' };
  await make({ ...types, name: 'Größenänderung Dienst' });
  await make({ ...types, name: 'Платёжный шлюз', description: 'карты и переводы' });
  await make({ ...types, name: '支払いゲートウェイ' });
  await make({ ...types, name: 'İstanbul Café', external_id: 'IST-77' });
  const found = async (search: string) => names((await api.get('/cards', { query: { ...types, search } })).body);
  t.strictSame(await found('GROSSEN'), ['Größenänderung Dienst']);
  t.strictSame(await found('anderung'), ['Größenänderung Dienst'], 'a part of a name');
  t.strictSame(await found('dienst größ'), ['Größenänderung Dienst'], 'words in any order');
  t.strictSame(await found('платежный'), ['Платёжный шлюз'], 'accents folded');
  t.strictSame(await found('перев'), ['Платёжный шлюз'], 'a prefix in the description');
  t.strictSame(await found('ゲートウェイ'), ['支払いゲートウェイ']);
  t.strictSame(await found('istanbul cafe'), ['İstanbul Café']);
  t.strictSame(await found('ist 77'), ['İstanbul Café'], 'the external id');
  t.strictSame(await found('zzz dienst'), []);
  for (const odd of ['%', '_', "'", '\\', ':*', '& | !', '((((', '🚀', '<->', "x'; drop table cards; --"])
    t.equal((await api.get('/cards', { query: { search: odd } })).status, 200, odd);
  t.equal((await api.get('/cards', { query: { search: 'x'.repeat(201) } })).status, 422);
});

await t.test('bulk: refs, upserts, both modes, dry run', async (t) => {
  const op = (o: string, card: object, more: object = {}) => ({
    op: o,
    card: { type: 'BusinessProcess', ...card },
    ...more,
  });
  const made = await api.post<{ change_id: string; summary: object; results: AnyBody[] }>('/cards/bulk', {
    operations: [
      op('upsert', { name: 'P', external_id: 'P' }, { ref: 'p' }),
      op('upsert', { name: 'C', external_id: 'C', parent: { ref: 'p' } }),
      op('create', { name: 'D', parent: { type: 'BusinessProcess', external_id: 'C' } }),
    ],
  });
  t.equal(made.status, 200, JSON.stringify(made.body));
  t.strictSame(made.body.summary, { created: 3 });
  t.strictSame((await api.get(`/cards/${made.body.results[2]!.id}`)).body['path'], ['P', 'C']);
  const again = await api.post<{ summary: object }>('/cards/bulk', {
    operations: [
      op('upsert', { name: 'P', external_id: 'P' }, { ref: 'p' }),
      op('upsert', { name: 'C', external_id: 'C', parent: { ref: 'p' } }),
    ],
  });
  t.strictSame(again.body.summary, { unchanged: 2 });

  const bad = [
    op('create', { name: 'Good' }),
    op('create', { name: '' }),
    op('update', {}, { id: NOWHERE }),
    op('create', { name: 'good' }),
    op('create', { name: 'P' }),
  ];
  const all = await api.post('/cards/bulk', { operations: bad });
  t.equal(all.status, 422);
  t.equal(
    all.body.errors.some((e) => e.field === '/operations/1/card/name'),
    true,
  );
  t.equal((await api.get('/cards', { query: { search: 'good' } })).body.total, 0);
  const dry = await api.post<{ summary: object }>(
    '/cards/bulk',
    { mode: 'per_row', operations: bad },
    { query: { dry_run: true } },
  );
  t.strictSame(dry.body.summary, { created: 1, failed: 4 });
  t.equal((await api.get('/cards', { query: { search: 'good' } })).body.total, 0);
  const rows = await api.post<{ results: { outcome: string }[] }>('/cards/bulk', { mode: 'per_row', operations: bad });
  t.strictSame(
    rows.body.results.map((r) => r.outcome),
    ['created', 'failed', 'failed', 'failed', 'failed'],
  );
  t.equal((await api.get('/cards', { query: { search: 'good' } })).body.total, 1);

  t.equal((await api.post('/cards/bulk', { operations: [{ op: 'explode' }] })).status, 422);
  t.equal((await api.post('/cards/bulk', { operations: [] })).status, 422);
  t.equal((await api.post('/cards/bulk', { mode: 'sometimes', operations: bad })).status, 422);
  t.equal((await viewer.api.post('/cards/bulk', { operations: bad })).status, 403);
  const stale = await api.post<{ results: { outcome: string }[] }>('/cards/bulk', {
    mode: 'per_row',
    operations: [
      { op: 'update', id: made.body.results[0]!.id, version: 9, card: { description: 'x' } },
      { op: 'delete', id: made.body.results[2]!.id },
    ],
  });
  t.strictSame(
    stale.body.results.map((r) => r.outcome),
    ['failed', 'deleted'],
  );
});

await t.test('bulk per_row: a name that is used concurrently fails only that row', async (t) => {
  // The uncommitted row of another transaction is only detected by the constraint.
  const rival = new pg.Client(database);
  await rival.connect();
  await rival.query('begin');
  await rival.query(
    `with c as (insert into cards (id, type, name, name_key, search_name, search_text, created_at)
      values (gen_random_uuid(), 'Platform', 'Rival', 'rival', 'rival', 'rival', now()) returning *)
    insert into card_contents (id, type, status, name_key, updated_at, version) select id, type, status, name_key, created_at, 1 from c`,
  );
  const pending = api.post<{ results: { outcome: string }[] }>('/cards/bulk', {
    mode: 'per_row',
    operations: ['One', 'Rival', 'Three'].map((name) => ({ op: 'create', card: { type: 'Platform', name } })),
  });
  await until(
    async () =>
      (await sql(database, 'select 1 from pg_locks where not granted and locktype = $1', ['transactionid'])).length > 0,
  );
  await rival.query('commit');
  await rival.end();
  t.strictSame(
    (await pending).body.results.map((r) => r.outcome),
    ['created', 'failed', 'created'],
  );
});

await t.test('every change has a version, a change row and an event', async (t) => {
  const card = await make({ name: 'Traced' });
  await api.patch(`/cards/${card.id}`, { description: 'x' });
  await api.post(`/cards/${card.id}/archive`);
  const versions = await sql<{ version: number; change_id: string; changes: unknown }>(
    database,
    `select version, change_id, changes from card_versions where id = $1 order by version`,
    [card.id],
  );
  t.strictSame(
    versions.map((v) => v.changes),
    [null, [{ field: 'description', old: null, new: 'x' }], [{ field: 'status', old: 'ACTIVE', new: 'ARCHIVED' }]],
  );
  const changes = await sql<{ n: number }>(database, 'select count(*)::int as n from changes where id = any($1)', [
    versions.map((v) => v.change_id),
  ]);
  t.equal(changes[0]?.n, 3);
  const events = await sql<{ type: string; version: number }>(
    database,
    `select type, (data->>'version')::int as version from
    (select type, data, subject_id, position as at from events union all select type, data, subject_id, id + 1000000 from event_outbox) e where subject_id = $1 order by at`,
    [card.id],
  );
  t.strictSame(events, [
    { type: 'card.created', version: 1 },
    { type: 'card.updated', version: 2 },
    { type: 'card.archived', version: 3 },
  ]);
});

await t.test('export: one line per card, in the form of the list', async (t) => {
  const { headers, body } = await api.get<string>('/cards/export', { query: { type: 'Objective' } });
  t.match(headers.get('content-type'), /ndjson/);
  const lines = body
    .trim()
    .split('\n')
    .map((l) => JSON.parse(l) as AnyBody);
  t.equal(lines.length, 23);
  const { body: one } = await api.get(`/cards/${lines[0]!.id}`);
  t.strictSame(lines[0], one);
  t.equal((await api.get('/cards/export', { query: { format: 'exe' } })).status, 422);
});

await t.test('archived cards past their retention are purged with their events', async (t) => {
  const { app } = await testApp({ database });
  const old = await make({ name: 'Old' });
  await api.post(`/cards/${old.id}/archive`);
  await sql(database, `update cards set archived_at = now() - interval '31 days' where id = $1`, [old.id]);
  const { systemContext } = await import('../../core/foundation/context.js');
  t.equal(await app.services.cardMaintenance.purgeArchived(systemContext('job'), 0), 0, '0 keeps them for ever');
  t.equal(await app.services.cardMaintenance.purgeArchived(systemContext('job'), 30), 1);
  t.equal((await api.get(`/cards/${old.id}`)).status, 404);
  await app.close();
});
