/** Rate limits counted in Redis: exact, over all nodes, without data that identifies callers, and during outages of Redis. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import t from 'tap';
import { DatabaseLimitStore, RateLimiter, RedisLimitStore } from '../../core/identity/auth/index.js';
import { RedisServer } from '../support/redis.js';
import { client, login, nextAddress, registerAdmin, sql, testApp, until } from '../support/app.js';

/** A given server, used instead of the one above by tests that do not read its state. */
const GIVEN = process.env.TEST_REDIS_URL || undefined;
const LIMIT = 10;
const PASSWORD = 'open-sesame';

const redis = await new RedisServer(PASSWORD).start();
const config = { redisUrl: GIVEN ?? redis.url(), logLevel: 'fatal' as const };
const one = await testApp({ config });
const { database } = one;
const two = await testApp({ database, config });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
  await redis.kill();
});
const admin = await registerAdmin(one.origin);

const attempt = (origin: string, from: string) =>
  client(origin).post('/auth/login', { email: 'nobody@example.org', password: 'wrong-guess-of-mine' }, { from });
const statuses = (answers: { status: number }[]) => ({
  let: answers.filter((a) => a.status === 401).length,
  refused: answers.filter((a) => a.status === 429).length,
});
const inDatabase = async (): Promise<number> =>
  (await sql<{ n: number }>(database, 'select coalesce(sum(cardinality(at)), 0)::int as n from rate_hits'))[0]!.n;

/** A separate limiter and its log lines. */
async function limiterOf(url: string) {
  const lines: { level: number; msg: string; reason?: string }[] = [];
  const log = pino(
    { level: 'info' },
    {
      write: (line: string) => {
        lines.push(JSON.parse(line) as (typeof lines)[number]);
      },
    },
  );
  const limiter = new RateLimiter(
    new RedisLimitStore({
      url,
      secrets: one.app.services.secrets,
      fallback: new DatabaseLimitStore(one.app.services.db),
      log,
    }),
  );
  const began = performance.now();
  await limiter.start();
  t.teardown(() => limiter.close());
  return { limiter, lines, startedMs: performance.now() - began };
}

t.test('50 log-ins at once over two nodes count exactly', async (t) => {
  const from = nextAddress();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => attempt(n % 2 ? one.origin : two.origin, from)),
  );
  t.strictSame(statuses(answers), { let: LIMIT, refused: 50 - LIMIT });
  const remaining = answers
    .map((a) => Number(/;r=(\d+);/.exec(a.headers.get('ratelimit') ?? '')?.[1]))
    .sort((a, b) => b - a);
  t.strictSame(remaining.slice(0, LIMIT), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0], 'each number once');
  const refused = answers.find((a) => a.status === 429)!;
  t.match(refused.body, { code: 'rate_limited' });
  const wait = Number(refused.headers.get('retry-after'));
  t.ok(wait > 30 && wait <= 60, `back after ${wait} s`);
  t.equal(await inDatabase(), 0, 'the database counts nothing');
  t.ok(await login(two.origin, admin.user.email), 'another address is let in');
});

t.test('a node that is blocked itself does not treat Redis as slow', async (t) => {
  const { limiter } = await limiterOf(config.redisUrl);
  const key = `busy ${process.pid} ${Date.now()}`;
  const hit = limiter.hit(key, 2);
  const end = performance.now() + 400;
  while (performance.now() < end);
  t.match(await hit, { allowed: true, remaining: 1 });
  t.match(await limiter.hit(key, 2), { allowed: true, remaining: 0 }, 'counted where the first was');
  t.equal(await inDatabase(), 0, 'which is not the database');
});

/** Much longer than the limit of the connection, for busy machines: without a limit the start would never end. */
const START_MS = 10_000;

t.test('at most the allowed number of requests passes within any minute', async (t) => {
  const { limiter } = await limiterOf(config.redisUrl);
  const key = `window ${process.pid} ${Date.now()}`;
  t.match(await limiter.hit(key, 2), { allowed: true, remaining: 1, window: 60, reset: 60 });
  t.match(await limiter.hit(key, 2), { allowed: true, remaining: 0 });
  t.match(await limiter.hit(key, 2), { allowed: false, remaining: 0 });
  t.match(await limiter.hit(`${key} of another`, 2), { allowed: true, remaining: 1 });
  t.match(await limiter.hit(key, 3), { allowed: true, remaining: 0 }, 'refused requests did not count');
  t.match(await limiter.hit(key, 2), { allowed: false, remaining: 0 });
  if (GIVEN) return;
  const [name] = redis.commands.findLast(([command]) => command === 'EVAL')!.slice(3);
  const entry = redis.data.get(name!)!;
  t.ok(entry.endsAt > Date.now() && entry.endsAt <= Date.now() + 60_000);
  /** Sets the ages of the counted requests in seconds, immediately before each check: remaining times are whole seconds. */
  const age = (...seconds: number[]): void => {
    const { times } = redis.data.get(name!)!;
    for (const [i, one] of seconds.entries()) times[i] = Date.now() - one * 1_000;
  };
  age(50, 40);
  t.match(await limiter.hit(key, 3), { allowed: false, reset: 10 }, 'until the oldest is older than a minute');
  age(50, 40);
  t.match(await limiter.hit(key, 2), { allowed: false, reset: 20 }, 'with a lower limit until the next one does');
  const { limiter: later } = await limiterOf(config.redisUrl);
  age(60, 40);
  t.match(
    await later.hit(key, 3),
    { allowed: true, remaining: 0 },
    'one is older than a minute, so that one more is allowed',
  );
  age(40);
  t.match(await later.hit(key, 3), { allowed: false, reset: 20 });
});

