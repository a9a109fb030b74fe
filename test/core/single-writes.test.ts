import pg from 'pg';
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';

/**
 * Concurrent creates share a statement, and so do concurrent changes: each must have the same result as alone. Fewer
 * connections give larger statements.
 */
const POOL = 8;
const { origin, database, close } = await testApp({ config: { databasePoolMax: POOL } });
t.teardown(close);
const admin = await registerAdmin(origin);
const editor = await makeUser(admin, 'member');
const { api } = admin;

let n = 0;
const fresh = (prefix = 'S') => `${prefix} ${++n}`;
const create = (card: object = {}, by = api) => by.post('/cards', { type: 'Application', name: fresh(), ...card });
const times = <T>(count: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)));
const statuses = (answers: { status: number }[]) => answers.map((a) => a.status);

/** The executions of a shared statement during `work`, as numbers of cards. */
async function sharedStatements(work: () => Promise<unknown>, name = 'cards-insert-singles'): Promise<number[]> {
  const sizes: number[] = [];
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]) {
    const [query] = args as [{ name?: string; values?: unknown[] }];
    if (query.name === name) sizes.push((JSON.parse(query.values![0] as string) as unknown[]).length);
    return original.apply(this, args);
  } as never;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original as never;
  }
  return sizes;
}

await t.test('concurrent creates share statements, and each has its own change, version and event', async (t) => {
  let answers: Awaited<ReturnType<typeof create>>[] = [];
  const sizes = await sharedStatements(async () => {
    answers = await times(60, (i) => create({ description: `d${i}` }, i % 2 === 0 ? api : editor.api));
  });
  t.ok(
    answers.every((a) => a.status === 201),
    String(statuses(answers)),
  );
  t.equal(
    sizes.reduce((a, b) => a + b, 0),
    60,
  );
  t.ok(
    sizes.some((size) => size > 1),
    `${sizes.length} statements`,
  );
  answers.forEach(({ body }, i) => {
    t.equal(body['description'], `d${i}`);
    t.equal(body['created_by'], (i % 2 === 0 ? admin : editor).user.id);
  });
  for (const { body, headers } of answers.slice(0, 6)) {
    const read = await api.get(`/cards/${body.id}`);
    t.strictSame(read.body, body, 'the stored card equals the answer');
    t.equal(read.headers.get('etag'), headers.get('etag'));
  }
  const ids = answers.map((a) => a.body.id);
  const versions = await sql(
    database,
    `select v.id from card_versions v join changes c on c.id = v.change_id join cards k on k.id = v.id
    where v.id = any($1) and v.version = 1 and v.changes is null and c.kind = 'single' and c.actor = k.created_by and c.at = k.created_at`,
    [ids],
  );
  t.equal(versions.length, 60);
  t.equal(
    (await sql(database, 'select distinct change_id from card_versions where id = any($1)', [ids])).length,
    60,
    'a change each',
  );
  await until(async () => (await sql(database, 'select 1 from event_outbox')).length === 0);
  const events = await sql(
    database,
    `select e.subject_id from events e join card_versions v on v.id::text = e.subject_id and v.change_id = e.change_id join cards k on k.id = v.id
    where e.type = 'card.created' and e.subject_id = any($1) and e.actor_id = k.created_by`,
    [ids],
  );
  t.equal(events.length, 60, 'an event each');
  const [count] = await sql<{ same: boolean }>(
    database,
    `select (select sum(n) from card_counts) = (select count(*) from cards) as same`,
  );
  t.equal(count?.same, true);
});

await t.test('a shared statement has no more than a million characters and one card', async (t) => {
  const description = 'x'.repeat(50_000);
  let answers: Awaited<ReturnType<typeof create>>[] = [];
  const sizes = await sharedStatements(async () => {
    answers = await times(60, () => create({ description }));
  });
  t.ok(
    answers.every((a) => a.status === 201),
    String(statuses(answers)),
  );
  t.ok(Math.max(...sizes) > 1, String(sizes));
  t.ok(Math.max(...sizes) <= 20, String(sizes));
});

await t.test('a refused create does not affect others', async (t) => {
  const taken = fresh('taken');
  const key = fresh('key');
  await create({ name: taken, external_id: key });
  const both = fresh('both');
  const answers = await Promise.all([
    create(),
    create({ name: taken }),
    create(),
    create({ external_id: key }),
    create({ name: both }),
    create({ name: both }),
    create(),
  ]);
  t.strictSame(
    statuses(answers).filter((_, i) => i < 4 || i > 5),
    [201, 409, 201, 409, 201],
  );
  t.strictSame(statuses(answers.slice(4, 6)).sort(), [201, 409], 'one of two that want one name');
  t.equal(answers[1]!.body['code'], 'name_taken');
  t.equal(answers[3]!.body['code'], 'external_id_taken');
  const [left] = await sql<{ n: number }>(
    database,
    `select count(*)::int as n from changes c where kind = 'single' and not exists (select from card_versions v where v.change_id = c.id)
    and not exists (select from events e where e.change_id = c.id) and not exists (select from event_outbox e where e.change_id = c.id)`,
  );
  t.equal(left?.n, 0, 'refused creates leave no change');
});

