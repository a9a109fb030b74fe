/** Attacks on single sign-on: by races, other users, changed settings, and hostile responses of a provider. */
import { createHash } from 'node:crypto';
import t from 'tap';
import {
  client,
  expectStatus,
  lockWaiters,
  makeUser,
  PASSWORD,
  registerAdmin,
  SECRET_KEY,
  sql,
  testApp,
  until,
} from '../support/app.js';
import { concurrently } from '../support/concurrently.js';
import { urlOf } from '../support/database.js';
import { Browser, CA_FILE, CALLBACK, ChosenProvider, CLIENT, PUBLIC_URL } from '../support/oidc.js';
import { dataFolder, startService } from '../support/service.js';

const [chosen, other] = [await ChosenProvider.start(), await ChosenProvider.start()];
const near = await testApp({ config: { publicUrl: PUBLIC_URL } });
const folder = await dataFolder();
const service = await startService({
  dataDir: folder.path,
  env: {
    DATABASE_URL: urlOf(near.database),
    LINTEL_SECRET_KEY: SECRET_KEY,
    PUBLIC_URL,
    OUTBOUND_ALLOW: 'localhost',
    NODE_EXTRA_CA_CERTS: CA_FILE,
    DATABASE_POOL_MAX: '8',
  },
});
t.teardown(async () => {
  await service.stop();
  await near.close();
  await folder.remove();
  for (const provider of [chosen, other]) provider.close();
});
const { database } = near;
const { origin } = service;
const admin = await registerAdmin(origin);
const { api } = admin;
const providerOf = (issuer: string, more: object = {}) => ({
  kind: 'oidc',
  label: 'Company',
  is_enabled: true,
  issuer,
  client_id: CLIENT.client_id,
  client_secret: CLIENT.client_secret,
  ...more,
});
const settings = async (patch: object, by = api) =>
  expectStatus(await by.patch('/settings/sso', patch), 200, 'settings');
await settings({ providers: { chosen: providerOf(chosen.issuer) }, jit: { enabled: true, role: 'viewer' } });

const LOGIN = `${PUBLIC_URL}/api/v1/auth/sso/chosen/login`;
const TOKEN = `${PUBLIC_URL}/api/v1/auth/sso/token`;
const FAILED = `${PUBLIC_URL}/?error=sso_failed`;
interface TokenAnswer {
  access_token: string;
  user: { id: string; role: string };
}

/** Returns from the provider. @returns the page of the callback */
async function callback(sent: (given: Record<string, string>) => string = (given) => query(given)) {
  const browser = new Browser(origin);
  const { headers } = await browser.get(LOGIN);
  return { browser, page: await browser.get(`${CALLBACK}?${sent(chosen.grant(headers.location!))}`) };
}
const query = (given: Record<string, string>): string => new URLSearchParams(given).toString();

async function codeOf(subject: string): Promise<{ browser: Browser; code: string }> {
  chosen.claims = { sub: subject, email: `${subject}@example.org` };
  const { browser, page } = await callback();
  chosen.reset();
  return { browser, code: new URL(page.headers.location!).searchParams.get('code') ?? '' };
}
/** The answer of the exchange of a code. @throws where there is none */
async function tokenOf({ browser, page }: Awaited<ReturnType<typeof callback>>): Promise<string> {
  const code = new URL(page.headers.location!).searchParams.get('code') ?? '';
  const answer = await browser.post(TOKEN, { code });
  if (answer.status !== 200) throw new Error(answer.body);
  return answer.body;
}
async function signIn(subject: string): Promise<TokenAnswer> {
  const { browser, code } = await codeOf(subject);
  const answer = await browser.post(TOKEN, { code });
  if (answer.status !== 200) throw new Error(answer.body);
  return JSON.parse(answer.body) as TokenAnswer;
}

