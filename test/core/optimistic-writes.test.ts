/**
 * Single writes read without a lock and write if the row is still the one they read. Each test changes the row between
 * both steps: another transaction changes it, the request waits for that transaction, and finds the change.
 */
import pg from 'pg';
import t from 'tap';
import { lockWaiters, registerAdmin, sql, testApp, until, type Answer, type AnyBody } from '../support/app.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);

type Tap = Pick<typeof t, 'equal' | 'strictSame'>;
type Send = () => Promise<Answer<AnyBody>>;
let n = 0;
const make = async (more: object = {}): Promise<AnyBody> =>
  (await api.post('/cards', { type: 'TechCategory', name: `Card ${++n}`, ...more })).body;
const relate = async (source = '', target = ''): Promise<AnyBody> =>
  (
    await api.post('/relations', {
      type: 'related',
      source_id: source || (await make()).id,
      target_id: target || (await make()).id,
    })
  ).body;
const get = async (id: string) => (await api.get(`/cards/${id}`)).body;
const ifMatch = (version: number) => ({ headers: { 'if-match': `"${version}"` } });
const statuses = (answers: readonly Answer<AnyBody>[]) => answers.map((a) => a.status).sort((a, b) => a - b);

const patch =
  (id: string, body: object, options = {}): Send =>
  () =>
    api.patch(`/cards/${id}`, body, options);
const approval =
  (id: string, action: string, options = {}): Send =>
  () =>
    api.post(`/cards/${id}/approval`, { action }, options);
const act =
  (id: string, action: 'archive' | 'restore', options = {}): Send =>
  () =>
    api.post(`/cards/${id}/${action}`, {}, options);

/** Sends requests while another transaction holds its changes, and commits when all requests wait for it. */
async function contend(
  change: (rival: pg.Client) => Promise<unknown>,
  ...requests: Send[]
): Promise<Answer<AnyBody>[]> {
  const rival = new pg.Client(database);
  await rival.connect();
  try {
    await rival.query('begin');
    await change(rival);
    const pending = Promise.all(requests.map((send) => send()));
    await until(async () => (await lockWaiters(database)) >= requests.length);
    await rival.query('commit');
    return await pending;
  } finally {
    await rival.end();
  }
}
/** Sends requests that have all read the card before one of them writes it. */
const atOnce = (id: string, ...requests: Send[]) =>
  contend(
    (rival) => rival.query('select from cards c join card_contents v using (id) where c.id = $1 for update', [id]),
    ...requests,
  );

/** Archives a card by another transaction. */
const archive = (rival: pg.Client, id: string) =>
  rival.query(
    `with c as (update cards set status = 'ARCHIVED', archived_at = now() where id = $1)
      insert into card_counts (type, status, approval_status, n)
      values ('TechCategory', 'ACTIVE', 'DRAFT', -1), ('TechCategory', 'ARCHIVED', 'DRAFT', 1)`,
    [id],
  );

/** Checks that versions and events of a card or relation are consecutive and match, and that the totals are exact. */
async function checkHistory(t: Tap, kind: 'card' | 'relation', id: string, verbs: readonly string[]): Promise<void> {
  const versions = await sql<{ version: number }>(
    database,
    `select version from ${kind}_versions where id = $1 order by version`,
    [id],
  );
  const events = await until(async () => {
    const rows = await sql<{ type: string; version: number }>(
      database,
      `select type, (data ->> 'version')::int as version from events where subject_id = $1 order by position`,
      [id],
    );
    return rows.length >= verbs.length && rows;
  });
  const changes = events.filter((e) => e.type !== `${kind}.deleted`);
  t.strictSame(
    versions.map((v) => v.version),
    changes.map((_, i) => i + 1),
    'the versions are consecutive',
  );
  t.strictSame(
    changes.map((e) => e.version),
    versions.map((v) => v.version),
    'each version has one event, in their order',
  );
  t.strictSame(events.map((e) => e.type.slice(kind.length + 1)).sort(), [...verbs].sort());
  t.strictSame(
    await sql(
      database,
      `select * from (select type, status, approval_status, sum(n) as n from card_counts group by 1, 2, 3) a
        full join (select type, status, approval_status, count(*) as m from cards group by 1, 2, 3) b using (type, status, approval_status)
        where coalesce(n, 0) <> coalesce(m, 0)`,
    ),
    [],
    'counts',
  );
}

