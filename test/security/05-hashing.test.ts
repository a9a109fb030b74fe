/**
 * Hashing and verifying passwords uses few threads, with a limited share for each caller. Runs in a process of its own, with the
 * parameters of the service.
 */
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { PasswordHasher } from '../../core/identity/passwords/index.js';
import { HashQueue } from '../../core/identity/passwords/hash-queue.js';
import { client, login, makeUser, nextAddress, PASSWORD, registerAdmin, sql, testApp, until } from '../support/app.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const admin = await registerAdmin(one.origin);

const NEW = 'loud-heron-skips-9-puddles';

t.test('changes of the password are limited per user, in any minute and over all nodes', async (t) => {
  const viewer = await makeUser(admin, 'viewer');
  const change = (n: number) =>
    client(n % 2 ? one.origin : two.origin, viewer.token).post(
      '/auth/change-password',
      { current_password: 'wrong-guess-of-mine', new_password: NEW },
      { from: nextAddress() },
    );
  const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => change(n)));
  t.equal(answers.filter(({ status }) => status === 422).length, 5);
  const refused = answers.filter(({ status }) => status === 429);
  t.equal(refused.length, 55, 'from any address');
  const wait = Number(refused[0]!.headers.get('retry-after'));
  t.ok(wait > 30 && wait <= 60, `again after ${wait} s`);
  t.match(refused[0]!.headers.get('ratelimit-policy'), '"user";q=5;w=60');
  const other = await makeUser(admin, 'viewer');
  t.equal(
    (await other.api.post('/auth/change-password', { current_password: PASSWORD, new_password: NEW })).status,
    204,
    'another user is not limited',
  );
});

t.test('the current password is required before the new one is hashed', async (t) => {
  const hasher = new PasswordHasher();
  const user = await makeUser(admin, 'viewer');
  const { account } = one.app.services.auth;
  const held = Reflect.get(account, 'credentials') as { hasher: PasswordHasher };
  const calls: string[] = [];
  const spied = new Proxy(hasher, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      return typeof value !== 'function'
        ? value
        : (...args: unknown[]) => {
            calls.push(String(name));
            return Reflect.apply(value, target, args) as unknown;
          };
    },
  });
  const own = Reflect.get(account, 'hasher') as PasswordHasher;
  Reflect.set(held, 'hasher', spied);
  Reflect.set(account, 'hasher', spied);
  t.teardown(() => {
    Reflect.set(held, 'hasher', own);
    Reflect.set(account, 'hasher', own);
  });
  const change = (current_password: string) =>
    user.api.post('/auth/change-password', { current_password, new_password: NEW });
  t.match(await change('wrong-guess-of-mine'), { status: 422, body: { errors: [{ field: '/current_password' }] } });
  t.strictSame(calls, ['check', 'verify'], 'wrong: the new one is not hashed');
  await sql(
    one.database,
    `update login_misses set limited_until = now() + interval '1 minute' where source like 'session %'`,
  );
  calls.length = 0;
  t.equal((await change(PASSWORD)).status, 422);
  t.strictSame(calls, ['check'], 'refused for too many misses: nothing is verified');
  await sql(one.database, 'delete from login_misses');
  calls.length = 0;
  t.equal((await change(PASSWORD)).status, 204);
  t.strictSame(calls, ['check', 'verify', 'hash']);
});

t.test('fewer passwords are hashed at once than there are threads, and callers take turns', async (t) => {
  const queue = new HashQueue({ atOnce: 2, waiting: 20, share: 10, waitMs: 10_000 });
  let running = 0;
  let most = 0;
  const order: string[] = [];
  const work = (caller: string) =>
    queue.run(caller, async () => {
      most = Math.max(most, ++running);
      await delay(2);
      running--;
      order.push(caller);
    });
  const crowd = Array.from({ length: 10 }, () => work('busy caller'));
  const refused = await work('busy caller').then(
    () => undefined,
    (error: unknown) => error,
  );
  t.match(refused, { status: 503, headers: { 'retry-after': /^\d+$/ } }, 'beyond the share of a caller');
  await Promise.all([...crowd, work('another'), work('a third')]);
  t.equal(most, 2);
  t.ok(order.indexOf('another') <= 5 && order.indexOf('a third') <= 5, order.join(', '));
  t.equal(queue.size, 0);
  const full = Array.from({ length: 22 }, (_, n) => work(`caller ${n}`));
  t.match(
    await work('the last').then(
      () => undefined,
      (error: unknown) => error,
    ),
    { status: 503 },
    'beyond the length of the queue',
  );
  await Promise.all(full);
});

