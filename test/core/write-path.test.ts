import pg from 'pg';
import t from 'tap';
import { lockWaiters, makeUser, registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';

const POOL = 4;
const { origin, database, close } = await testApp({ config: { databasePoolMax: POOL } });
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
const { api } = admin;
// A role that may edit and relate, and does not see costs.
await sql(
  database,
  `insert into roles (key, label, permissions) values ('clerk', 'Clerk', '["cards.view", "cards.edit", "relations.view", "relations.manage"]')`,
);
await sql(database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
const clerk = await until(() => makeUser(admin, 'clerk').catch(() => undefined));

type Tap = Pick<typeof t, 'strictSame'>;
type Mode = 'all_or_nothing' | 'per_row';
interface Bulk {
  change_id: string;
  results: { index: number; outcome: string; id?: string; version?: number; errors?: { field: string }[] }[];
}
const MODES: Mode[] = ['all_or_nothing', 'per_row'];
let n = 0;
const fresh = (prefix = 'W') => `${prefix} ${++n}`;
const make = async (more: object = {}): Promise<AnyBody> => {
  const answer = await api.post('/cards', { type: 'Application', name: fresh(), ...more });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const get = async (id: string) => (await api.get(`/cards/${id}`)).body;
const bulk = (mode: Mode, operations: object[], options = {}) =>
  api.post<Bulk>('/cards/bulk', { mode, operations }, options);
const outcomes = ({ body }: { body: Bulk }) => body.results.map((r) => r.outcome);
const create = (card: object, more: object = {}) => ({
  op: 'create',
  card: { type: 'Application', name: fresh(), ...card },
  ...more,
});
const update = (id: string, card: object) => ({ op: 'update', id, card });

/** Runs `work` in a transaction that is committed when the request of `contest` waits for its lock. */
async function contend<T>(work: (rival: pg.Client) => Promise<unknown>, contest: () => Promise<T>): Promise<T> {
  const rival = new pg.Client(database);
  await rival.connect();
  await rival.query('begin');
  await work(rival);
  const pending = contest();
  await until(async () => (await lockWaiters(database)) > 0);
  await rival.query('commit');
  await rival.end();
  return pending;
}

/** Checks the invariants of stored data; each query returns the rows that violate one. */
async function checkInvariants(t: Tap): Promise<void> {
  const broken = async (what: string, text: string) => t.strictSame(await sql(database, text), [], what);
  await broken(
    'paths',
    `with recursive tree as (select id, '{}'::uuid[] as path from cards where parent_id is null
    union all select c.id, t.path || t.id from tree t join cards c on c.parent_id = t.id)
    select c.id from cards c left join tree t using (id) where t.path is distinct from c.path_ids`,
  );
  await broken(
    'active below archived',
    `select c.id from cards c join cards p on p.id = c.parent_id where c.status = 'ACTIVE' and p.status <> 'ACTIVE'`,
  );
  await broken(
    'counts',
    `select * from (select type, status, approval_status, sum(n) as n from card_counts group by 1, 2, 3) a
    full join (select type, status, approval_status, count(*) as m from cards group by 1, 2, 3) b using (type, status, approval_status) where coalesce(n, 0) <> coalesce(m, 0)`,
  );
  await broken(
    'versions are consecutive',
    `select id from (select id, version, at, lag(version) over w as last, lag(at) over w as before from card_versions window w as (partition by id order by version)) v
    where version <> coalesce(last, 0) + 1 or before >= at`,
  );
  await broken(
    'the latest version is that of the card, or of its deletion',
    `select id from (select id, max(version) as version from card_versions group by id) v
      full join (select id, version from card_contents union all select id, version from card_deletions) c using (id) where v.version is distinct from c.version`,
  );
  await broken(
    'one event a version',
    `with e as (select subject_id, (data->>'version')::int as version from (select type, subject_id, data from events union all select type, subject_id, data from event_outbox) all_events
      where type in ('card.created', 'card.updated', 'card.archived', 'card.restored'))
    select * from (select subject_id, version, count(*) as n from e group by 1, 2) e full join card_versions v on v.id::text = e.subject_id and v.version = e.version where n is distinct from 1`,
  );
  await broken(
    'names that are stored twice',
    `select id from cards c full join card_contents v using (id) where c.name_key is distinct from v.name_key`,
  );
  await broken('no references to deleted rows', `select id from cards where name_key like chr(1) || '%'`);
}

await t.test('unique values can be exchanged within a bulk request', async (t) => {
  for (const mode of MODES) {
    const [a, b] = [await make({ external_id: fresh('e') }), await make({ external_id: fresh('e') })];
    t.strictSame(
      outcomes(
        await bulk(mode, [
          update(a.id, { name: b.name, external_id: b['external_id'] }),
          update(b.id, { name: a.name, external_id: a['external_id'] }),
        ]),
      ),
      ['updated', 'updated'],
      `${mode}: a swap`,
    );
    t.match(await get(a.id), { name: b.name, external_id: b['external_id'], version: 2 });
    t.strictSame(
      outcomes(await bulk(mode, [{ op: 'delete', id: a.id }, create({ name: b.name, external_id: b['external_id'] })])),
      ['deleted', 'created'],
      `${mode}: of a deleted card`,
    );
    t.strictSame(
      outcomes(await bulk(mode, [{ op: 'archive', id: b.id }, create({ name: a.name })])),
      ['archived', 'created'],
      `${mode}: of an archived card`,
    );
    const c = await make();
    t.strictSame(
      outcomes(await bulk(mode, [create({ name: c.name }), update(c.id, { name: fresh() })])),
      ['created', 'updated'],
      `${mode}: of a renamed card`,
    );
  }
  await checkInvariants(t);
});

await t.test('an external id refers to the card that has it at this operation', async (t) => {
  for (const mode of MODES) {
    const card = await make({ external_id: fresh('e') });
    const [old, next] = [card['external_id'], fresh('e')];
    const upsert = (external_id: unknown) => ({
      op: 'upsert',
      card: { type: 'Application', external_id, name: fresh() },
    });
    const answer = await bulk(mode, [update(card.id, { external_id: next }), upsert(old), upsert(next)]);
    t.strictSame(outcomes(answer), ['updated', 'created', 'updated'], mode);
    t.equal(answer.body.results[2]!.id, card.id);
    const taken = await bulk(mode, [create({}), create({ external_id: next })], { query: { dry_run: true } });
    t.strictSame(outcomes(taken), ['created', 'failed'], `${mode}: a taken one fails its row`);
    t.equal(taken.body.results[1]!.errors![0]!.field, '/operations/1/card/external_id');
  }
});

await t.test('a row that fails late also fails rows that depend on it, and no others', async (t) => {
  const [card, rival] = [await make(), await make()];
  const twice = await bulk('per_row', [
    update(card.id, { description: 'kept' }),
    update(card.id, { name: rival.name }),
    create({ name: rival.name }),
  ]);
  t.strictSame(outcomes(twice), ['updated', 'failed', 'failed']);
  t.equal(twice.body.results[2]!.id, undefined, 'no id of a card that is not there');
  t.match(await get(card.id), { description: 'kept', name: card.name });
  const [home, mover, follower] = [await make(), await make(), await make()];
  await make({ name: mover.name, parent_id: home.id });
  t.strictSame(
    outcomes(
      await bulk('per_row', [update(mover.id, { parent_id: home.id }), update(follower.id, { parent_id: mover.id })]),
    ),
    ['failed', 'updated'],
  );
  t.strictSame((await get(follower.id))['path'], [mover.name], 'the path is that of the card that stayed');
  t.strictSame(
    outcomes(await bulk('per_row', [create({ name: rival.name }, { ref: 'r' }), create({ parent: { ref: 'r' } })])),
    ['failed', 'failed'],
  );
  const lone = await bulk('all_or_nothing', [create({ name: rival.name })], { query: { dry_run: true } });
  t.strictSame([lone.status, ...outcomes(lone)], [200, 'failed'], 'a dry run of one operation has its result');
  await checkInvariants(t);
});

await t.test('children are counted as they are after the bulk request', async (t) => {
  for (const mode of MODES) {
    const parent = await make();
    const child = await make({ parent_id: parent.id });
    t.strictSame(outcomes(await bulk(mode, [update(child.id, { parent_id: null }), { op: 'delete', id: parent.id }])), [
      'updated',
      'deleted',
    ]);
  }
  const parent = await make();
  t.strictSame(outcomes(await bulk('per_row', [create({ parent_id: parent.id }), { op: 'archive', id: parent.id }])), [
    'created',
    'failed',
  ]);
  const [top, below] = [await make(), await make()];
  await api.patch(`/cards/${below.id}`, { parent_id: top.id });
  await api.post(`/cards/${below.id}/archive`);
  await api.post(`/cards/${top.id}/archive`);
  t.match(
    await api.post(`/cards/${below.id}/restore`),
    { status: 409, body: { code: 'invalid_state' } },
    'not below an archived card',
  );
  t.strictSame(
    outcomes(
      await bulk('all_or_nothing', [
        { op: 'restore', id: top.id },
        { op: 'restore', id: below.id },
      ]),
    ),
    ['restored', 'restored'],
  );
  await checkInvariants(t);
});

await t.test('paths are correct for moves in any order', async (t) => {
  const [a, b, c] = [await make(), await make(), await make()];
  await api.patch(`/cards/${b.id}`, { parent_id: a.id });
  const answer = await bulk('all_or_nothing', [
    create({ parent_id: b.id }, { ref: 'leaf' }),
    update(a.id, { parent_id: c.id }),
    update(b.id, { parent_id: null }),
    update(c.id, { parent_id: b.id }),
    create({ parent: { ref: 'leaf' } }),
  ]);
  t.equal(answer.status, 200);
  t.strictSame((await get(a.id))['path'], [b.name, c.name]);
  t.strictSame((await get(answer.body.results[4]!.id!))['level'], 3);
  await checkInvariants(t);
  const chain = Array.from({ length: 102 }, (_, i) =>
    create(i ? { parent: { ref: `c${i - 1}` } } : {}, { ref: `c${i}` }),
  );
  t.strictSame(
    outcomes(await bulk('per_row', chain)).filter((o) => o === 'failed').length,
    2,
    'no tree has more than 100 levels',
  );
});

await t.test('a card created below one that is being moved gets the path after the move', async (t) => {
  const [home, top] = [await make(), await make()];
  const middle = await make({ parent_id: top.id });
  const moved = await contend(
    async (rival) => {
      await rival.query('select 1 from cards where id = $1 for share', [middle.id]);
      await rival.query(
        `with c as (insert into cards (id, type, name, name_key, parent_id, path_ids, search_name, search_text, created_at)
        values (gen_random_uuid(), 'Application', 'late', 'late', $1, array[$2, $1]::uuid[], '', '', now()) returning *),
      k as (insert into card_contents (id, type, status, name_key, updated_at, version) select id, type, status, name_key, created_at, 1 from c),
      v as (insert into card_versions (id, version, at, change_id, metamodel_revision) select id, 1, created_at, id, 1 from c), e as (insert into event_outbox (type, occurred_at, origin, subject_kind, subject_id, data) select 'card.created', now(), 'test', 'card', id, '{"version": 1}' from c)
      insert into card_counts (type, status, approval_status, n) values ('Application', 'ACTIVE', 'DRAFT', 1)`,
        [middle.id, top.id],
      );
    },
    () => api.patch(`/cards/${top.id}`, { parent_id: home.id }),
  );
  t.equal(moved.status, 200);
  await checkInvariants(t);
});

await t.test('deleting a card also removes a relation that is created concurrently', async (t) => {
  const [a, b] = [await make(), await make()];
  const gone = await contend(
    (rival) =>
      rival.query(
        `insert into relations (id, type, source_id, target_id, source_type, target_type, rule_source, rule_target, one_source, one_target, allow_self, created_at, updated_at, version)
    values (gen_random_uuid(), 'related', $1, $2, 'Application', 'Application', '*', '*', false, false, false, now(), now(), 1)`,
        [a.id, b.id],
      ),
    () => api.del(`/cards/${a.id}`),
  );
  t.equal(gone.status, 204, JSON.stringify(gone.body));
});

await t.test('a score includes a stakeholder added while the edit waits', async (t) => {
  const card = await make({ type: 'TechCategory' });
  const edited = await contend(
    async (rival) => {
      await rival.query('update card_contents set data_quality = 25 where id = $1', [card.id]);
      await rival.query(
        `insert into card_stakeholders (id, card_id, user_id, role) values (gen_random_uuid(), $1, $2, 'responsible')`,
        [card.id, viewer.user.id],
      );
    },
    () => api.patch(`/cards/${card.id}`, { description: 'x' }),
  );
  t.match(edited, { status: 200, body: { data_quality: 50 } });
});

await t.test('more stakeholders than connections edit concurrently', async (t) => {
  const cards = await Promise.all(Array.from({ length: POOL * 4 }, () => make()));
  for (const { id } of cards)
    await api.post(`/cards/${id}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' });
  const edits = await Promise.all(cards.map(({ id }) => viewer.api.patch(`/cards/${id}`, { description: 'mine' })));
  t.strictSame([...new Set(edits.map((e) => e.status))], [200]);
  const relate = await Promise.all(
    cards
      .slice(1)
      .map(({ id }) => viewer.api.post('/relations', { type: 'related', source_id: cards[0]!.id, target_id: id })),
  );
  t.strictSame([...new Set(relate.map((e) => e.status))], [201]);
});

await t.test('a retried bulk request returns the id of its change', async (t) => {
  for (const [path, operations] of [
    ['/cards/bulk', [create({})]],
    [
      '/relations/bulk',
      [{ op: 'create', type: 'related', source_id: (await make()).id, target_id: (await make()).id }],
    ],
  ] as const) {
    const send = () => api.post<Bulk>(path, { operations }, { headers: { 'idempotency-key': `bulk${path}` } });
    const [first, again] = [await send(), await send()];
    t.equal(again.headers.get('idempotent-replayed'), 'true');
    t.strictSame(again.body, first.body);
  }
});

await t.test('a 412 contains no cost for callers who may not see costs', async (t) => {
  const card = await make();
  await api.patch(`/cards/${card.id}`, { description: 'x', attributes: { costTotalAnnual: 5 } });
  const stale = { headers: { 'if-match': '"1"' } };
  t.strictSame((await clerk.api.patch(`/cards/${card.id}`, { alias: 'y' }, stale)).body['changed_fields'], [
    'description',
  ]);
  t.strictSame((await api.patch(`/cards/${card.id}`, { alias: 'y' }, stale)).body['changed_fields'], [
    'description',
    'attributes.costTotalAnnual',
  ]);
  const { body: relation } = await api.post('/relations', {
    type: 'applicationToITComponent',
    source_id: card.id,
    target_id: (await make({ type: 'ITComponent' })).id,
  });
  await api.patch(`/relations/${relation.id}`, { description: 'x', attributes: { costTotalAnnual: 5 } });
  t.strictSame(
    (await clerk.api.patch(`/relations/${relation.id}`, { description: 'y' }, stale)).body['changed_fields'],
    ['description'],
  );
  t.strictSame((await api.patch(`/relations/${relation.id}`, { description: 'y' }, stale)).body['changed_fields'], [
    'description',
    'attributes.costTotalAnnual',
  ]);
});

await t.test(
  'relations in a bulk request: deleted ones do not count, created ones exist, immutable members are refused',
  async (t) => {
    const [a, b, c] = [await make(), await make(), await make()];
    const pair = { type: 'related', source_id: a.id, target_id: b.id };
    const send = (mode: Mode, operations: object[]) => api.post<Bulk>('/relations/bulk', { mode, operations });
    for (const mode of MODES) {
      const made = await send(mode, [
        { op: 'upsert', ...pair, description: '1' },
        { op: 'upsert', ...pair, description: '2' },
      ]);
      t.strictSame(outcomes(made), ['created', 'updated'], mode);
      const { id } = made.body.results[0]!;
      t.match((await api.get(`/relations/${id!}`)).body, { description: '2', version: 1 });
      const again = await send(mode, [
        { op: 'update', id, description: '3' },
        { op: 'delete', id },
        { op: 'create', ...pair },
      ]);
      t.strictSame(outcomes(again), ['updated', 'deleted', 'created'], mode);
      const next = again.body.results[2]!.id;
      for (const wrong of [{ type: 'applicationSuccessor' }, { target_id: c.id }])
        t.strictSame(outcomes(await send('per_row', [{ op: 'update', id: next, ...wrong }])), ['failed']);
      t.equal((await api.del(`/relations/${next!}`)).status, 204);
    }
  },
);

await t.test('values that PostgreSQL cannot store are a 422, never a 5xx', async (t) => {
  const [a, b] = [await make(), await make()];
  const squares = Array.from({ length: 500 }, (_, i) =>
    String.fromCodePoint(0x3300 + ((i * i * 31 + i * 7) % 88)),
  ).join('');
  const statuses = [
    await api.post('/cards', { type: 'Application', name: squares }),
    await api.post('/cards', { type: 'Application', name: fresh(), parent_id: `urn:uuid:${a.id}` }),
    await api.get('/cards', { query: { search: '㌖'.repeat(200) } }),
    await api.get('/cards', { query: { updated_since: '0000-01-01T00:00:00Z' } }),
    await api.get('/cards', { query: { updated_since: '2020-01-01T00:00:00+23:00' } }),
    await api.post('/relations', { type: 'related', source_id: a.id, target_id: b.id, valid_from: '0000-01-01' }),
  ].map((r) => r.status);
  t.strictSame([...new Set(statuses)], [422], statuses.join(' '));
  t.equal((await api.get(`/cards/urn:uuid:${a.id}`)).status, 404);
  for (const [sort_by, value] of [
    ['name', 'x'],
    ['updated_at', 'x'],
    ['updated_at', '2026-02-01 25:00:00+00'],
    ['data_quality', 'x'],
  ] as const) {
    const { body } = await api.get('/cards', { query: { page_size: 1, sort_by } });
    const sound = JSON.parse(Buffer.from(body.next_cursor!, 'base64url').toString()) as { i: string; v: string };
    for (const forged of [
      { ...sound, i: 'x' },
      { ...sound, i: `urn:uuid:${a.id}` },
      ...(sort_by === 'name' ? [] : [{ ...sound, v: value }]),
    ]) {
      const cursor = Buffer.from(JSON.stringify(forged)).toString('base64url');
      t.match(
        await api.get('/cards', { query: { page_size: 1, sort_by, cursor } }),
        { status: 422, body: { code: 'invalid_cursor' } },
        `${sort_by} ${JSON.stringify(forged)}`,
      );
    }
  }
});

await t.test('ids are not case-sensitive, and a long list of ids is accepted', async (t) => {
  const [card, child] = [await make(), await make()];
  const upper = card.id.toUpperCase();
  t.equal((await api.patch(`/cards/${upper}`, { description: 'x' })).status, 200);
  t.strictSame(
    outcomes(await bulk('per_row', [update(upper, { alias: 'x' }), update(child.id, { parent_id: upper })])),
    ['updated', 'updated'],
  );
  t.equal(
    (await api.post('/relations', { type: 'related', source_id: upper, target_id: child.id.toUpperCase() })).status,
    201,
  );
  const many = await api.get('/cards', { query: { ids: Array<string>(200).fill(card.id).join(',') } });
  t.equal(many.body.total, 1);
  t.equal((many.headers.get('link') ?? '').length < 16_384, true, 'headers that clients read');
  await checkInvariants(t);
});

await t.test('a blank external id is no key for upserts', async (t) => {
  const { body } = await bulk(
    'per_row',
    ['', '   ', null].map((external_id) => ({
      op: 'upsert',
      card: { type: 'Application', name: fresh(), external_id },
    })),
  );
  t.strictSame(
    body.results.map((r) => [r.outcome, r.errors?.[0]?.field]),
    [0, 1, 2].map((i) => ['failed', `/operations/${i}/card/external_id`]),
  );
});

await t.test('after a deadlock the bulk request is repeated and no row fails', async (t) => {
  const [a, b] = [await make(), await make()].sort((x, y) => (x.id < y.id ? -1 : 1)) as [AnyBody, AnyBody];
  // The request locks in the order of ids: it holds the first card and waits for the second, whose holder then locks the first.
  const rival = new pg.Client(database);
  await rival.connect();
  await rival.query('begin');
  // PostgreSQL ends the session that first checks for a deadlock, which therefore is the one of the request.
  await rival.query(`set deadlock_timeout = '5s'`);
  await rival.query('select from cards where id = $1 for update', [b.id]);
  const pending = bulk('per_row', [update(a.id, { description: 'batch' }), update(b.id, { description: 'batch' })]);
  await until(async () => (await lockWaiters(database)) > 0);
  const blocked = await rival.query('update cards set alias = $2 where id = $1', [a.id, 'rival']).then(
    () => false,
    () => true,
  );
  await rival.query(blocked ? 'rollback' : 'commit');
  await rival.end();
  const { status, body } = await pending;
  t.strictSame([status, body.results.map((r) => r.outcome)], [200, ['updated', 'updated']]);
  t.strictSame([(await get(a.id))['description'], (await get(b.id))['description']], ['batch', 'batch']);
  t.notOk(blocked, 'the batch was the one the database chose');
});