t.test('an identity that is unlinked, or a user who is deleted, gets no session from a pending exchange', async (t) => {
  for (const subject of ['unlinked', 'deleted']) {
    const { user } = await signIn(subject);
    const [identity] = (await api.get<{ items: { id: string }[] }>(`/users/${user.id}/identities`)).body.items;
    const { browser, code } = await codeOf(subject);
    // The exchange waits for the user, then the administrator's request, which is first to get it, does too.
    const path = subject === 'deleted' ? `/users/${user.id}` : `/users/${user.id}/identities/${identity!.id}`;
    const [ended, exchanged] = await concurrently(
      database,
      `select from users where id = '${user.id}' for update`,
      2,
      async () => {
        const ending = api.del(path);
        await until(async () => {
          const waiting = await sql(
            database,
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          );
          return waiting.length > 0;
        });
        return await Promise.all([ending, browser.post(TOKEN, { code })]);
      },
    );
    t.equal(ended.status, 204);
    t.equal(exchanged.status, 401, subject);
    const live = await sql(database, 'select from sessions where user_id = $1 and ended_at is null', [user.id]);
    t.equal(live.length, 0, 'no session is left');
  }
  await t.rejects(signIn('unlinked'), 'the e-mail address is that of the local account');
  t.ok((await signIn('deleted')).user.id, 'a deleted user gets a new account');
});

t.test('a browser is not locked out by sign-ins that were begun for it, and expired ones are removed', async (t) => {
  const old = `insert into sso_requests (state_hash, browser_hash, provider, issuer, return_to, expires_at)
    select int4send(n), '', 'chosen', '', '', clock_timestamp() - interval '1 second' from generate_series(1, 5) as n`;
  await sql(database, old);
  const browser = new Browser(origin);
  for (let n = 0; n < 12; n++) await browser.get(LOGIN);
  t.equal(browser.cookies.get('lintel.example')!.size, 10);
  t.strictSame(await sql(database, 'select from sso_requests where expires_at < clock_timestamp()'), []);
});

t.test('parameters that occur twice, or were written to be logged, complete no sign-in', async (t) => {
  for (const name of ['state', 'code', 'iss']) {
    const { page } = await callback((given) => `${query(given)}&${name}=${given[name]}`);
    t.ok([401, 422].includes(page.status) || page.headers.location === FAILED, `${name}: ${page.status}`);
  }
  for (const extra of ['response=eyJ', 'id_token=eyJ', 'access_token=x&token_type=Bearer']) {
    const { page } = await callback((given) => `${query(given)}&${extra}`);
    t.notMatch(page.body, 'eyJ');
    t.ok(page.status < 500, extra);
  }
  const description = `x\r\n{"level":50,"msg":"forged"}\u2028\u001b[31m${'y'.repeat(5_000)}`;
  const { page } = await callback(({ state, iss }) =>
    query({ state: state!, iss: iss!, error: 'access_denied', error_description: description }),
  );
  t.match(page, { status: 302, headers: { location: FAILED } });
  t.notMatch(page.body, 'forged');
  const line = await until(() => service.log().find((entry) => JSON.stringify(entry).includes('forged')));
  t.equal(line.msg, 'a sign-in was refused');
  t.ok(JSON.stringify(line).length < 800, 'the text is limited');
  t.notMatch(service.output(), /code-\d|[?&](?:code|state)=/, 'no address with a code is logged');
});

t.test('hostile metadata lead nowhere', async (t) => {
  const cases: [what: string, metadata: object, detail: RegExp][] = [
    ['a large document', { filler: 'x'.repeat(600_000) }, /outbound_failed.*524288 bytes/],
    ['keys in the network of the service', { jwks_uri: 'https://169.254.169.254/keys' }, /outbound_refused/],
    ['a login page without https', { authorization_endpoint: 'http://localhost/authorize' }, /metadata_unsafe/],
    ['a script as login page', { authorization_endpoint: 'javascript:alert(1)' }, /metadata_unsafe/],
    ['no PKCE', { code_challenge_methods_supported: ['plain'] }, /no_pkce/],
  ];
  for (const [what, metadata, detail] of cases) {
    chosen.metadata = metadata as Record<string, unknown>;
    t.match((await api.post('/settings/sso/test', { provider: 'chosen' })).body, { ok: false, detail }, what);
  }
  chosen.reset();
  await api.post('/settings/sso/test', { provider: 'chosen' });
  const { access_token } = await signIn('hostile');
  chosen.metadata = { end_session_endpoint: 'javascript:alert(1)' };
  await api.post('/settings/sso/test', { provider: 'chosen' });
  const out = await client(origin, access_token).get('/auth/sso/logout');
  t.strictSame(out.body, { logout_url: null }, 'no script as an address to open');
  chosen.reset();
  await api.post('/settings/sso/test', { provider: 'chosen' });
});

