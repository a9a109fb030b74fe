/** A stolen access token does not become a lasting session. */
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
  type Session,
} from '../support/app.js';

interface Tokens {
  access_token: string;
  refresh_token?: string;
  expires_in: number;
}

const one = await testApp({ config: { accessTokenExpireMinutes: 43_200 } });
t.teardown(() => one.close());
const admin = await registerAdmin(one.origin);

const withBearer = (token: string, body?: object) =>
  client(one.origin, token).post<Tokens>('/auth/refresh', body, { from: nextAddress() });
const withToken = (refresh_token: string) =>
  client(one.origin).post<Tokens>('/auth/refresh', { refresh_token }, { from: nextAddress() });
const expiry = (token: string): number =>
  (JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { exp: number }).exp * 1_000;
const endOf = async ({ api }: Session): Promise<number> =>
  Date.parse(
    (await api.get<{ items: { current: boolean; expires_at: string }[] }>('/auth/sessions')).body.items.find(
      ({ current }) => current,
    )!.expires_at,
  );
const DAY = 86_400_000;

t.test('a bearer token returns only an access token, and the refresh token of the session remains valid', async (t) => {
  const victim = await makeUser(admin, 'member');
  const stolen = await withBearer(victim.token);
  t.equal(stolen.status, 200);
  t.notOk('refresh_token' in stolen.body);
  for (let n = 0; n < 3; n++) t.equal((await withBearer(stolen.body.access_token, {})).status, 200);
  const own = await withToken(victim.refreshToken);
  t.equal(own.status, 200, 'the refresh token of the user is valid');
  t.type(own.body.refresh_token, 'string');
  t.equal((await withToken(victim.refreshToken)).status, 401, 'a second use is refused');
  t.equal((await withBearer(stolen.body.access_token)).status, 401, 'and ends the session with all its tokens');
});

t.test('refreshing does not extend the session, and no token is valid longer', async (t) => {
  const user = await makeUser(admin, 'member');
  const end = await endOf(user);
  t.ok(Math.abs(end - Date.now() - 30 * DAY) < 60_000, 'thirty days');
  let { token } = user;
  let refreshToken = user.refreshToken;
  for (let n = 0; n < 3; n++) {
    token = (await withBearer(token)).body.access_token;
    const answer = await withToken(refreshToken);
    refreshToken = answer.body.refresh_token!;
    t.ok(expiry(token) <= end && expiry(answer.body.access_token) <= end);
  }
  t.equal(await endOf({ ...user, api: client(one.origin, token) }), end);
  const [row] = await sql<{ ok: boolean }>(
    one.database,
    'select bool_and(r.expires_at <= s.expires_at) as ok from refresh_tokens r join sessions s on s.id = r.session_id where s.user_id = $1',
    [user.user.id],
  );
  t.ok(row!.ok, 'refresh tokens expire with the session');
  // One hour before the end of the session its tokens are valid for at most one hour.
  await sql(one.database, `update sessions set expires_at = now() + interval '1 hour' where user_id = $1`, [
    user.user.id,
  ]);
  const late = await withBearer(token);
  t.ok(late.body.expires_in <= 3_600, `${late.body.expires_in} s`);
  t.ok((await withToken(refreshToken)).body.expires_in <= 3_600);
  await sql(one.database, `update sessions set expires_at = now() - interval '1 second' where user_id = $1`, [
    user.user.id,
  ]);
  await sql(one.database, `update revisions set revision = revision + 1 where kind = 'sessions'`);
  const other = await testApp({ database: one.database });
  t.teardown(other.close);
  t.equal(
    (await client(other.origin, late.body.access_token).post('/auth/refresh', undefined, { from: nextAddress() }))
      .status,
    401,
  );
});

t.test('log-out and a new password end refreshed tokens', async (t) => {
  const user = await makeUser(admin, 'member');
  const stolen = (await withBearer(user.token)).body.access_token;
  t.equal((await user.api.post('/auth/logout')).status, 204);
  t.equal((await withBearer(stolen)).status, 401);
  const again = await login(one.origin, user.user.email);
  const elsewhere = await login(one.origin, user.user.email);
  const taken = (await withBearer(elsewhere.token)).body.access_token;
  t.equal(
    (
      await again.api.post('/auth/change-password', {
        current_password: PASSWORD,
        new_password: 'loud-heron-skips-9-puddles',
      })
    ).status,
    204,
  );
  t.equal((await withBearer(taken)).status, 401);
});

t.test('the duration of a session is a setting', async (t) => {
  const user = await makeUser(admin, 'member');
  t.equal((await admin.api.patch('/settings', { session_days: 2 })).status, 200);
  const short = await login(one.origin, user.user.email);
  t.ok(Math.abs((await endOf(short)) - Date.now() - 2 * DAY) < 60_000);
  t.ok(expiry(short.token) <= (await endOf(short)), 'access tokens expire with the session');
  t.ok((await endOf(user)) > Date.now() + 29 * DAY, 'existing sessions are unchanged');
});
