import t from 'tap';
import { client, makeUser, nextAddress, PASSWORD, registerAdmin, sql, testApp, until } from '../support/app.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const admin = await registerAdmin(one.origin);
const viewer = await makeUser(admin, 'viewer');

const settings = () => [one, two].map(({ app }) => app.services.settings.current);

t.test('limits have bounds, and absent members are unchanged', async (t) => {
  const faults = await admin.api.patch('/settings', {
    login_limits: { max_misses: 2, max_misses_unknown_addresses: 2, lock_minutes: 1_441, other: 1 },
    rate_limits: { login: 0, register: 10_001, refresh: '60', change_password: 0, sso: 0 },
    session_days: 0,
  });
  t.equal(faults.status, 422);
  t.strictSame(faults.body.errors.map((e) => e.field).sort(), [
    '/login_limits/lock_minutes',
    '/login_limits/max_misses',
    '/login_limits/max_misses_unknown_addresses',
    '/login_limits/other',
    '/rate_limits/change_password',
    '/rate_limits/login',
    '/rate_limits/refresh',
    '/rate_limits/register',
    '/rate_limits/sso',
    '/session_days',
  ]);
  const changed = await admin.api.patch<Record<string, unknown>>('/settings', {
    login_limits: { max_misses: 3 },
    rate_limits: { login: 7 },
  });
  t.match(changed.body, {
    login_limits: { max_misses: 3, max_misses_unknown_addresses: 20, window_minutes: 15, lock_minutes: 15 },
    rate_limits: { login: 7, register: 5, refresh: 60, change_password: 5, sso: 20 },
  });
  t.notMatch((await client(one.origin).get<object>('/settings')).body, { login_limits: {} }, 'not for everybody');
});

t.test('the number of misses before a log-in is blocked applies on every node', async (t) => {
  await until(() => settings().every((s) => s.login_limits.max_misses === 3), 1_000);
  const from = nextAddress();
  const attempt = (origin: string, password: string) =>
    client(origin).post('/auth/login', { email: viewer.user.email, password }, { from });
  const minutes = async () =>
    (
      await sql<{ minutes: number }>(
        one.database,
        'select round(extract(epoch from limited_until - now()) / 60)::int as minutes from login_misses where source = $1',
        [from],
      )
    )[0]!.minutes;
  for (const { origin } of [one, two, one]) t.equal((await attempt(origin, 'wrong-guess-of-mine')).status, 401);
  t.equal((await attempt(two.origin, PASSWORD)).status, 401, 'refused');
  t.equal(await minutes(), 15);
  await sql(one.database, 'delete from login_misses');
  await sql(one.database, 'delete from rate_hits');
  await admin.api.patch('/settings', { login_limits: { max_misses: 4, lock_minutes: 2, window_minutes: 1 } });
  await until(() => settings().every((s) => s.login_limits.max_misses === 4), 1_000);
  for (let n = 0; n < 3; n++) await attempt(two.origin, 'wrong-guess-of-mine');
  await sql(
    one.database,
    `update login_misses set at = (select array_agg(h - interval '61 seconds') from unnest(at) as h) where source = $1`,
    [from],
  );
  await attempt(one.origin, 'wrong-guess-of-mine');
  t.equal((await attempt(one.origin, PASSWORD)).status, 200, 'misses outside of the window do not count');
  await sql(one.database, 'delete from rate_hits');
  for (let n = 0; n < 4; n++) await attempt(two.origin, 'wrong-guess-of-mine');
  t.equal(await minutes(), 2);
});

t.test('the limit of a route follows the settings immediately', async (t) => {
  const policy = async (origin: string) =>
    (
      await client(origin).post(
        '/auth/login',
        { email: 'nobody@example.org', password: 'wrong-guess-of-mine' },
        { from: nextAddress() },
      )
    ).headers.get('ratelimit-policy');
  t.equal(await policy(one.origin), '"address";q=7;w=60');
  for (const [path, setting] of [
    ['/auth/forgot-password', 'forgot_password'],
    ['/auth/reset-password', 'reset_password'],
    ['/auth/accept-invitation', 'accept_invitation'],
    ['/auth/email-change/confirm', 'email_change_links'],
    ['/auth/email-change/withdraw', 'email_change_links'],
    ['/auth/email-change', 'email_change'],
  ] as const) {
    const limited = async () =>
      (await viewer.api.post(path, {}, { from: nextAddress() })).headers.get('ratelimit-policy')?.split(';')[1];
    t.equal(await limited(), 'q=5', path);
    await admin.api.patch('/settings', { rate_limits: { [setting]: 9 } });
    t.equal(await limited(), 'q=9', path);
    await admin.api.patch('/settings', { rate_limits: { [setting]: 5 } });
  }
  await admin.api.patch('/settings', { rate_limits: { login: 2 } });
  t.equal(await policy(one.origin), '"address";q=2;w=60');
  await until(async () => (await policy(two.origin)) === '"address";q=2;w=60', 1_000);
  const from = nextAddress();
  const hits = await Promise.all(
    Array.from({ length: 5 }, () =>
      client(two.origin).post(
        '/auth/login',
        { email: 'nobody@example.org', password: 'wrong-guess-of-mine' },
        { from },
      ),
    ),
  );
  t.equal(hits.filter(({ status }) => status === 401).length, 2, 'two a minute are let through');
});