for (const [end, status] of [
  ['commit', 409],
  ['rollback', 201],
] as const) {
  await t.test(`a request that waits for a name in use, until its ${end}, delays no other`, async (t) => {
    const rival = new pg.Client(database);
    await rival.connect();
    t.teardown(() => rival.end());
    const name = fresh('contested');
    await rival.query('begin');
    await rival.query(
      `with c as (insert into cards (id, type, name, name_key, search_name, search_text, created_at)
        values (gen_random_uuid(), 'Application', $1, $1, '', '', now()) returning *)
      insert into card_contents (id, type, status, name_key, updated_at, version) select id, type, status, name_key, created_at, 1 from c`,
      [name],
    );
    let isOver = false;
    const waiting = create({ name }).then((answer) => {
      isOver = true;
      return answer;
    });
    for (let round = 0; round < 4; round++) {
      const others = await times(10, () => create());
      t.ok(
        others.every((a) => a.status === 201),
        String(statuses(others)),
      );
    }
    t.equal(isOver, false, 'the one still waits');
    await rival.query(end);
    t.equal((await waiting).status, status);
    if (status === 201) return;
    await sql(database, 'delete from cards where name = $1', [name]);
  });
}

await t.test('concurrent creates below parents share statements', async (t) => {
  const top = (await create()).body;
  const inner = (await create({ parent_id: top.id })).body;
  const parents = [
    { given: { parent_id: top.id }, path: [top.name] },
    { given: { parent_id: inner.id.toUpperCase() }, path: [top.name, inner.name] },
    { given: {}, path: [] },
  ];
  let answers: Awaited<ReturnType<typeof create>>[] = [];
  const sizes = await sharedStatements(async () => {
    answers = await times(60, (i) => create(parents[i % 3]!.given, i % 2 === 0 ? editor.api : api));
  });
  t.ok(
    answers.every((a) => a.status === 201),
    String(statuses(answers)),
  );
  t.ok(
    sizes.some((size) => size > 1),
    `${sizes.length} statements`,
  );
  t.equal(
    sizes.reduce((a, b) => a + b, 0),
    60,
  );
  answers.forEach(({ body }, i) => t.strictSame(body.path, parents[i % 3]!.path));
  for (const { body } of answers.slice(0, 8))
    t.strictSame((await api.get(`/cards/${body.id}`)).body, body, 'the stored card equals the answer');
  const [wrong] = await sql<{ n: number }>(
    database,
    `select count(*)::int as n from cards c join cards p on p.id = c.parent_id where c.path_ids <> p.path_ids || p.id`,
  );
  t.equal(wrong?.n, 0, 'paths follow parents');
});

await t.test('a create below a parent is refused as alone', async (t) => {
  const [parent, archived, platform] = [(await create()).body, (await create()).body, (await create()).body];
  await api.post(`/cards/${archived.id}/archive`, {});
  const taken = fresh('taken');
  await create({ name: taken, parent_id: parent.id });
  const answers = await Promise.all([
    create({ parent_id: parent.id }),
    create({ parent_id: archived.id }),
    create({ parent_id: '01900000-0000-7000-8000-000000000000' }),
    create({ name: taken, parent_id: parent.id }),
    create({ type: 'Interface', parent_id: platform.id }),
    create({ parent_id: parent.id }),
  ]);
  t.strictSame(statuses(answers), [201, 422, 422, 409, 422, 201]);
  t.equal(answers[3]!.body['code'], 'name_taken');
  for (const i of [1, 2, 4]) t.match(answers[i]!.body, { code: 'validation_failed', errors: [{ in: 'body' }] });
});

await t.test('a parent that another transaction changes delays the creates below it and no others', async (t) => {
  const [parent, home] = [(await create()).body, (await create()).body];
  const rival = new pg.Client(database);
  await rival.connect();
  t.teardown(() => rival.end());
  await rival.query('begin');
  await rival.query('update cards set parent_id = $2, path_ids = array[$2]::uuid[] where id = $1', [
    parent.id,
    home.id,
  ]);
  let isOver = false;
  const waiting = create({ parent_id: parent.id }).then((answer) => {
    isOver = true;
    return answer;
  });
  for (let round = 0; round < 4; round++) {
    const others = await times(10, (i) => create(i % 2 === 0 ? {} : { parent_id: home.id }));
    t.ok(
      others.every((a) => a.status === 201),
      String(statuses(others)),
    );
  }
  t.equal(isOver, false, 'the one still waits');
  await rival.query('commit');
  t.match(await waiting, { status: 201, body: { path: [home.name, parent.name], level: 3 } });
});

