import t from 'tap';
import {
  client,
  login,
  makeUser,
  nextAddress,
  PASSWORD,
  registerAdmin,
  sql,
  testApp,
  until,
  type Session,
} from '../support/app.js';
import { concurrently } from '../support/concurrently.js';

interface Tokens {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
  user: Session['user'] & { permissions: string[] };
}

const empty = await testApp();
const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([empty.close(), one.close(), two.close()]);
});

const admin = await registerAdmin(one.origin);
const guest = client(one.origin);
const status = async (origin: string, token: string): Promise<number> =>
  (await client(origin, token).get('/auth/me')).status;
const refresh = (refresh_token: string, origin = one.origin) =>
  client(origin).post<Tokens>('/auth/refresh', { refresh_token }, { from: nextAddress() });
const tryLogin = (email: string, password: string, origin = one.origin) =>
  client(origin).post('/auth/login', { email, password }, { from: nextAddress() });

t.test(
  'one of 20 concurrent registrations in an empty workspace creates the administrator, the others are refused',
  async (t) => {
    const register = (n: number) =>
      client(empty.origin).post<Tokens>(
        '/auth/register',
        { email: `u${n}@example.org`, password: PASSWORD, display_name: `U ${n}` },
        { from: nextAddress() },
      );
    const answers = await concurrently(empty.database, 'lock table users in share row exclusive mode', 15, () =>
      Promise.all(Array.from({ length: 20 }, (_, n) => register(n))),
    );
    t.equal(answers.filter((a) => a.status === 201).length, 1);
    t.equal(answers.filter((a) => a.status === 403).length, 19);
    t.strictSame(await sql(empty.database, 'select role from users'), [{ role: 'admin' }]);
  },
);

t.test('a log-in returns tokens and the user, and must not be cached', async (t) => {
  const user = await makeUser(admin, 'member');
  const answer = await guest.post<Tokens>(
    '/auth/login',
    { email: user.user.email.toUpperCase(), password: PASSWORD },
    { from: nextAddress() },
  );
  t.equal(answer.status, 200);
  t.match(answer.body, { token_type: 'bearer', expires_in: 86_400, user: { id: user.user.id, role: 'member' } });
  t.ok(answer.body.user.permissions.includes('cards.edit'));
  t.equal(answer.headers.get('cache-control'), 'no-store');
  t.notMatch(JSON.stringify(answer.body), /argon2|password/);
});

t.test('a refresh token is valid once; its reuse ends the session', async (t) => {
  const user = await makeUser(admin, 'member');
  const second = await refresh(user.refreshToken);
  t.equal(second.status, 200);
  t.equal(await status(one.origin, second.body.access_token), 200);
  const third = await refresh(second.body.refresh_token);
  t.equal(third.status, 200);
  t.match((await refresh(user.refreshToken)).body, { code: 'invalid_token' });
  t.equal((await refresh(third.body.refresh_token)).status, 401, 'the newest refresh token died with the session');
  t.equal(await status(one.origin, third.body.access_token), 401);
  t.equal((await tryLogin(user.user.email, PASSWORD)).status, 200, 'the account is unchanged');
});

t.test(
  'exactly one of 50 concurrent refreshes with one token on two nodes succeeds, and the session ends',
  async (t) => {
    const user = await makeUser(admin, 'member');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => refresh(user.refreshToken, n % 2 ? one.origin : two.origin)),
    );
    const winners = answers.filter((a) => a.status === 200);
    t.equal(winners.length, 1);
    t.equal(answers.filter((a) => a.status === 401).length, 49);
    t.equal((await refresh(winners[0]!.body.refresh_token)).status, 401);
    for (const { origin } of [one, two])
      await until(async () => (await status(origin, winners[0]!.body.access_token)) === 401, 1_000);
    const [row] = await sql(
      one.database,
      `select count(*)::int as live from sessions where user_id = $1 and ended_at is null`,
      [user.user.id],
    );
    t.equal(row!['live'], 0);
  },
);