await t.test('a card whose ancestor moves while its description changes keeps its new path', async (t) => {
  const [home, top] = [await make(), await make()];
  const card = await make({ parent_id: top.id });
  const [answer] = await contend(
    async (rival) => {
      await rival.query('update cards set parent_id = $2, path_ids = array[$2]::uuid[] where id = $1', [
        top.id,
        home.id,
      ]);
      await rival.query('update cards set path_ids = array[$2, $3]::uuid[] where id = $1', [card.id, home.id, top.id]);
    },
    patch(card.id, { description: 'ours' }),
  );
  t.match(answer, { status: 200, body: { description: 'ours', path: [home.name, top.name], level: 3 } });
  t.match(await get(card.id), { path: [home.name, top.name], level: 3 });
});

await t.test('an approval and a change at once: neither is lost', async (t) => {
  const card = await make();
  const [changed, approved] = await atOnce(
    card.id,
    patch(card.id, { description: 'ours' }),
    approval(card.id, 'approve'),
  );
  t.strictSame(statuses([changed!, approved!]), [200, 200]);
  t.strictSame([changed!.body.version, approved!.body.version].sort(), [2, 3]);
  const last = approved!.body.version > changed!.body.version ? 'APPROVED' : 'BROKEN';
  t.match(await get(card.id), { description: 'ours', approval_status: last, version: 3 });
  await checkHistory(t, 'card', card.id, ['created', 'updated', 'approved']);
});

await t.test('two approvals at once: one succeeds', async (t) => {
  const card = await make();
  t.strictSame(statuses(await atOnce(card.id, approval(card.id, 'approve'), approval(card.id, 'approve'))), [200, 409]);
  await checkHistory(t, 'card', card.id, ['created', 'approved']);
  const both = await atOnce(card.id, approval(card.id, 'reject', ifMatch(2)), approval(card.id, 'reset', ifMatch(2)));
  t.strictSame(statuses(both), [200, 412]);
  t.match(both.find((a) => a.status === 412)!.body, { current_version: 3, changed_fields: ['approval_status'] });
});

await t.test('an approval finds that a required value was removed', async (t) => {
  const attributes = { businessCriticality: 'businessCritical', timeModel: 'invest' };
  const card = await make({ type: 'Application', attributes });
  const [refused] = await contend(
    (rival) =>
      rival.query(
        `update card_contents set attributes = attributes - 'timeModel', version = version + 1 where id = $1`,
        [card.id],
      ),
    approval(card.id, 'approve'),
  );
  t.match(refused, { status: 409, body: { code: 'approval_blocked' } });
  t.equal((await get(card.id)).approval_status, 'DRAFT');
});

await t.test('archived twice, restored twice, and archived while it changes', async (t) => {
  const card = await make();
  for (const action of ['archive', 'restore'] as const)
    t.strictSame(statuses(await atOnce(card.id, act(card.id, action), act(card.id, action))), [200, 409], action);
  await checkHistory(t, 'card', card.id, ['created', 'archived', 'restored']);
  const both = await atOnce(card.id, patch(card.id, { description: 'ours' }), act(card.id, 'archive'));
  // The change is refused if the card is archived before it.
  t.equal(both[1]!.status, 200);
  const isChanged = both[0]!.status === 200;
  t.equal(both[0]!.status, isChanged ? 200 : 409);
  t.match(await get(card.id), { status: 'ARCHIVED', description: isChanged ? 'ours' : null });
  await checkHistory(t, 'card', card.id, [
    'created',
    'archived',
    'restored',
    'archived',
    ...(isChanged ? ['updated'] : []),
  ]);
});