t.test('threads and a processor are left for everything else', async (t) => {
  for (const threads of [2, 3, 4, 8, 64]) {
    const atOnce = Reflect.get(new PasswordHasher(threads), 'atOnce') as number;
    t.ok(
      atOnce >= 1 &&
        atOnce < threads &&
        atOnce <= Math.max(1, threads - 2) &&
        atOnce <= Math.max(1, availableParallelism() - 1),
      `${atOnce} of ${threads}`,
    );
  }
});

t.test('waiting is limited in time, and leaves nothing in the queue', async (t) => {
  const queue = new HashQueue({ atOnce: 1, waiting: 5, share: 5, waitMs: 30 });
  let end: (() => void) | undefined;
  const long = queue.run(
    'slow',
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  const late = await Promise.all(
    [queue.run('a', async () => 'ran'), queue.run('a', async () => 'ran'), queue.run('b', async () => 'ran')].map(
      (run) => run.catch((error: { status: number }) => error.status),
    ),
  );
  t.strictSame(late, [503, 503, 503]);
  t.equal(queue.size, 1);
  end!();
  await long;
  t.equal(await queue.run('a', async () => 'ran'), 'ran');
  t.equal(queue.size, 0);
});

t.test('of too many concurrent log-ins some get a 503, whether or not the account exists', async (t) => {
  const user = await makeUser(admin, 'viewer');
  const attempt = (email: string) =>
    client(one.origin).post('/auth/login', { email, password: PASSWORD }, { from: nextAddress() });
  // More log-ins than may run and wait, alternately for an existing and a nonexistent account.
  const answers = await Promise.all(
    Array.from({ length: 160 }, async (_, n) => ({
      known: n % 2 === 0,
      ...(await attempt(n % 2 ? `nobody-${n}@example.org` : user.user.email)),
    })),
  );
  const busy = answers.filter(({ status }) => status === 503);
  t.ok(busy.length > 0, `${busy.length} of 160 are 503`);
  t.ok(busy.some(({ known }) => known) && busy.some(({ known }) => !known), 'of both kinds');
  t.strictSame(
    [...new Set(answers.filter(({ known, status }) => known && status !== 503).map(({ status }) => status))],
    [200],
  );
  t.strictSame(
    [...new Set(answers.filter(({ known, status }) => !known && status !== 503).map(({ status }) => status))],
    [401],
  );
  const shown = new Set(
    busy.map(({ body, headers }) => JSON.stringify([{ ...body, request_id: '' }, headers.get('retry-after')])),
  );
  t.equal(shown.size, 1, [...shown].join('\n'));
  t.match(busy[0]!.headers.get('retry-after'), /^\d+$/);
  t.ok(await login(one.origin, user.user.email), 'a log-in is possible afterwards');
});

t.test('while a viewer tries to change the password 60 times at once, others log in', async (t) => {
  const viewer = await makeUser(admin, 'viewer');
  await admin.api.patch('/settings', { rate_limits: { change_password: 10_000 }, login_limits: { max_misses: 100 } });
  await until(() => one.app.services.settings.current.login_limits.max_misses === 100);
  const change = () =>
    viewer.api.post('/auth/change-password', { current_password: 'wrong-guess-of-mine', new_password: NEW });
  const attack = Promise.all(Array.from({ length: 60 }, change));
  const others = await Promise.all(Array.from({ length: 3 }, () => login(one.origin, viewer.user.email)));
  t.equal(others.length, 3, 'also without the limit of requests');
  const statuses = (await attack).map(({ status }) => status);
  t.ok(
    statuses.every((status) => status === 422 || status === 503),
    [...new Set(statuses)].join(', '),
  );
  t.ok(statuses.includes(503), 'beyond the share of a user');
});
