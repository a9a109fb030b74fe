/** Requests share statements with others that fail, wait or lose their connection: each answer is true for its own row. */
import pg from 'pg';
import t from 'tap';
import { Grouped } from '../../core/foundation/db/grouped.js';
import { makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';

const POOL = 8;
const { origin, database, close } = await testApp({ config: { databasePoolMax: POOL } });
t.teardown(close);
const admin = await registerAdmin(origin);
const [editor, viewer] = [await makeUser(admin, 'member'), await makeUser(admin, 'viewer')];
const { api } = admin;

let n = 0;
const create = (card: object = {}) => api.post('/cards', { type: 'Application', name: `F ${++n}`, ...card });
const times = <T>(count: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)));
const makeMany = async (count: number): Promise<string[]> =>
  (await times(count, () => create())).map(({ body }) => body.id as string);
const statuses = (answers: { status: number }[]) => answers.map((a) => a.status);
const connections = async (): Promise<number[]> =>
  (
    await sql<{ pid: number }>(
      database,
      `select pid from pg_stat_activity where application_name = 'lintel' and datname = current_database()`,
    )
  ).map(({ pid }) => pid);

await t.test('connections are kept when a shared statement is refused', async (t) => {
  const [taken, id] = (await makeMany(2)) as [string, string];
  const { name } = (await api.get(`/cards/${taken}`)).body;
  const before = await connections();
  // More than connections: with one lost by each, none would be left.
  for (let i = 0; i <= POOL; i++) t.equal((await api.patch(`/cards/${id}`, { name })).status, 409);
  const after = await connections();
  t.strictSame(
    before.filter((pid) => !after.includes(pid)),
    [],
  );
});

await t.test('errors of one statement are told from lost connections in any language of the server', async (t) => {
  const failing = (severity: string, code: string) =>
    new Grouped<number, number>(() =>
      Promise.reject(Object.assign(new pg.DatabaseError('m', 1, 'error'), { severity, code })),
    ).add(1);
  t.equal(await failing('FEHLER', '23505'), undefined, 'it is done alone');
  t.equal(await failing('ERROR', '53100'), undefined, 'it is done alone');
  await t.rejects(failing('FATAL', '57P01'), 'the outcome is unknown');
  await t.rejects(failing('PANIK', '53100'), 'the outcome is unknown');
});

await t.test('changes of users with different rights share statements, and each has its own request id', async (t) => {
  const ids = await makeMany(30);
  const by = [api, editor.api, viewer.api];
  const answers = await times(30, (i) => by[i % 3]!.patch(`/cards/${ids[i]!}`, { description: `d${i}` }));
  t.strictSame(
    statuses(answers),
    ids.map((_, i) => (i % 3 === 2 ? 403 : 200)),
  );
  const stored = await sql<{ id: string; request_id: string; actor: string; description: string }>(
    database,
    `select k.id, c.request_id, c.actor, k.description from cards k join card_versions v using (id) join changes c on c.id = v.change_id
      where k.id = any($1) and v.version = 2 order by array_position($1, k.id)`,
    [ids],
  );
  t.strictSame(
    stored,
    answers.flatMap(({ status, headers }, i) =>
      status === 200
        ? {
            id: ids[i]!,
            request_id: headers.get('x-request-id')!,
            actor: (i % 3 === 0 ? admin : editor).user.id,
            description: `d${i}`,
          }
        : [],
    ),
  );
});

await t.test('names that go round among cards, in opposite directions, end without a deadlock', async (t) => {
  const ids = await makeMany(12);
  const key = ++n;
  await times(12, (i) => api.patch(`/cards/${ids[i]!}`, { name: `${key} ${i}` }));
  for (let round = 1; round <= 4; round++) {
    const answers = await times(12, (i) =>
      api.patch(`/cards/${ids[i]!}`, { name: `${key} ${i % 2 === 0 ? i + 13 * (round % 2) : (i * 5 + round) % 14}` }),
    );
    t.ok(
      answers.every(({ status }) => status === 200 || status === 409),
      String(statuses(answers)),
    );
    for (const { status, body } of answers) if (status === 409) t.equal(body['code'], 'name_taken');
  }
});

await t.test('a rename that waits for a name in use delays no other', async (t) => {
  const [contested, holder, ...ids] = (await makeMany(12)) as [string, string, ...string[]];
  const rival = new pg.Client(database);
  await rival.connect();
  t.teardown(() => rival.end());
  const name = `contested ${++n}`;
  await rival.query('begin');
  await rival.query(`update cards set name = $2, name_key = $2 where id = $1`, [holder, name]);
  let isOver = false;
  const waiting = api.patch(`/cards/${contested}`, { name }).finally(() => (isOver = true));
  for (let round = 0; round < 3; round++) {
    const others = await times(10, (i) => api.patch(`/cards/${ids[i]!}`, { name: `free ${++n}` }));
    t.ok(
      others.every((a) => a.status === 200),
      String(statuses(others)),
    );
  }
  t.equal(isOver, false, 'the one still waits');
  await rival.query('rollback');
  t.equal((await waiting).status, 200);
});

await t.test(
  'when connections are killed, what is answered as stored is stored once, and no request hangs',
  async (t) => {
    const ids = await makeMany(16);
    const stored = new Map<string, string>();
    const unknown = new Set<string>();
    const made = { ok: new Set<string>(), unknown: 0 };
    const seen = new Set<number>();
    let isOver = false;
    const writers = times(16, async (w) => {
      for (let i = 0; !isOver; i++) {
        const description = `${w}-${i}`;
        const { status, body } = await api.patch(`/cards/${ids[w]!}`, { description });
        seen.add(status);
        if (status === 200) stored.set(description, `${ids[w]!} ${body['version'] as number}`);
        else unknown.add(description);
        if (i % 4 !== 0) continue;
        const related = await api.post('/relations', {
          type: 'related',
          source_id: (await create()).body['id'] ?? ids[(w + 1) % 16]!,
          target_id: ids[w]!,
        });
        if (related.status === 201) made.ok.add(related.body.id as string);
        else made.unknown++;
      }
    });
    // The killed connections may be those of work in the background.
    for (let round = 0; round < 3 || (unknown.size === 0 && round < 50); round++) {
      const before = stored.size;
      await until(() => stored.size > before + 50);
      await until(async () => {
        const [row] = await sql<{ n: number }>(
          database,
          `select count(pg_terminate_backend(pid))::int as n from (select pid from pg_stat_activity
          where application_name = 'lintel' and datname = current_database() and state = 'active' limit 2) busy`,
        );
        return row!.n > 0;
      });
    }
    isOver = true;
    await writers;
    t.ok(unknown.size > 0, 'connections were lost in requests');
    t.strictSame([...seen].sort(), [200, 503]);
    const versions = await sql<{ id: string; version: number; description: string; events: number }>(
      database,
      `select v.id, v.version::int, (select c->>'new' from jsonb_array_elements(v.changes) c) as description,
      (select count(*)::int from (select change_id, subject_id from event_outbox union all select change_id, subject_id from events) e
        where e.change_id = v.change_id and e.subject_id = v.id::text) as events
      from card_versions v where v.id = any($1) and v.version > 1`,
      [ids],
    );
    const found = new Map(versions.map(({ id, version, description }) => [description, `${id} ${version}`]));
    t.equal(found.size, versions.length, 'no change is stored twice');
    for (const [description, at] of stored) t.equal(found.get(description), at);
    for (const description of found.keys()) t.ok(stored.has(description) || unknown.has(description));
    t.ok(
      versions.every(({ events }) => events === 1),
      'an event each',
    );
  },
);