await t.test('a card is not archived when a child is created or restored below it', async (t) => {
  const [parent, parent2] = [await make(), await make()];
  const [created] = await contend(
    async (rival) => {
      await rival.query('select from cards where id = $1 for share', [parent.id]);
      await rival.query(
        `with c as (insert into cards (id, type, name, name_key, parent_id, path_ids, search_name, search_text, created_at)
        values (gen_random_uuid(), 'TechCategory', 'late', 'late', $1, array[$1]::uuid[], '', '', now()) returning *),
      v as (insert into card_contents (id, type, status, name_key, updated_at, version) select id, type, status, name_key, created_at, 1 from c)
      insert into card_counts (type, status, approval_status, n) values ('TechCategory', 'ACTIVE', 'DRAFT', 1)`,
        [parent.id],
      );
    },
    act(parent.id, 'archive'),
  );
  t.match(created, { status: 409, body: { code: 'children_present', child_count: 1 } });
  t.match(await get(parent.id), { status: 'ACTIVE', version: 1 });
  const child = await make({ parent_id: parent2.id });
  await act(child.id, 'archive')();
  const [restored] = await contend(
    async (rival) => {
      await rival.query('select from cards where id = $1 for share', [parent2.id]);
      await rival.query(`update cards set status = 'ACTIVE', archived_at = null where id = $1`, [child.id]);
      await rival.query(
        `insert into card_counts (type, status, approval_status, n) values ('TechCategory', 'ACTIVE', 'DRAFT', 1), ('TechCategory', 'ARCHIVED', 'DRAFT', -1)`,
      );
    },
    act(parent2.id, 'archive'),
  );
  t.match(restored, { status: 409, body: { code: 'children_present', child_count: 1 } });
});

await t.test('a card is not restored when its parent is archived', async (t) => {
  const parent = await make();
  const child = await make({ parent_id: parent.id });
  await act(child.id, 'archive')();
  const [answer] = await contend((rival) => archive(rival, parent.id), act(child.id, 'restore'));
  t.match(answer, { status: 409, body: { code: 'invalid_state' } });
  t.match(await get(child.id), { status: 'ARCHIVED', version: 2 });
});

await t.test('parents archived and children restored at once: no active card is below an archived one', async (t) => {
  for (let round = 0; round < 10; round++) {
    const parent = await make();
    const child = await make({ parent_id: parent.id });
    await act(child.id, 'archive')();
    const answers = await Promise.all([act(parent.id, 'archive')(), act(child.id, 'restore')()]);
    t.strictSame(statuses(answers), [200, 409], JSON.stringify(answers.map((a) => a.body)));
  }
  t.strictSame(
    await sql(
      database,
      `select c.id from cards c join cards p on p.id = c.parent_id where c.status = 'ACTIVE' and p.status <> 'ACTIVE'`,
    ),
    [],
  );
});

/** Runs a change when the first statement of the name is sent, which then follows it. */
async function changedBefore<T>(name: string, change: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  let isDone = false;
  pg.Client.prototype.query = async function delayed(this: pg.Client, ...args: unknown[]) {
    if ((args[0] as { name?: string } | undefined)?.name === name && !isDone) {
      isDone = true;
      await change();
    }
    return original.apply(this, args);
  } as never;
  try {
    return await work();
  } finally {
    pg.Client.prototype.query = original as never;
    if (!isDone) throw new Error(`no statement ${name} was sent`);
  }
}

await t.test('the parent of a new card changes after it was read', async (t) => {
  const home = await make();
  const cases = [
    {
      name: 'moves',
      change: (id: string) => patch(id, { parent_id: home.id })(),
      expected: { status: 201, body: { level: 3 } },
    },
    {
      name: 'is renamed',
      change: (id: string) => patch(id, { name: 'Renamed' })(),
      expected: { status: 201, body: { path: ['Renamed'] } },
    },
    {
      name: 'is archived',
      change: (id: string) => act(id, 'archive')(),
      expected: { status: 422, body: { errors: [{ field: '/parent_id', reason: 'names an archived card' }] } },
    },
    {
      name: 'is deleted',
      change: (id: string) => api.del(`/cards/${id}`),
      expected: { status: 422, body: { errors: [{ field: '/parent_id', reason: 'names no card' }] } },
    },
  ];
  for (const { name, change, expected } of cases) {
    const parent = await make();
    const answer = await changedBefore(
      'cards-insert-singles',
      () => change(parent.id),
      () => api.post('/cards', { type: 'TechCategory', name: `Card ${++n}`, parent_id: parent.id }),
    );
    t.match(answer, expected, name);
    if (answer.status === 201)
      t.strictSame(await get(answer.body.id), answer.body, `${name}: the stored card equals the answer`);
  }
  t.strictSame(
    await sql(
      database,
      `select c.id from cards c join cards p on p.id = c.parent_id where c.path_ids <> p.path_ids || p.id or (c.status = 'ACTIVE' and p.status <> 'ACTIVE')`,
    ),
    [],
  );
});