t.test(
  'a valid bearer token refreshes its session, with any object or no body, and the refresh token remains valid',
  async (t) => {
    const user = await makeUser(admin, 'member');
    for (const body of [undefined, {}, { anything: [1, 2] }]) {
      const answer = await user.api.post<Tokens>('/auth/refresh', body, { from: nextAddress() });
      t.equal(answer.status, 200);
      t.equal(await status(one.origin, answer.body.access_token), 200);
      t.notOk('refresh_token' in answer.body, 'only an access token');
    }
    t.equal((await refresh(user.refreshToken)).status, 200, 'the refresh token is as good as before');
    t.equal((await guest.post('/auth/refresh', {}, { from: nextAddress() })).status, 401);
    t.match((await guest.post('/auth/refresh', { refresh_token: 5 }, { from: nextAddress() })).body, {
      code: 'validation_failed',
      errors: [{ field: '/refresh_token' }],
    });
  },
);

t.test('a log-out ends the session immediately here and within a second on another node', async (t) => {
  const user = await makeUser(admin, 'member');
  t.equal(await status(two.origin, user.token), 200, 'the other node has the session in memory');
  t.equal((await user.api.post('/auth/logout')).status, 204);
  const began = performance.now();
  t.equal(await status(one.origin, user.token), 401);
  await until(async () => (await status(two.origin, user.token)) === 401, 1_000);
  t.comment(`seen on the other node after ${Math.round(performance.now() - began)} ms`);
  t.equal((await refresh(user.refreshToken)).status, 401);
});

t.test('wrong, unknown, disabled and limited have the same answer and response time', async (t) => {
  const [limited, disabled, wrong] = [
    await makeUser(admin, 'member'),
    await makeUser(admin, 'member'),
    await makeUser(admin, 'member'),
  ];
  t.equal((await admin.api.patch(`/users/${disabled.user.id}`, { is_active: false })).status, 200);
  const from = nextAddress();
  const tryFrom = (email: string, password: string) =>
    client(one.origin).post('/auth/login', { email, password }, { from });
  for (let n = 0; n < 5; n++) t.equal((await tryFrom(limited.user.email, `wrong-guess-number-${n}`)).status, 401);
  const cases: [string, string][] = [
    [wrong.user.email, 'wrong-guess-of-mine'],
    ['nobody@example.org', PASSWORD],
    [disabled.user.email, PASSWORD],
    [limited.user.email, PASSWORD],
  ];
  const seen = new Set<string>();
  for (const [email, password] of cases) {
    const began = performance.now();
    const { status, headers, body } = await tryFrom(email, password);
    t.ok(performance.now() - began >= 140, `${email} was refused in step`);
    const names = [...headers.keys()].filter((name) => name !== 'connection').sort();
    seen.add(JSON.stringify([status, { ...body, request_id: '' }, headers.get('www-authenticate'), names]));
  }
  t.equal(seen.size, 1, [...seen].join('\n'));
  await sql(one.database, `update login_misses set limited_until = now() - interval '1 second' where source = $1`, [
    from,
  ]);
  t.equal((await tryFrom(limited.user.email, PASSWORD)).status, 200, 'the time is over');
  t.strictSame(
    await sql(one.database, `select * from login_misses where source = $1 and cardinality(at) = 5`, [from]),
    [],
    'and the misses are forgiven',
  );
});

t.test('a correct password is refused if attempts were blocked while it was verified', async (t) => {
  const user = await makeUser(admin, 'member');
  const from = nextAddress();
  const attempt = (password: string) =>
    client(one.origin).post('/auth/login', { email: user.user.email, password }, { from });
  t.equal((await attempt('wrong-guess-of-mine')).status, 401);
  const lock = `update login_misses set limited_until = now() + interval '15 minutes' where source = '${from}'`;
  t.equal((await concurrently(one.database, lock, 1, () => attempt(PASSWORD))).status, 401);
});

