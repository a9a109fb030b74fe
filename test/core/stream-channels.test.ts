/** Receivers with the same permissions and filter share a channel; each of them must receive the same as alone. */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import t from 'tap';
import { makeUser, openStream, registerAdmin, sql, testApp, until, type Session } from '../support/app.js';

const PER_USER = 18;
const WRITERS = 3;
const MS = 5_000;

const { app, origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const users: Session[] = [];
for (const role of ['member', 'viewer', 'member', 'viewer', 'member', 'viewer'])
  users.push(await makeUser(admin, role));

const random = (n: number): number => Math.floor(Math.random() * n);
const head = async (): Promise<number> =>
  Number((await sql<{ position: string }>(database, 'select position from event_head'))[0]!.position);
const pool = new pg.Pool({ ...database, max: 5 });
t.teardown(() => pool.end());
const put = (kind: string, id: string, times: number) =>
  pool.query(
    `insert into event_outbox (type, occurred_at, origin, subject_kind, subject_id, subject_type, subject_name, data)
  select $1 || '.tested', clock_timestamp(), 'test', $1, $2, 'Application', 'Shared', '{}' from generate_series(1, $3)`,
    [kind, id, times],
  );
const rightsMove = (kind: string) =>
  sql(database, 'update revisions set revision = revision + 1 where kind = $1', [kind]);

await t.test(
  'receivers connect, disconnect and resume, permissions change, some events are personal: each receives its events once and in order',
  async (t) => {
    const start = await head();
    let running = true;
    let last = 0;
    t.teardown(() => {
      running = false;
    });
    const received: { user: Session; ids: number[] }[] = [];
    let opened = 0;
    const receive = async (user: Session): Promise<void> => {
      const ids: number[] = [];
      received.push({ user, ids });
      for (let isLast = false; !isLast; ) {
        isLast = !running;
        const stream = await openStream(origin, user.token, { lastEventId: ids.at(-1) ?? start });
        if (stream.status !== 200) throw new Error(`a stream gave ${stream.status}`);
        opened++;
        // In the last round it stays until the end of the log.
        if (isLast && (ids.at(-1) ?? 0) < last) await stream.waitFor((event) => Number(event.id) >= last, 20_000);
        else await delay(random(400));
        stream.close();
        ids.push(...stream.events.map((event) => Number(event.id)));
      }
    };
    const receiving = Promise.all(users.flatMap((user) => Array.from({ length: PER_USER }, () => receive(user))));
    receiving.catch(() => undefined);
    const end = performance.now() + MS;
    // On a busy machine receivers connect less often: it goes on until there were enough streams.
    const goesOn = (): boolean => performance.now() < end || opened <= received.length * 3;
    // Continuous events, so that one is being delivered whenever a receiver connects.
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; goesOn(); n++) await put('card', `card-${writer}-${n}`, 1);
    };
    const disturb = async (): Promise<void> => {
      for (let n = 0; goesOn(); n++) {
        await put('user', users[random(users.length)]!.user.id, 1 + random(2));
        if (n % 10 === 0) await rightsMove(n % 20 === 0 ? 'permissions' : 'sessions');
        await delay(random(40));
      }
    };
    await Promise.all([disturb(), ...Array.from({ length: WRITERS }, (_, writer) => write(writer))]);
    await put('card', 'last', 1);
    await until(async () => (await sql(database, 'select from event_outbox limit 1')).length === 0);
    last = await head();
    running = false;
    await receiving;

    const log = await sql<{ position: string; subject_kind: string; subject_id: string }>(
      database,
      'select position, subject_kind, subject_id from events where position > $1 order by position',
      [start],
    );
    const wrong = received.filter(({ user, ids }) => {
      const his = log
        .filter((event) => event.subject_kind === 'card' || event.subject_id === user.user.id)
        .map(({ position }) => Number(position));
      return JSON.stringify(ids) !== JSON.stringify(his);
    });
    t.equal(wrong.length, 0, `${wrong.length} of ${received.length} receivers got something else`);
    t.ok(opened > received.length * 3, `${opened} streams of ${received.length} receivers`);
    t.ok(log.filter((event) => event.subject_kind === 'user').length > 10);
    t.ok(new Set(received.map(({ ids }) => ids.length)).size > 1, 'some received personal events');
    await until(() => app.services.streams.size === 0);
    t.comment(`${log.length} events, ${opened} streams`);
  },
);