await t.test('a create with a key has its own statement', async (t) => {
  const parent = (await create()).body;
  const sizes = await sharedStatements(async () => {
    const headers = { 'idempotency-key': `single-insert-${++n}` };
    const body = { type: 'Application', name: fresh(), parent_id: parent.id };
    const [first, again] = [await api.post('/cards', body, { headers }), await api.post('/cards', body, { headers })];
    t.strictSame([first.status, again.status, again.body.id], [201, 201, first.body.id]);
  });
  t.strictSame(sizes, []);
});

await t.test('more creates than connections, with others that hold one each', async (t) => {
  const parent = (await create()).body;
  const answers = await times(80, (i) => create(i % 4 === 0 ? { parent_id: parent.id } : {}));
  t.ok(
    answers.every((a) => a.status === 201),
    String(statuses(answers)),
  );
});

const UPDATES = 'cards-update-singles';
const makeMany = async (count: number, more: object = {}): Promise<string[]> =>
  (await times(count, () => create(more))).map(({ body }) => body.id as string);
const sum = (sizes: readonly number[]) => sizes.reduce((a, b) => a + b, 0);

await t.test('concurrent changes share statements, and each has its own change, version and event', async (t) => {
  const ids = [...(await makeMany(9, { type: 'TechCategory' })), ...(await makeMany(51))];
  for (const id of ids.slice(0, 9)) await api.post(`/cards/${id}/approval`, { action: 'approve' });
  const changes = ids.map((_, i): object =>
    i < 9 || i % 3 === 0
      ? { description: `d${i}` }
      : i % 3 === 1
        ? { name: fresh('renamed') }
        : { attributes: { productName: `p${i}` } },
  );
  let answers: Awaited<ReturnType<typeof create>>[] = [];
  const sizes = await sharedStatements(async () => {
    answers = await times(60, (i) => (i % 2 === 0 ? api : editor.api).patch(`/cards/${ids[i]!}`, changes[i]!));
  }, UPDATES);
  t.ok(
    answers.every((a) => a.status === 200),
    String(statuses(answers)),
  );
  t.equal(sum(sizes), 60);
  t.ok(
    sizes.some((size) => size > 1),
    `${sizes.length} statements`,
  );
  for (const [i, { body, headers }] of answers.entries()) {
    t.match(body, changes[i]);
    t.equal(body['updated_by'], (i % 2 === 0 ? admin : editor).user.id);
    t.equal(body['approval_status'], i < 9 ? 'BROKEN' : 'DRAFT');
    if (i > 10) continue;
    const read = await api.get(`/cards/${body.id}`);
    t.strictSame(read.body, body, 'the stored card equals the answer');
    t.equal(read.headers.get('etag'), headers.get('etag'));
  }
  await until(async () => (await sql(database, 'select 1 from event_outbox')).length === 0);
  const stored = await sql(
    database,
    `select distinct v.change_id from card_contents k join card_versions v on v.id = k.id and v.version = k.version and v.at = k.updated_at
      join changes c on c.id = v.change_id and c.actor = k.updated_by and c.kind = 'single'
      join events e on e.change_id = c.id and e.type = 'card.updated' and e.subject_id = k.id::text and e.actor_id = k.updated_by
        and (e.data->>'version')::int = v.version and e.data->'changes' = v.changes
    where k.id = any($1)`,
    [ids],
  );
  t.equal(stored.length, 60, 'a change, a version and an event each');
  const differing = await sql(
    database,
    `select type, status, approval_status, sum(n) from card_counts group by 1, 2, 3 having sum(n) <> 0
      except select type, status, approval_status, count(*) from cards group by 1, 2, 3`,
  );
  t.strictSame(differing, [], 'the counts are exact');
});

await t.test('a refused change does not affect others', async (t) => {
  const [taken, ...ids] = await makeMany(9);
  const { name } = (await api.get(`/cards/${taken!}`)).body;
  const answers = await times(8, (i) => api.patch(`/cards/${ids[i]!}`, i === 4 ? { name } : { description: 'new' }));
  t.strictSame(statuses(answers), [200, 200, 200, 200, 409, 200, 200, 200]);
  t.equal(answers[4]!.body['code'], 'name_taken');
  t.equal((await api.get(`/cards/${ids[4]!}`)).body['version'], 1);
});