t.test('neither a secret nor an ID token reaches another issuer than its own', async (t) => {
  chosen.metadata = { end_session_endpoint: `${chosen.issuer}/end` };
  other.metadata = { end_session_endpoint: `${other.issuer}/end` };
  await api.post('/settings/sso/test', { provider: 'chosen' });
  const { access_token } = await signIn('leaving');
  chosen.metadata = { end_session_endpoint: `${chosen.issuer}/end` };
  const by = client(origin, access_token);
  const before = await by.get<{ logout_url: string }>('/auth/sso/logout');
  t.match(before.body.logout_url, /id_token_hint=eyJ/);

  const browser = new Browser(origin);
  const { headers } = await browser.get(LOGIN);
  const back = `${CALLBACK}?${query(chosen.grant(headers.location!))}`;
  const secret = 'secret-for-the-other-issuer-only';
  chosen.requests.length = 0;
  // By the other node, so that this one may not know of the change yet.
  const far = client(near.origin, admin.token);
  await settings({ providers: { chosen: { issuer: other.issuer, client_secret: secret } } }, far);
  t.match(await browser.get(back), { status: 302, headers: { location: FAILED } });
  t.strictSame(chosen.requests, [], 'the earlier issuer is not asked with the secret of the other');
  const after = await by.get('/auth/sso/logout');
  t.strictSame(after.body, { logout_url: null }, 'the other issuer does not get the ID token');
  const original = { issuer: chosen.issuer, client_secret: CLIENT.client_secret };
  await settings({ providers: { chosen: original } });
  for (const provider of [chosen, other]) provider.reset();
});

t.test('neither linking nor a group map gives or takes more than the caller has', async (t) => {
  const role = (key: string, permissions: string[]) => api.post('/roles', { key, label: key, permissions });
  expectStatus(await role('clerk', ['users.manage', 'cards.view']), 201, 'a role');
  expectStatus(await role('settler', ['settings.manage', 'cards.view']), 201, 'a role');
  expectStatus(await role('seer', ['cards.view']), 201, 'a role');
  const [clerk, settler, seer, boss] = [
    await makeUser(admin, 'clerk'),
    await makeUser(admin, 'settler'),
    await makeUser(admin, 'seer'),
    await makeUser(admin, 'admin'),
  ];
  const link = (subject: string) =>
    clerk.api.post(`/users/${seer.user.id}/identities`, { issuer: chosen.issuer, subject });
  await settings({
    jit: { enabled: true, role: 'seer' },
    providers: { chosen: { groups_claim: 'groups', role_map: [{ group: 'boss', role: 'admin' }] } },
  });
  // With an identity of a future administrator and one of the clerk, earlier sessions of the clerk would become those of one.
  t.match(await link('of-the-boss'), { status: 403, body: { required_permission: '*' } });
  await settings({ providers: { chosen: { role_map: [{ group: 'a', role: 'seer' }] } } });
  t.equal((await link('of-the-seer')).status, 201);
  await settings({ jit: { role: 'admin' } });
  t.match(await link('of-others'), { status: 403, body: { required_permission: '*' } }, 'the role of all others');
  await settings({ jit: { role: 'seer' } });

  // Every account of the provider is within the permissions of the settler: the map may change.
  await sql(database, 'delete from users u using user_identities i where i.user_id = u.id and u.role <> $1', ['seer']);
  const map = { providers: { chosen: { role_map: [{ group: 'everyone', role: 'seer' }] } } };
  t.equal((await settler.api.patch('/settings/sso', map)).status, 200);
  const linked = await api.post(`/users/${boss.user.id}/identities`, { issuer: chosen.issuer, subject: 'boss' });
  t.equal(linked.status, 201);
  const again = { providers: { chosen: { role_map: [{ group: 'all', role: 'seer' }] } } };
  const refused = await settler.api.patch('/settings/sso', again);
  t.match(refused, { status: 403, body: { required_permission: '*' } }, 'the role of an administrator at the provider');
  await settings({ providers: { chosen: { role_map: [], groups_claim: null } }, jit: { role: 'viewer' } });
});

