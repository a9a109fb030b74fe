import { createHmac } from 'node:crypto';
import t from 'tap';
import { client, login, makeUser, registerAdmin, testApp } from '../support/app.js';

const KEYS = [
  'first-key-of-the-test-0123456789abcdef',
  'second-key-of-the-test-0123456789abcde',
  'third-key-of-the-test-0123456789abcdef',
] as const;

const app = await testApp();
const before = await testApp({ config: { jwtSecret: KEYS[0] } });
const changing = await testApp({
  database: before.database,
  config: { jwtSecret: KEYS[1], jwtSecretPrevious: KEYS[0] },
});
const after = await testApp({ database: before.database, config: { jwtSecret: KEYS[2], jwtSecretPrevious: KEYS[1] } });
t.teardown(async () => {
  await Promise.all([app, before, changing, after].map((a) => a.close()));
});
const admin = await registerAdmin(app.origin);
const member = await makeUser(admin, 'member');
const rotated = await registerAdmin(before.origin);

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const HS: Record<string, string> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

function forge(header: { alg: string }, claims: object, key: string): string {
  const input = `${part({ typ: 'JWT', ...header })}.${part(claims)}`;
  const hash = HS[header.alg];
  return `${input}.${hash === undefined ? '' : createHmac(hash, key).update(input).digest('base64url')}`;
}

const status = async (token: string, origin = app.origin): Promise<number> =>
  (await client(origin).get('/auth/me', { headers: { authorization: `Bearer ${token}` } })).status;

t.test('a forged token is refused', async (t) => {
  const key = app.app.services.tokenKeys.current;
  const claims = JSON.parse(Buffer.from(admin.token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
  const HS256 = { alg: 'HS256' };
  t.equal(await status(forge(HS256, claims, key)), 200, 'a token signed here with the right key is accepted');

  const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([k]) => k !== name));
  const [head, , signature] = admin.token.split('.') as [string, string, string];
  const now = Math.floor(Date.now() / 1000);
  const memberClaims = JSON.parse(Buffer.from(member.token.split('.')[1]!, 'base64url').toString()) as Record<
    string,
    unknown
  >;
  const forgeries: Record<string, string> = {
    'algorithm none': forge({ alg: 'none' }, claims, key),
    'algorithm None': forge({ alg: 'None' }, claims, key),
    'none with a signature': `${forge({ alg: 'none' }, claims, key)}${signature}`,
    'another key': forge(HS256, claims, 'x'.repeat(43)),
    'an empty key': forge(HS256, claims, ''),
    HS384: forge({ alg: 'HS384' }, claims, key),
    HS512: forge({ alg: 'HS512' }, claims, key),
    'an unknown critical extension': forge({ alg: 'HS256', crit: ['b64'], b64: false } as { alg: string }, claims, key),
    expired: forge(HS256, { ...claims, exp: now - 1 }, key),
    'exp as text': forge(HS256, { ...claims, exp: '9999999999' }, key),
    'not yet valid': forge(HS256, { ...claims, nbf: now + 600 }, key),
    'another issuer': forge(HS256, { ...claims, iss: 'other' }, key),
    'another audience': forge(HS256, { ...claims, aud: 'other' }, key),
    'the session of another user': forge(HS256, { ...claims, sid: memberClaims['sid'] }, key),
    'a session that is no id': forge(HS256, { ...claims, sid: 'x' }, key),
    'a payload changed after signing': `${head}.${part({ ...claims, role: 'viewer' })}.${signature}`,
    'a signature cut short': admin.token.slice(0, -4),
    'no JSON': 'a.b.c',
    'too many parts': `${admin.token}.x`,
    ...Object.fromEntries(
      ['sub', 'sid', 'role', 'jti', 'iat', 'exp', 'iss', 'aud'].map((name) => [
        `no ${name}`,
        forge(HS256, without(name), key),
      ]),
    ),
  };
  for (const [name, token] of Object.entries(forgeries)) t.equal(await status(token), 401, name);
});

t.test('the role in the token is ignored', async (t) => {
  const claims = JSON.parse(Buffer.from(member.token.split('.')[1]!, 'base64url').toString()) as Record<
    string,
    unknown
  >;
  const token = forge({ alg: 'HS256' }, { ...claims, role: 'admin' }, app.app.services.tokenKeys.current);
  t.equal(await status(token), 200);
  t.equal((await client(app.origin, token).get('/users')).status, 403);
});

t.test('the Authorization header must be a bearer token', async (t) => {
  const header = async (authorization: string) =>
    (await client(app.origin).get('/auth/me', { headers: { authorization } })).status;
  t.equal(await header(`bearer ${admin.token}`), 200, 'schemes have no case');
  for (const value of [
    admin.token,
    `Basic ${admin.token}`,
    'Bearer',
    'Bearer ',
    `Bearer ${admin.token} ${admin.token}`,
    `Bearer "${admin.token}"`,
  ])
    t.equal(await header(value), 401);
  const refused = await client(app.origin).get('/auth/me');
  t.equal(refused.status, 401);
  t.match(refused.headers.get('www-authenticate'), /^Bearer/);
});

t.test('keys change without ending sessions', async (t) => {
  t.equal(await status(rotated.token, before.origin), 200);
  t.equal(await status(rotated.token, changing.origin), 200, 'the previous key verifies');
  t.equal(await status(rotated.token, after.origin), 401, 'the one before does not');
  const renewed = await login(changing.origin, rotated.user.email);
  t.equal(await status(renewed.token, after.origin), 200);
  t.equal(await status(renewed.token, before.origin), 401, 'a node that does not know the new key');
});

t.test('without a configured key all nodes use the same one', async (t) => {
  const [a, b] = await Promise.all([testApp({ database: app.database }), testApp({ database: app.database })]);
  t.teardown(async () => {
    await Promise.all([a.close(), b.close()]);
  });
  t.equal(await status(admin.token, a.origin), 200);
  t.equal(await status((await login(a.origin, member.user.email)).token, b.origin), 200);
});

t.test('an access token expires after its configured lifetime', async (t) => {
  const short = await testApp({ database: app.database, config: { accessTokenExpireMinutes: 1 } });
  t.teardown(short.close);
  const { token } = await login(short.origin, member.user.email);
  const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as {
    iat: number;
    exp: number;
  };
  t.equal(exp - iat, 60);
});