t.test('registration is possible only if the workspace enables it, and assigns the default role', async (t) => {
  const register = (body: object) =>
    guest.post<Tokens & { errors: { field: string }[] }>('/auth/register', body, { from: nextAddress() });
  const body = { email: ' New.One@Example.org ', password: PASSWORD, display_name: ' New One ' };
  t.match((await register(body)).body, { code: 'registration_disabled' });
  t.equal((await admin.api.patch('/settings', { registration: { enabled: true } })).status, 200);
  t.match((await register(body)).body, {
    user: { email: 'New.One@Example.org', display_name: 'New One', role: 'member' },
  });
  t.match(await register({ ...body, email: 'new.one@example.ORG' }), { status: 409, body: { code: 'email_taken' } });
  const faults = await register({
    email: 'no address',
    password: 'short',
    display_name: 'a\r\nb',
    role: 'admin',
    is_active: true,
  });
  t.equal(faults.status, 422);
  t.strictSame(faults.body.errors.map((e) => e.field).sort(), [
    '/display_name',
    '/email',
    '/is_active',
    '/password',
    '/role',
  ]);
  t.match(await register({ ...body, email: 'other@example.org', password: 'Password2024!' }), {
    status: 422,
    body: { errors: [{ field: '/password' }] },
  });
  t.match(await register({ ...body, email: 'other@example.org\r\nBcc: x@example.org' }), {
    status: 422,
    body: { errors: [{ field: '/email' }] },
  });
  await admin.api.patch('/settings', { registration: { enabled: false } });
});

t.test('a role changes immediately here and within a second on another node, in both directions', async (t) => {
  const user = await makeUser(admin, 'member');
  const there = client(two.origin, user.token);
  t.equal((await there.get('/users')).status, 403);
  t.equal((await admin.api.patch(`/users/${user.user.id}`, { role: 'admin' })).status, 200);
  t.equal((await user.api.get('/users')).status, 200);
  await until(async () => (await there.get('/users')).status === 200, 1_000);
  t.equal((await admin.api.patch(`/users/${user.user.id}`, { role: 'viewer' })).status, 200);
  t.equal((await user.api.get('/users')).status, 403);
  await until(async () => (await there.get('/users')).status === 403, 1_000);
  t.match((await user.api.get('/auth/me')).body, { role: 'viewer' });
});

t.test('deactivating a user ends all sessions and refresh tokens', async (t) => {
  const user = await makeUser(admin, 'member');
  const other = await login(two.origin, user.user.email);
  t.equal(await status(two.origin, other.token), 200);
  t.equal((await admin.api.patch(`/users/${user.user.id}`, { is_active: false })).status, 200);
  t.equal(await status(one.origin, user.token), 401);
  await until(async () => (await status(two.origin, other.token)) === 401, 1_000);
  t.equal((await refresh(user.refreshToken)).status, 401);
  t.equal((await admin.api.patch(`/users/${user.user.id}`, { is_active: true })).status, 200);
  t.equal(await status(one.origin, user.token), 401, 'an ended session is not restored');
  t.equal((await tryLogin(user.user.email, PASSWORD)).status, 200);
});

t.test('changing the password ends the other sessions only', async (t) => {
  const user = await makeUser(admin, 'member');
  const other = await login(one.origin, user.user.email);
  const change = (current_password: string, new_password: string) =>
    user.api.post('/auth/change-password', { current_password, new_password });
  t.equal(await status(two.origin, other.token), 200);
  t.match(await change('not-the-password', 'loud-heron-skips-9-puddles'), {
    status: 422,
    body: { errors: [{ field: '/current_password' }] },
  });
  t.match(await change(PASSWORD, 'qwertyuiop'), { status: 422, body: { errors: [{ field: '/new_password' }] } });
  t.equal((await change(PASSWORD, 'loud-heron-skips-9-puddles')).status, 204);
  t.equal(await status(one.origin, user.token), 200);
  t.equal(await status(one.origin, other.token), 401);
  await until(async () => (await status(two.origin, other.token)) === 401, 1_000);
  t.equal(await status(two.origin, user.token), 200);
  t.equal((await refresh(other.refreshToken)).status, 401);
  t.equal((await tryLogin(user.user.email, PASSWORD)).status, 401);
  t.equal((await tryLogin(user.user.email, 'loud-heron-skips-9-puddles')).status, 200);
});