t.test(
  'a sign-in concurrent with a change of the map leaves the role of the newest map and the newest groups',
  async (t) => {
    const map = (role: string, group = 'a') =>
      settings({ providers: { chosen: { groups_claim: 'groups', role_map: [{ group, role }] } } });
    const signInOf = (groups: string[]) => {
      chosen.claims = { sub: 'racer', email: 'racer@example.org', groups };
      return callback();
    };
    const isWaiting = (n: number) => until(async () => (await lockWaiters(database)) >= n);
    await map('member');
    await signInOf(['a']);
    const [user] = (await api.get<{ items: { id: string }[] }>('/users', { query: { search: 'racer@' } })).body.items;
    const role = async () => (await api.get(`/users/${user!.id}`)).body.role as string;
    t.equal(await role(), 'member');
    const lock = `select from users where id = '${user!.id}' for update`;
    // The change holds the settings and waits for the user; the sign-in has read the earlier map from the provider's settings.
    await concurrently(database, lock, 2, async () => {
      const changing = map('architect');
      await isWaiting(1);
      return await Promise.all([changing, signInOf(['a'])]);
    });
    t.equal(await role(), 'architect', 'the change was first');
    // The sign-in waits for the user with new groups, the change for the sign-in.
    await concurrently(database, lock, 2, async () => {
      const entering = signInOf(['b']);
      await isWaiting(1);
      return await Promise.all([entering, map('member', 'b')]);
    });
    t.equal(await role(), 'member', 'the sign-in was first, and its groups count');
    chosen.reset();
    await settings({ providers: { chosen: { role_map: [], groups_claim: null } } });
  },
);

t.test('a refused change of the map changes no role of an account', async (t) => {
  const settler = await makeUser(admin, 'settler');
  await sql(database, 'delete from users u using user_identities i where i.user_id = u.id');
  await settings({
    jit: { role: 'seer' },
    providers: { chosen: { groups_claim: 'groups', role_map: [{ group: 'a', role: 'seer' }] } },
  });
  chosen.claims = { sub: 'raised', email: 'raised@example.org', groups: ['a'] };
  const { user } = JSON.parse(await tokenOf(await callback())) as TokenAnswer;
  chosen.reset();
  t.equal(user.role, 'seer');
  const map = (role: string) =>
    settler.api.patch('/settings/sso', { providers: { chosen: { role_map: [{ group: 'a', role }] } } });
  t.match(await map('admin'), { status: 403, body: { required_permission: '*' } });
  t.match(await map('settler'), { status: 200 }, 'what the caller has can be given');
  const role = async () => (await api.get(`/users/${user.id}`)).body.role as string;
  t.equal(await role(), 'settler');
  expectStatus(await api.patch(`/users/${user.id}`, { role: 'architect' }), 200, 'raised by an administrator');
  t.match(await map('seer'), { status: 403 }, 'nor is taken away what the caller does not have');
  t.equal(await role(), 'architect');
  await settings({ providers: { chosen: { role_map: [], groups_claim: null } }, jit: { role: 'viewer' } });
});