const patchRelation =
  (id: string, body: object, options = {}): Send =>
  () =>
    api.patch(`/relations/${id}`, body, options);
const removeRelation =
  (id: string): Send =>
  () =>
    api.del(`/relations/${id}`);
/** Sends requests that have all read the relation before one of them writes it. */
const relationAtOnce = (id: string, ...requests: Send[]) =>
  contend((rival) => rival.query('select from relations where id = $1 for update', [id]), ...requests);

await t.test('two changes of one relation at once: neither is lost', async (t) => {
  const { id } = await relate();
  const both = await relationAtOnce(
    id,
    patchRelation(id, { description: 'ours' }),
    patchRelation(id, { valid_from: '2026-01-01' }),
  );
  t.strictSame(statuses(both), [200, 200]);
  t.strictSame(both.map((a) => a.body.version as number).sort(), [2, 3]);
  t.match((await api.get(`/relations/${id}`)).body, { description: 'ours', valid_from: '2026-01-01', version: 3 });
  await checkHistory(t, 'relation', id, ['created', 'updated', 'updated']);
  const next = await relationAtOnce(
    id,
    patchRelation(id, { description: 'a' }, ifMatch(3)),
    patchRelation(id, { description: 'b' }, ifMatch(3)),
  );
  t.strictSame(statuses(next), [200, 412]);
  t.match(next.find((a) => a.status === 412)!.body, { current_version: 4, changed_fields: ['description'] });
});

await t.test('a relation changed and deleted at once, or deleted twice: one deletion', async (t) => {
  const { id } = await relate();
  const [changed, gone] = await relationAtOnce(id, patchRelation(id, { description: 'ours' }), removeRelation(id));
  t.equal(gone!.status, 204);
  t.ok([200, 404].includes(changed!.status), `${changed!.status}`);
  await checkHistory(t, 'relation', id, ['created', 'deleted', ...(changed!.status === 200 ? ['updated'] : [])]);
  const [deletion] = await sql<{ version: number; doc: object }>(
    database,
    'select version, doc from relation_deletions where id = $1',
    [id],
  );
  t.match(deletion, changed!.status === 200 ? { version: 2, doc: { description: 'ours' } } : { version: 1 });
  const other = await relate();
  t.strictSame(
    statuses(await relationAtOnce(other.id, removeRelation(other.id), removeRelation(other.id))),
    [204, 404],
  );
  await checkHistory(t, 'relation', other.id, ['created', 'deleted']);
});

await t.test('a relation is neither changed nor created when an end is archived', async (t) => {
  const [source, target, other] = [await make(), await make(), await make()];
  const { id } = await relate(source.id, target.id);
  const [changed, removed, created] = await contend(
    (rival) => archive(rival, target.id),
    patchRelation(id, { description: 'ours' }),
    removeRelation(id),
    () => api.post('/relations', { type: 'related', source_id: other.id, target_id: target.id }),
  );
  t.strictSame([changed!.status, removed!.status, created!.status], [404, 404, 422]);
  await checkHistory(t, 'relation', id, ['created']);
});

await t.test('a write that is repeated under locks stores its own outcome under its Idempotency-Key', async (t) => {
  const card = await make();
  const keyed = { headers: { 'idempotency-key': 'approve-once' } };
  const send = approval(card.id, 'approve', keyed);
  const [first] = await contend(
    (rival) => rival.query('update card_contents set version = version + 1 where id = $1', [card.id]),
    send,
  );
  t.match(first, { status: 200, body: { approval_status: 'APPROVED', version: 3 } });
  await patch(card.id, { description: 'later' })();
  const again = await send();
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  t.match(again, { status: 200, body: { id: card.id, approval_status: 'BROKEN', version: 4 } });
  const [stored] = await sql<{ result: object }>(
    database,
    `select result from idempotency_keys where key = 'approve-once'`,
  );
  t.strictSame(stored!.result, { id: card.id, version: 3 });
});