await t.test('of concurrent changes of one version one is stored, and without If-Match all are', async (t) => {
  const ids = await makeMany(5);
  const answers = await times(30, (i) =>
    api.patch(`/cards/${ids[i % 5]!}`, { description: `d${i}` }, { headers: { 'if-match': '"1"' } }),
  );
  t.strictSame(statuses(answers).sort(), [...Array(5).fill(200), ...Array(25).fill(412)]);
  const all = await times(30, (i) => api.patch(`/cards/${ids[i % 5]!}`, { description: `e${i}` }));
  t.ok(
    all.every((a) => a.status === 200),
    String(statuses(all)),
  );
  t.strictSame(
    all.map(({ body }) => body['version']).sort((a: number, b: number) => a - b),
    [3, 4, 5, 6, 7, 8].flatMap((version) => Array(5).fill(version)),
  );
});

for (const table of ['cards', 'card_contents']) {
  await t.test(`a change that waits for a lock on ${table} delays no other`, async (t) => {
    const [locked, ...ids] = await makeMany(11);
    const rival = new pg.Client(database);
    await rival.connect();
    t.teardown(() => rival.end());
    await rival.query('begin');
    await rival.query(`select from ${table} where id = $1 for update`, [locked]);
    let isOver = false;
    const waiting = api.patch(`/cards/${locked!}`, { description: 'waited' }).then((answer) => {
      isOver = true;
      return answer;
    });
    for (let round = 0; round < 4; round++) {
      const others = await times(10, (i) => api.patch(`/cards/${ids[i]!}`, { description: `d${round}` }));
      t.ok(
        others.every((a) => a.status === 200),
        String(statuses(others)),
      );
    }
    t.equal(isOver, false, 'the one still waits');
    await rival.query('commit');
    t.equal((await waiting).status, 200);
  });
}

await t.test('a change with a key, a move and an archiving have its own statement', async (t) => {
  const [id, parent] = (await makeMany(2)) as [string, string];
  const sizes = await sharedStatements(async () => {
    const headers = { 'idempotency-key': `single-update-${++n}` };
    const keyed = () => api.patch(`/cards/${id}`, { description: 'keyed' }, { headers });
    t.strictSame([(await keyed()).body['version'], (await keyed()).body['version']], [2, 2]);
    t.equal((await api.patch(`/cards/${id}`, { parent_id: parent })).status, 200);
    t.equal((await api.post(`/cards/${id}/archive`, {})).status, 200);
  }, UPDATES);
  t.strictSame(sizes, []);
});

const relate = (source: string, target: string) =>
  api.post('/relations', { type: 'related', source_id: source, target_id: target });

await t.test('relations of concurrent requests share statements, and each has its own version and event', async (t) => {
  const [source, ...targets] = (await makeMany(31)) as [string, ...string[]];
  let created: Awaited<ReturnType<typeof relate>>[] = [];
  const inserts = await sharedStatements(async () => {
    // Every target twice: of two requests for the same relation one is refused.
    created = await times(60, (i) => relate(source, targets[i % 30]!));
  }, 'relations-insert-singles');
  t.strictSame(statuses(created).sort(), [...Array(30).fill(201), ...Array(30).fill(409)]);
  t.ok(
    inserts.some((size) => size > 1),
    `${inserts.length} statements`,
  );
  const made = created.filter((a) => a.status === 201).map(({ body }) => body);
  let answers: typeof created = [];
  const updates = await sharedStatements(async () => {
    answers = await times(60, (i) =>
      api.patch(`/relations/${made[i % 30]!.id}`, { description: `d${i}` }, { headers: { 'if-match': '"1"' } }),
    );
  }, 'relations-update-singles');
  t.strictSame(statuses(answers).sort(), [...Array(30).fill(200), ...Array(30).fill(412)]);
  t.ok(
    updates.some((size) => size > 1),
    `${updates.length} statements`,
  );
  for (const answer of answers.filter((a) => a.status === 200).slice(0, 5))
    t.strictSame((await api.get(`/relations/${answer.body.id}`)).body, answer.body, 'the stored one equals the answer');
  await until(async () => (await sql(database, 'select 1 from event_outbox')).length === 0);
  const stored = await sql(
    database,
    `select v.id, v.version from relation_versions v join changes c on c.id = v.change_id and c.kind = 'single'
      join events e on e.change_id = c.id and e.subject_id = v.id::text and (e.data->>'version')::int = v.version
        and e.type = case v.version when 1 then 'relation.created' else 'relation.updated' end
    where v.id = any($1)`,
    [made.map(({ id }) => id)],
  );
  t.equal(stored.length, 60, 'two versions of each, with a change and an event');
});

await t.test('a relation with an archived card is refused, and others are not affected', async (t) => {
  const [source, archived, ...targets] = (await makeMany(12)) as [string, string, ...string[]];
  await api.post(`/cards/${archived}/archive`, {});
  const answers = await times(10, (i) => relate(source, i === 5 ? archived : targets[i]!));
  t.equal(answers[5]!.status, 422);
  t.equal(answers.filter((a) => a.status === 201).length, 9);
});