t.test('users see and end their own sessions, and no others', async (t) => {
  const user = await makeUser(admin, 'member');
  const other = await login(one.origin, user.user.email);
  const list = await user.api.get<{ items: { id: string; current: boolean; address: string }[]; total: number }>(
    '/auth/sessions',
    { query: { page_size: 1, sort_by: 'created_at' } },
  );
  t.match(list.body, { total: 2, items: [{ current: true }] });
  const [mine] = list.body.items;
  const stranger = await makeUser(admin, 'viewer');
  t.equal(await status(two.origin, user.token), 200, 'the other node has the session in memory');
  t.equal((await stranger.api.del(`/auth/sessions/${mine!.id}`)).status, 404);
  t.equal(await status(one.origin, user.token), 200);
  t.equal((await other.api.del(`/auth/sessions/${mine!.id}`)).status, 204);
  t.equal(await status(one.origin, user.token), 401);
  await until(async () => (await status(two.origin, user.token)) === 401, 1_000);
  t.equal((await refresh(user.refreshToken)).status, 401);
  t.equal((await other.api.del(`/auth/sessions/${mine!.id}`)).status, 404);
  t.equal((await other.api.del('/auth/sessions/no-uuid')).status, 404);
});

t.test('the own profile: permitted changes, merged preferences, versions', async (t) => {
  const user = await makeUser(admin, 'member');
  const before = await user.api.get('/auth/me');
  t.match(before.headers.get('etag'), /^"1\./);
  const patched = await user.api.patch('/auth/me', {
    display_name: 'Renamed',
    locale: 'de',
    preferences: { theme: 'dark', list: { size: 50, dense: true } },
  });
  t.match(patched.body, { display_name: 'Renamed', locale: 'de', version: 2 });
  t.match(
    (await user.api.patch('/auth/me', { preferences: { theme: null, list: { size: 20 } } })).body['preferences'],
    { list: { size: 20, dense: true } },
  );
  t.match(await user.api.patch('/auth/me', { locale: 'fr' }, { headers: { 'if-match': '"2"' } }), {
    status: 412,
    body: { code: 'precondition_failed', current_version: 3, changed_fields: ['locale'] },
  });
  t.equal((await user.api.get('/auth/me', { headers: { 'if-none-match': before.headers.get('etag')! } })).status, 200);
  t.equal((await user.api.patch('/auth/me', { preferences: { blob: 'x'.repeat(17_000) } })).status, 422);
  for (const body of [
    { role: 'admin' },
    { is_active: false },
    { email: 'x@example.org' },
    { permissions: ['*'] },
    { password_hash: 'x' },
    {},
  ]) {
    t.equal((await user.api.patch('/auth/me', body)).status, 422, JSON.stringify(body));
  }
  t.match((await user.api.get('/auth/me')).body, { role: 'member', display_name: 'Renamed' });
});

t.test('the event log contains all of this, and no secret', async (t) => {
  const rows = await sql<{ type: string; text: string }>(
    one.database,
    `
    select type, data::text || coalesce(subject_name, '') as text from events union all select type, data::text || coalesce(subject_name, '') from event_outbox`,
  );
  const types = new Set(rows.map((r) => r.type));
  for (const type of [
    'user.registered',
    'user.created',
    'user.updated',
    'user.locked',
    'user.password_changed',
    'session.started',
    'session.refreshed',
    'session.ended',
    'role.created',
    'settings.updated',
  ]) {
    t.ok(types.has(type), type);
  }
  const all = rows.map((r) => r.text).join('\n');
  t.notMatch(all, /argon2|quiet-otter|loud-heron|password_hash/);
  t.notOk(all.includes(admin.refreshToken) || all.includes(admin.token));
});