t.test('one round trip per request, without data that identifies the caller', async (t) => {
  await attempt(one.origin, nextAddress());
  redis.commands.length = 0;
  const from = nextAddress();
  await attempt(one.origin, from);
  t.strictSame(
    redis.commands.map(([name]) => name),
    GIVEN ? [] : ['EVAL'],
  );
  for (const words of redis.commands) t.match(words[3], /^lintel:[\w-]{43}$/);
  t.notMatch(JSON.stringify([...redis.commands, ...redis.data.keys()]), /127\.|auth|login|nobody@|example/);
});

t.test('two services that share a Redis count separately', async (t) => {
  const other = await testApp({ config });
  t.teardown(other.close);
  const from = nextAddress();
  await Promise.all(Array.from({ length: LIMIT + 1 }, () => attempt(one.origin, from)));
  t.equal((await attempt(one.origin, from)).status, 429);
  t.equal((await attempt(other.origin, from)).status, 401);
});

t.test('killed during requests: no request fails, the limit applies, and Redis counts again afterwards', async (t) => {
  const own = await new RedisServer().start();
  const { limiter, lines } = await limiterOf(own.url());
  const app = await testApp({ database, config: { redisUrl: own.url(), logLevel: 'fatal' } });
  t.teardown(async () => {
    await app.close();
    await own.kill();
  });
  const from = nextAddress();
  const gauge = async () =>
    /^lintel_redis_up (\d)$/m.exec((await client(app.origin).get<string>('/api/metrics')).body)?.[1];
  t.equal(await gauge(), '1');
  const answers = [];
  for (let n = 0; n < 60; n++) {
    answers.push(attempt(app.origin, from));
    if (n === 20) await own.kill();
  }
  const { let: passed, refused } = statuses(await Promise.all(answers));
  t.equal(passed + refused, 60, 'no other answer');
  // The count in the database begins at zero.
  t.ok(passed >= LIMIT && passed <= 2 * LIMIT, `${passed} were let through`);
  t.equal((await attempt(app.origin, from)).status, 429);
  t.equal((await client(app.origin).get('/api/ready')).status, 200);
  t.equal(await gauge(), '0');
  for (let n = 0; n < 5; n++) t.ok((await limiter.hit('without identifying data', 10)).allowed);
  await until(() => lines.length > 0);
  t.match(lines, [{ level: 40, msg: /the database counts in the meantime/ }], 'logged once');
  await own.start();
  await until(async () => (await gauge()) === '1' && lines.length === 2, 15_000);
  t.match(lines[1], { level: 30, msg: /responds again/ });
  const before = await inDatabase();
  t.equal((await attempt(app.origin, nextAddress())).status, 401);
  t.equal(await inDatabase(), before);
});

t.test('a wrong password or no server only causes a warning', async (t) => {
  const nobody = createServer().listen(0, '127.0.0.1');
  await once(nobody, 'listening');
  const { port } = nobody.address() as AddressInfo;
  nobody.close();
  for (const [url, reason] of [
    [redis.url('guess-of-mine'), /WRONGPASS/],
    [`redis://127.0.0.1:${port}`, /ECONNREFUSED/],
    ['redis://no-such-host.invalid', /ENOTFOUND|EAI_AGAIN|no answer/],
  ] as const) {
    const { limiter, lines, startedMs } = await limiterOf(url);
    t.ok(startedMs < START_MS, `the start takes ${Math.round(startedMs)} ms`);
    const key = `wrong ${Math.random()}`;
    t.match(await limiter.hit(key, 2), { allowed: true, remaining: 1 });
    t.match(await limiter.hit(key, 2), { remaining: 0 });
    t.match(lines, [{ level: 40, reason }]);
    t.notMatch(JSON.stringify(lines), /guess-of-mine/, 'no secret in the log');
  }
});

t.test('a server that never answers delays each caller once by at most a fifth of a second', async (t) => {
  const own = await new RedisServer().start();
  t.teardown(() => own.kill());
  const { limiter, lines } = await limiterOf(own.url());
  await limiter.hit('before', 100);
  own.isMute = true;
  const began = performance.now();
  const states = await Promise.all(Array.from({ length: 20 }, () => limiter.hit('slow', 100)));
  const took = performance.now() - began;
  t.ok(took >= 190 && took < 2_000, `${Math.round(took)} ms`);
  t.strictSame(
    states.map(({ remaining }) => remaining).sort((a, b) => a - b),
    Array.from({ length: 20 }, (_, n) => 80 + n),
    'each is counted, by the database',
  );
  // Only the counting: the test of the connection, by PING, begins at any time from here on.
  const counted = () => own.commands.filter(([name]) => name === 'EVAL').length;
  const asked = counted();
  await limiter.hit('slow', 100);
  t.equal(counted(), asked, 'the next one does not wait');
  t.match(lines, [{ level: 40, reason: 'no answer within 200 ms' }]);
  own.isMute = false;
  await until(() => limiter.isShared, 15_000);
});

t.test('the start does not wait for a server that never answers, and closing leaves no connection', async (t) => {
  const own = await new RedisServer().start();
  t.teardown(() => own.kill());
  own.isMute = true;
  const { limiter, startedMs } = await limiterOf(own.url());
  t.ok(startedMs < START_MS, `started after ${Math.round(startedMs)} ms`);
  t.ok((await limiter.hit('mute', 10)).allowed);
  own.isMute = false;
  await until(() => limiter.isShared, 15_000);
  const app = await testApp({ database, config: { redisUrl: own.url(), logLevel: 'fatal' } });
  t.equal(own.connections, 2);
  await app.close();
  limiter.close();
  await until(() => own.connections === 0);
});
