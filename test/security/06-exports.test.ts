/** Slow readers of exports do not block those of others: places per user, least throughput, fair queueing. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import t from 'tap';
import { copyOut, SettingBindings } from '../../core/foundation/db/copy.js';
import type { Pace } from '../../core/foundation/db/reader-pace.js';
import { Semaphore } from '../../core/foundation/semaphore.js';
import { expectStatus, makeUser, registerAdmin, sql, testApp, until, type Session } from '../support/app.js';

const CARDS = 1_000;
/** Bytes of a description: enough that an export exceeds all buffers between the database and a reader. */
const LONG = 30_000;
/** A quarter of the 20 connections of a node may be used by exports. */
const PLACES = 5;
const EACH = 2;

const { app, origin, database, close } = await testApp({ config: { databasePoolMax: 20 } });
t.teardown(close);
const admin = await registerAdmin(origin);
const viewers = [await makeUser(admin, 'viewer'), await makeUser(admin, 'viewer'), await makeUser(admin, 'viewer')];
const operations = Array.from({ length: CARDS }, (_, i) => ({
  op: 'create',
  card: { type: 'Application', name: `Card ${i}` },
}));
expectStatus(await admin.api.post('/cards/bulk', { operations }), 200, 'creating cards');
await sql(database, `update cards set description = repeat('0123456789', ${LONG / 10})`);

interface Reader {
  answer: Promise<IncomingMessage>;
  leave(): void;
}
/** Requests an export and reads nothing of it. */
function begin({ token }: Session): Reader {
  const request = httpRequest(`${origin}/api/v1/cards/export?format=ndjson`, {
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  });
  // Some tests expect a broken connection.
  request.on('error', () => undefined).end();
  const answer = once(request, 'response').then(([response]: IncomingMessage[]) =>
    response!.on('error', () => undefined),
  );
  answer.catch(() => undefined);
  return { answer, leave: () => request.destroy() };
}
const copying = async (): Promise<number> =>
  (
    await sql<{ n: number }>(
      database,
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and query like 'copy (%' and state = 'active'`,
    )
  )[0]!.n;
/** Reads an export to its end. @returns its number of cards */
async function whole(session: Session): Promise<number> {
  const response = await begin(session).answer;
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${await readText(response)}`);
  return (await readText(response)).trim().split('\n').length;
}

t.test("one viewer's slow readers occupy only the viewer's places", async (t) => {
  const [viewer] = viewers as [Session];
  const slow = Array.from({ length: PLACES }, () => begin(viewer));
  await until(async () => (await copying()) === EACH);
  t.equal(await whole(admin), CARDS, 'the admin gets the whole file');
  t.equal(await copying(), EACH, "while the viewer's others wait");
  for (const reader of slow) reader.leave();
  await until(async () => (await copying()) === 0, 20_000);
});

t.test('slow readers of several viewers are disconnected in favour of waiting ones', async (t) => {
  const slow = viewers.flatMap((viewer) => Array.from({ length: EACH }, () => begin(viewer)));
  await until(async () => (await copying()) === PLACES);
  // Users who have an export running wait behind users who have none.
  const more = viewers.map((viewer) => begin(viewer));
  t.equal(await whole(admin), CARDS, 'the admin waits only for the grace period, and gets the whole file');
  for (const reader of [...slow, ...more]) reader.leave();
  await until(async () => (await copying()) === 0, 20_000);
});

t.test('a reader must read with a least rate while others wait, and finish in time', async (t) => {
  const text = `copy (select repeat('x', 1000) from generate_series(1, 20000)) to stdout`;
  const copy = async (pace: Pace, totalMs = 60_000) =>
    copyOut(app.services.db, async () => ({ texts: () => [text], bindings: new SettingBindings() }), {
      pace: () => pace,
      totalMs,
    });
  const outcome = async (read: Promise<unknown>): Promise<string> =>
    read.then(
      () => 'whole',
      ({ message }: Error) => message,
    );
  const idle = await copy({ graceMs: 200, bytesPerSecond: 1e9 });
  t.match(
    await outcome(
      once(
        idle.once('readable', () => undefined),
        'end',
      ),
    ),
    /the reader is \d+ ms behind/,
    'none',
  );
  const trickle = await copy({ graceMs: 500, bytesPerSecond: 1e6 });
  const drip = setInterval(() => trickle.read(10_000), 100);
  t.match(await outcome(once(trickle, 'end')), /the reader is \d+ ms behind/, 'a tenth of the least rate');
  clearInterval(drip);
  const late = await copy({ graceMs: 60_000, bytesPerSecond: 1 }, 300);
  t.match(
    await outcome(
      once(
        late.once('readable', () => undefined),
        'end',
      ),
    ),
    /not read within 300 ms/,
    'a fast reader is also limited in time',
  );
  t.equal(
    (await readText(await copy({ graceMs: 250, bytesPerSecond: 1e5 }))).length,
    20_000 * 1_001,
    'a fast reader gets everything',
  );
  await until(() => app.services.db.pool.idleCount === app.services.db.pool.totalCount);
});

t.test('queueing: each user has a share, and the user who waited longest is next', async (t) => {
  const turns = new Semaphore({ what: 'exports', most: 3, each: 2, waitMs: 5_000 });
  const ends = [await turns.take('a'), await turns.take('a')];
  const order: string[] = [];
  const wait = (user: string): Promise<() => void> =>
    turns.take(user).then((end) => {
      order.push(user);
      return end;
    });
  const third = wait('a');
  t.equal(turns.isContended, false, 'a place is free, but not for this user');
  const other = await turns.take('b');
  const waiting = [wait('b'), wait('c'), wait('d')];
  t.equal(turns.isContended, true);
  other();
  (await waiting[1]!)();
  (await waiting[2]!)();
  await waiting[0];
  t.strictSame(order, ['c', 'd', 'b'], 'users without a running export are first');
  ends[0]!();
  await third;
  t.strictSame(order.at(-1), 'a');
  // One more than may wait per user.
  const full = Array.from({ length: 201 }, () => turns.take('a'));
  for (const each of full.slice(0, 200)) each.catch(() => undefined);
  await t.rejects(full[200]!, { code: 'rate_limited', status: 429, headers: { 'retry-after': '10' } });
});
