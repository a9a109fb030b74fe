import pg from 'pg';
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';

/** Concurrent creates share a statement: each must have the same result as alone. Fewer connections give larger statements. */
const POOL = 6;
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

/** The executions of the shared statement during `work`, as numbers of cards. */
async function sharedStatements(work: () => Promise<unknown>): Promise<number[]> {
  const sizes: number[] = [];
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]) {
    const [query] = args as [{ name?: string; values?: unknown[] }];
    if (query.name === 'cards-insert-singles') sizes.push((JSON.parse(query.values![0] as string) as unknown[]).length);
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

await t.test('a create with a key, in a dry run or below a parent has its own statement', async (t) => {
  const parent = (await create()).body;
  const sizes = await sharedStatements(async () => {
    const headers = { 'idempotency-key': `single-insert-${++n}` };
    const body = { type: 'Application', name: fresh() };
    const [first, again] = [await api.post('/cards', body, { headers }), await api.post('/cards', body, { headers })];
    t.strictSame([first.status, again.status, again.body.id], [201, 201, first.body.id]);
    t.equal((await create({ parent_id: parent.id })).status, 201);
    const dry = await api.post('/cards', { type: 'Application', name: fresh() }, { query: { dry_run: 'true' } });
    t.equal((await api.get(`/cards/${dry.body.id}`)).status, 404);
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