t.test('what a user of single sign-on can do with an account that has no password', async (t) => {
  const { access_token, user } = await signIn('person');
  const by = client(origin, access_token);
  const change = { current_password: PASSWORD, new_password: 'another-otter-crosses-8-bridges' };
  t.equal((await by.post('/auth/change-password', change)).status, 422);
  t.equal((await by.post('/auth/login', { email: 'person@example.org', password: '' })).status >= 400, true);
  t.match(await api.patch(`/users/${user.id}`, { password: PASSWORD }), {
    status: 409,
    body: { code: 'invalid_state' },
  });
  const token = await by.post<{ token: string }>('/auth/tokens', { name: 'Mine', permissions: ['cards.view'] });
  expectStatus(token, 201, 'a token');
  const byToken = client(origin, token.body.token);
  t.equal((await byToken.get('/cards')).status, 200);
  t.match(await byToken.get('/auth/sso/logout'), { status: 403, body: { code: 'session_required' } });
  await api.patch(`/users/${user.id}`, { is_active: false });
  await until(async () => (await byToken.get('/cards')).status === 401, 2_000);
});

t.test('enforcing it acts on other nodes within a second', async () => {
  const emergency = await makeUser(admin, 'admin');
  const local = await makeUser(admin, 'viewer');
  const attempt = () => client(near.origin).post('/auth/login', { email: local.user.email, password: PASSWORD });
  await settings({ enforced: true, break_glass_user_id: emergency.user.id });
  await until(async () => (await attempt()).status === 401, 2_000);
  await settings({ enforced: false });
  await until(async () => (await attempt()).status === 200, 2_000);
});

t.test('groups never demote the last administrator', async (t) => {
  await sql(database, "update users set role = 'viewer' where role = 'admin' and id <> $1", [admin.user.id]);
  const map = { groups_claim: 'groups', role_map: [{ group: 'none', role: 'viewer' }] };
  await settings({ providers: { chosen: map }, jit: { role: 'viewer' } });
  const linked = await api.post(`/users/${admin.user.id}/identities`, { issuer: chosen.issuer, subject: 'last' });
  expectStatus(linked, 201, 'the own account');
  const [first, second] = await Promise.all([signIn('last'), signIn('last')]);
  t.strictSame([first.user.role, second.user.role], ['admin', 'admin']);
  t.match(service.output(), /the last administrator keeps the role/);
  const by = client(origin, first.access_token);
  const other = await signIn('other-admin');
  expectStatus(await by.patch(`/users/${other.user.id}`, { role: 'admin' }), 200, 'an administrator by hand');
  const roles = async () =>
    [
      (await by.get('/auth/me')).body.role,
      (await client(origin, other.access_token).get('/auth/me')).body.role ?? 'signed out',
    ].join();
  t.equal(await roles(), 'admin,admin');
  await settings({ providers: { chosen: { role_map: [{ group: 'none', role: 'member' }] } } }, by);
  t.equal(await roles(), 'admin,viewer', 'all administrators lose the role by the map, except the one who changes it');
  await settings({ providers: { chosen: { unmapped: 'refuse' } } }, by);
  t.equal(await roles(), 'admin,signed out');
  await settings({ providers: { chosen: { unmapped: 'jit_role' } } }, by);
  const [identity] = (await by.get<{ items: { id: string }[] }>(`/users/${admin.user.id}/identities`)).body.items;
  t.match(await by.del(`/users/${admin.user.id}/identities/${identity!.id}`), {
    status: 409,
    body: { code: 'last_admin' },
  });
});

t.test('a verifier is demanded of a client that announced one, also of the browser with the cookie', async (t) => {
  const verifier = 'a-verifier-of-the-client-with-43-characters-or-more';
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const browser = new Browser(origin);
  const { headers } = await browser.get(`${LOGIN}?code_challenge=${challenge}`);
  chosen.claims = { sub: 'verifier', email: 'verifier@example.org' };
  const { location } = (await browser.get(`${CALLBACK}?${query(chosen.grant(headers.location!))}`)).headers;
  const code = new URL(location!).searchParams.get('code');
  t.equal((await browser.post(TOKEN, { code })).status, 401);
});
