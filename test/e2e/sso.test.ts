/**
 * Single sign-on end to end, over https: with the real provider of npm, and with one that breaks the rules. The service is a
 * process of its own, because a certificate authority can only be trusted when a process starts.
 */
import { createHash } from 'node:crypto';
import t, { type Test } from 'tap';
import {
  client,
  expectStatus,
  openStream,
  PASSWORD,
  registerAdmin,
  sql,
  testApp,
  until,
  SECRET_KEY,
} from '../support/app.js';
import { urlOf } from '../support/database.js';
import {
  Browser,
  CA_FILE,
  CALLBACK,
  ChosenProvider,
  CLIENT,
  newKey,
  PUBLIC_URL,
  RealProvider,
} from '../support/oidc.js';
import { dataFolder, startService } from '../support/service.js';

const [real, chosen, other] = [await RealProvider.start(), await ChosenProvider.start(), await ChosenProvider.start()];
const near = await testApp({ config: { publicUrl: PUBLIC_URL } });
const folder = await dataFolder();
const service = await startService({
  dataDir: folder.path,
  env: {
    DATABASE_URL: urlOf(near.database),
    LINTEL_SECRET_KEY: SECRET_KEY,
    PUBLIC_URL,
    ALLOWED_ORIGINS: 'https://spa.example',
    OUTBOUND_ALLOW: 'localhost',
    NODE_EXTRA_CA_CERTS: CA_FILE,
    DATABASE_POOL_MAX: '8',
  },
});
t.teardown(async () => {
  await service.stop();
  await near.close();
  await folder.remove();
  for (const provider of [real, chosen, other]) provider.close();
});
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
const settings = async (patch: object) => expectStatus(await api.patch('/settings/sso', patch), 200, 'settings');
await settings({
  providers: {
    real: providerOf(real.issuer, { scopes: ['groups'] }),
    chosen: providerOf(chosen.issuer),
    other: providerOf(other.issuer),
  },
  jit: { enabled: true, role: 'viewer' },
});
real.accounts.set('ada', { email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace', groups: ['b', 'a'] });

const LOGIN = (id: string, query = '') => `${PUBLIC_URL}/api/v1/auth/sso/${id}/login${query}`;
const TOKEN = `${PUBLIC_URL}/api/v1/auth/sso/token`;
const codeOf = (address: string): string => new URL(address).searchParams.get('code') ?? '';
interface TokenAnswer {
  access_token: string;
  refresh_token: string;
  user: { id: string; email: string; role: string; auth_provider: string; signed_in_by: object };
}

/** Signs in at the real provider. @returns the answer, and the browser */
async function signIn(subject: string): Promise<TokenAnswer & { browser: Browser }> {
  real.subject = subject;
  const browser = new Browser(origin);
  const back = await browser.follow(LOGIN('real', '?return_to=/cards%3Fa=b'), `${PUBLIC_URL}/cards`);
  const answer = await browser.post(TOKEN, { code: codeOf(back) });
  if (answer.status !== 200) throw new Error(answer.body);
  return { ...(JSON.parse(answer.body) as TokenAnswer), browser };
}

/** The reason in the log for a response. */
async function reasonOf({ headers }: { headers: object }): Promise<string> {
  const { 'x-request-id': id } = headers as { 'x-request-id': string };
  return await until(() => {
    const line = service
      .output()
      .split('\n')
      .find((text) => text.includes('a sign-in was refused') && text.includes(id));
    return line === undefined ? undefined : (JSON.parse(line) as { reason: string }).reason;
  }, 10_000);
}

/** Begins at the chosen provider and returns from it. */
async function chosenCallback(
  query: (sent: Record<string, string>) => Record<string, string> = (sent) => sent,
  id = 'chosen',
  by = chosen,
) {
  const browser = new Browser(origin);
  const { headers } = await browser.get(LOGIN(id));
  const back = `${CALLBACK}?${new URLSearchParams(query(by.grant(headers.location!))).toString()}`;
  return { browser, back, page: await browser.get(back) };
}
const FAILED = `${PUBLIC_URL}/?error=sso_failed`;
async function refused(t: Test, what: string, reason: string | RegExp, page: { status: number; headers: object }) {
  t.match(page, { status: 302, headers: { location: FAILED } }, what);
  t.match(await reasonOf(page), reason, `${what}: the reason is in the log`);
}
const users = async () => (await sql<{ n: number }>(near.database, 'select count(*)::int as n from users'))[0]!.n;

t.test('a first sign-in creates a user, and the next one finds the user', async (t) => {
  t.strictSame((await client(origin).get('/auth/sso/config')).body, {
    providers: ['chosen', 'other', 'real'].map((id) => ({ id, kind: 'oidc', label: 'Company' })),
    enforced: false,
  });
  const first = await signIn('ada');
  t.match(first, {
    token_type: 'bearer',
    user: {
      email: 'ada@example.com',
      display_name: 'Ada Lovelace',
      role: 'viewer',
      auth_provider: 'sso',
      signed_in_by: { kind: 'session', method: 'sso', provider: 'real' },
    },
  });
  t.equal([...first.browser.cookies.get('lintel.example')!].length, 0, 'the cookie is removed');
  const me = await client(origin, first.access_token).get('/auth/me');
  t.match(me.body, { signed_in_by: { kind: 'session', method: 'sso', provider: 'real' } });
  const next = await signIn('ada');
  t.equal(next.user.id, first.user.id);
  const refreshed = await client(origin).post<TokenAnswer>('/auth/refresh', { refresh_token: next.refresh_token });
  t.match(refreshed.body.user.signed_in_by, { method: 'sso', provider: 'real' });
  const [session] = await sql<{ id_token: Buffer }>(
    near.database,
    "select id_token from sessions where method = 'sso'",
  );
  t.notMatch(session!.id_token.toString('latin1'), 'eyJ', 'the ID token is stored encrypted');
  const events = await until(async () => {
    const { body } = await api.get<{ items: { data: object }[] }>('/events', { query: { type: 'session.started' } });
    return body.items.find(({ data }) => (data as { user_id?: string }).user_id === next.user.id);
  });
  t.match(events.data, { method: 'sso', provider: 'real' });
  t.notMatch(service.output(), new RegExp(CLIENT.client_secret), 'no secret is logged');
});

t.test('the cookie is bound to the host, and the code to the browser; both are used once', async (t) => {
  const browser = new Browser(origin);
  const begun = await browser.get(LOGIN('chosen'));
  t.match(begun, {
    status: 302,
    headers: {
      'set-cookie': [/^__Host-lintel-sso-[\w-]{16}=[\w-]{43}; Path=\/; Max-Age=660; HttpOnly; SameSite=Lax; Secure$/],
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
  });
  const asked = new URL(begun.headers.location!).searchParams;
  t.match(Object.fromEntries(asked), {
    code_challenge_method: 'S256',
    code_challenge: /^[\w-]{43}$/,
    nonce: /^[\w-]{43}$/,
    state: /^[\w-]{43}$/,
    redirect_uri: CALLBACK,
    response_type: 'code',
  });
  const stored = JSON.stringify(await sql(near.database, 'select r::text from sso_requests r'));
  for (const name of ['state', 'nonce']) {
    t.notMatch(stored, asked.get(name)!, `${name} is not stored`);
    t.notMatch(stored, Buffer.from(asked.get(name)!).toString('hex'));
  }
  const back = `${CALLBACK}?${new URLSearchParams(chosen.grant(begun.headers.location!)).toString()}`;
  const stranger = new Browser(origin);
  const [name] = [...browser.cookies.get('lintel.example')!.keys()];
  for (const secret of [undefined, 'x'.repeat(43)]) {
    if (secret !== undefined) stranger.cookies.set('lintel.example', new Map([[name!, secret]]));
    const page = await stranger.get(back);
    t.match(page, { status: 401, body: /sso_failed/ }, 'another browser');
    t.equal(await reasonOf(page), 'unknown_state');
  }
  const pages = await Promise.all([browser.get(back), browser.get(back), browser.get(back)]);
  t.strictSame(pages.map(({ status }) => status).sort(), [302, 401, 401], 'of parallel callbacks one is accepted');
  const code = codeOf(pages.find(({ status }) => status === 302)!.headers.location!);
  const thief = await new Browser(origin).post(TOKEN, { code });
  t.match(thief, { status: 401, body: /sso_failed/ }, 'another browser');
  t.equal(await reasonOf(thief), 'code_of_other_client');
  const own = await browser.post(TOKEN, { code });
  t.equal(own.status, 401, 'a stolen code is used up');
  t.equal(await reasonOf(own), 'unknown_code');
  const again = await chosenCallback();
  const codes = { code: codeOf(again.page.headers.location!) };
  const answers = await Promise.all([again.browser.post(TOKEN, codes), again.browser.post(TOKEN, codes)]);
  t.strictSame(answers.map(({ status }) => status).sort(), [200, 401], 'of parallel exchanges one is accepted');
  const late = await chosenCallback();
  await sql(near.database, "update sso_codes set expires_at = clock_timestamp() - interval '1 second'");
  t.equal(
    (await late.browser.post(TOKEN, { code: codeOf(late.page.headers.location!) })).status,
    401,
    'after a minute',
  );
  const slow = new Browser(origin);
  const { headers } = await slow.get(LOGIN('chosen'));
  await sql(near.database, "update sso_requests set expires_at = clock_timestamp() - interval '1 second'");
  const query = new URLSearchParams(chosen.grant(headers.location!)).toString();
  t.equal((await slow.get(`${CALLBACK}?${query}`)).status, 401, 'after ten minutes');
});

t.test('a client on another origin presents a verifier instead of the cookie', async (t) => {
  const verifier = 'a-verifier-of-the-client-with-43-characters-or-more';
  const s256 = createHash('sha256').update(verifier).digest('base64url');
  const code = async (): Promise<string> => {
    const browser = new Browser(origin);
    const query = `?return_to=https://spa.example/a&code_challenge=${s256}`;
    const { headers } = await browser.get(LOGIN('chosen', query));
    const sent = new URLSearchParams(chosen.grant(headers.location!)).toString();
    const { location } = (await browser.get(`${CALLBACK}?${sent}`)).headers;
    t.match(location, /^https:\/\/spa\.example\/a\?code=/);
    return codeOf(location!);
  };
  const elsewhere = new Browser(origin);
  t.equal((await elsewhere.post(TOKEN, { code: await code(), code_verifier: verifier })).status, 200);
  t.equal((await elsewhere.post(TOKEN, { code: await code(), code_verifier: `${verifier}x` })).status, 401);
  t.equal((await elsewhere.post(TOKEN, { code: await code() })).status, 401);
});

t.test('browsers are sent back to this service and to allowed origins only', async (t) => {
  for (const bad of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    'https://lintel.example.evil.example/',
    'https://lintel.example@evil.example/',
    'javascript:alert(1)',
    'https://lintel.example/#fragment',
    'http://lintel.example/',
  ]) {
    const page = await new Browser(origin).get(LOGIN('chosen', `?return_to=${encodeURIComponent(bad)}`));
    t.match(page, { status: 422, body: /return_to/ }, bad);
  }
  t.equal((await new Browser(origin).get(LOGIN('nothing'))).status, 404);
});

t.test('tokens that break a rule are refused, and the reason is only logged', async (t) => {
  const before = await users();
  const now = Math.floor(Date.now() / 1000);
  const cases: [what: string, reason: string | RegExp, claims: object, alg?: string][] = [
    ['another nonce', 'protocol_error', { nonce: 'another' }],
    ['another audience', 'protocol_error', { aud: 'another-client' }],
    ['several audiences for another party', 'protocol_error', { aud: [CLIENT.client_id, 'x'], azp: 'x' }],
    ['another authorized party', 'protocol_error', { azp: 'another-client' }],
    ['another issuer', 'protocol_error', { iss: other.issuer }],
    ['an expired token', 'protocol_error', { exp: now - 60 }],
    ['a token of the future', 'token_from_the_future', { iat: now + 600, exp: now + 900 }],
    ['a token that is not valid yet', 'protocol_error', { nbf: now + 600 }],
    ['no signature', 'protocol_error', {}, 'none'],
    ['the public key as secret', 'protocol_error', {}, 'HS256'],
    ['an e-mail address that is not verified', 'email_not_verified', { email_verified: false }],
    ['an e-mail address of which nothing is said', 'email_not_verified', { email_verified: undefined }],
    ['a text instead of true', 'email_not_verified', { email_verified: 'true' }],
    ['no e-mail address', 'no_email', { email: undefined }],
    ['no address', 'no_email', { email: 'no address' }],
    ['the e-mail address of a local administrator', 'email_taken', { sub: 'x', email: 'ADMIN@example.org' }],
    ['no subject', /bad_subject|protocol_error/, { sub: '' }],
  ];
  for (const [what, reason, claims, alg = 'RS256'] of cases) {
    chosen.claims = { sub: `refused ${what}`, email: 'refused@example.org', ...claims };
    chosen.alg = alg;
    await refused(t, what, reason, (await chosenCallback()).page);
  }
  chosen.reset();
  chosen.signer = newKey('chosen');
  await refused(t, 'another key', 'protocol_error', (await chosenCallback()).page);
  chosen.reset();
  const { page } = await chosenCallback((sent) => ({ ...sent, iss: other.issuer }));
  await refused(t, 'the response of another provider (mix-up)', 'protocol_error', page);
  const without = await chosenCallback(({ iss: _, ...sent }) => sent);
  await refused(t, 'no issuer, although the provider sends it', 'protocol_error', without.page);
  const denied = await chosenCallback(({ state, iss }) => ({ state: state!, iss: iss!, error: 'access_denied' }));
  await refused(t, 'an error of the provider', 'protocol_error', denied.page);
  const replay = await chosenCallback((sent) => ({ ...sent, code: 'code-0' }));
  await refused(t, 'a code that was used', 'protocol_error', replay.page);
  t.equal(await users(), before, 'no user was created');
  t.notMatch(service.output(), /eyJ[\w-]{20,}\./, 'no token is logged');
});

t.test('a provider that is down or slow does not hold up the sign-in', async (t) => {
  const waits: (() => void)[] = [];
  chosen.before = (path) => (path === '/token' ? new Promise((resolve) => waits.push(resolve)) : undefined);
  const began = performance.now();
  await refused(t, 'slow', 'outbound_failed', (await chosenCallback()).page);
  t.ok(performance.now() - began < 20_000, 'it has a time limit');
  for (const go of waits) go();
  chosen.reset();
  const gone = await ChosenProvider.start();
  await settings({ providers: { gone: providerOf(gone.issuer) } });
  const [host] = [new URL(gone.issuer).host];
  t.match((await api.post('/settings/sso/test', { provider: 'gone' })).body, { ok: true, detail: /1 signing key/ });
  gone.metadata = { jwks_uri: gone.issuer.replace('https', 'http') };
  t.match((await api.post('/settings/sso/test', { provider: 'gone' })).body, { ok: false, detail: /metadata_unsafe/ });
  gone.metadata = { id_token_signing_alg_values_supported: ['HS256', 'none'] };
  t.match((await api.post('/settings/sso/test', { provider: 'gone' })).body, { ok: false, detail: /no_signatures/ });
  gone.metadata = { issuer: 'https://localhost:1' };
  t.match((await api.post('/settings/sso/test', { provider: 'gone' })).body, {
    ok: false,
    detail: /other_issuer|issuer/,
  });
  gone.close();
  t.match((await api.post('/settings/sso/test', { provider: 'gone' })).body, {
    ok: false,
    detail: new RegExp(`${host} refuses the connection`),
  });
  const page = await new Browser(origin).get(LOGIN('gone', '?return_to=/there'));
  t.match(page, { status: 302, headers: { location: `${PUBLIC_URL}/there?error=sso_failed` } });
  t.equal(await reasonOf(page), 'outbound_failed');
  await settings({ providers: { gone: null } });
});

t.test('a key that the provider has replaced works at once', async (t) => {
  await signIn('ada');
  real.useKey(newKey('second'));
  await t.resolves(signIn('ada'));
});

t.test('groups determine the role at every sign-in, in the declared order', async (t) => {
  const map = (role_map: object[], unmapped = 'jit_role') =>
    settings({ providers: { real: { groups_claim: 'groups', role_map, unmapped } } });
  await map([
    { group: 'a', role: 'member' },
    { group: 'b', role: 'architect' },
  ]);
  t.equal((await signIn('ada')).user.role, 'member', 'the groups of the user are in another order');
  await map([
    { group: 'b', role: 'architect' },
    { group: 'a', role: 'member' },
  ]);
  const { user, access_token } = await signIn('ada');
  t.equal(user.role, 'architect', 'by the changed map');
  real.accounts.get('ada')!.groups = ['c'];
  t.equal((await signIn('ada')).user.role, 'viewer', 'without a group of the map, the role of new users');
  t.equal((await client(origin, access_token).get('/auth/me')).body.role, 'viewer', 'for other sessions too');
  await until(async () => (await client(near.origin, access_token).get('/auth/me')).body.role === 'viewer', 2_000);
  await map([{ group: 'b', role: 'architect' }], 'refuse');
  t.equal(await new Browser(origin).follow(LOGIN('real'), `${PUBLIC_URL}/?`), FAILED);
  await t.resolves(until(() => service.output().includes('no_mapped_group')));
  real.accounts.get('ada')!.groups = ['b'];
  await map([{ group: 'b', role: 'architect' }]);
  t.equal((await signIn('ada')).user.role, 'architect');
  await map([]);
  t.equal((await signIn('ada')).user.role, 'architect', 'without a map, roles are not changed');
});

t.test(
  'a changed group map acts on sessions, API tokens and open streams of another node within a second',
  async (t) => {
    const granted = ['cards.view', 'costs.view', 'users.manage', 'cards.edit'];
    expectStatus(await api.post('/roles', { key: 'helper', label: 'Helper', permissions: granted }), 201, 'a role');
    expectStatus(await api.post('/roles', { key: 'seer', label: 'Seer', permissions: ['cards.view'] }), 201, 'a role');
    const map = (role: string, more: object = {}) =>
      settings({ providers: { real: { groups_claim: 'groups', role_map: [{ group: 'b', role }], ...more } } });
    await map('helper');
    const ada = await signIn('ada');
    const made = await client(origin, ada.access_token).post<{ token: string }>('/auth/tokens', {
      name: 'Ada',
      permissions: granted,
    });
    const [bySession, byToken] = [ada.access_token, expectStatus(made, 201, 'a token').body.token].map((token) =>
      client(near.origin, token),
    ) as [typeof api, typeof api];
    const statuses = async (): Promise<string> =>
      (await Promise.all([bySession.get('/users'), byToken.get('/users')])).map(({ status }) => status).join();
    t.equal(await statuses(), '200,200');
    const stream = await openStream(near.origin, ada.access_token);
    t.teardown(() => stream.close());
    const card = expectStatus(await api.post('/cards', { type: 'Application', name: 'Costly' }), 201, 'a card').body.id;
    /** Changes the costs and waits until the stream has the event. @returns whether it shows the costs */
    let written = 0;
    const showsCosts = async (): Promise<boolean> => {
      const [description, cost] = [`change ${++written}`, 777_000_000 + written];
      const change = { description, attributes: { costTotalAnnual: cost } };
      expectStatus(await api.patch(`/cards/${card}`, change), 200, description);
      const event = await stream.waitFor(({ data }) => JSON.stringify(data).includes(description));
      return JSON.stringify(event.data).includes(String(cost));
    };
    t.equal(await showsCosts(), true);

    await map('seer');
    t.equal(await showsCosts(), false, 'a change after the response is not shown on the other node');
    await until(async () => (await statuses()) === '403,403', 1_000);
    const updated = await until(async () => {
      const { body } = await api.get<{ items: { subject: { id: string }; actor: { id: string }; data: object }[] }>(
        '/events',
        { query: { type: 'user.updated' } },
      );
      return body.items.find(({ subject, actor }) => subject.id === ada.user.id && actor?.id === admin.user.id);
    });
    t.match(
      updated.data,
      { changes: [{ field: 'role', old: 'helper', new: 'seer' }] },
      'an event of the administrator',
    );

    await map('helper');
    await until(async () => (await statuses()) === '200,200', 1_000);
    t.equal(await showsCosts(), true, 'what the map gives acts as well');

    await settings({ providers: { real: { role_map: [{ group: 'x', role: 'helper' }], unmapped: 'refuse' } } });
    await stream.ended;
    await until(async () => (await statuses()) === '401,401', 1_000);
    t.equal(await new Browser(origin).follow(LOGIN('real'), `${PUBLIC_URL}/?`), FAILED, 'nor does a sign-in succeed');
    await map('helper', { unmapped: 'jit_role' });
    t.equal((await signIn('ada')).user.role, 'helper');
    await map('architect');
    await settings({ providers: { real: { role_map: [] } } });
    t.equal((await api.get(`/users/${ada.user.id}`)).body.role, 'architect', 'without a map, roles are not changed');
  },
);

t.test('two first sign-ins at once create one user', async (t) => {
  chosen.claims = { sub: 'twice', email: 'twice@example.org' };
  const before = await users();
  const pages = await Promise.all([chosenCallback(), chosenCallback(), chosenCallback()]);
  for (const { page } of pages) t.match(page.headers.location, /\?code=/);
  t.equal(await users(), before + 1);
  chosen.reset();
});

t.test(
  'without creation of users only linked identities sign in, and linking is an act of an administrator',
  async (t) => {
    await settings({ jit: { enabled: false } });
    const made = await api.post('/users', {
      email: 'local@example.org',
      password: PASSWORD,
      display_name: 'L',
      role: 'member',
    });
    const { id } = made.body;
    const local = await client(origin).post<TokenAnswer>('/auth/login', {
      email: 'local@example.org',
      password: PASSWORD,
    });
    chosen.claims = { sub: 'local', email: 'local@example.org' };
    await refused(t, 'an e-mail address alone', 'no_account', (await chosenCallback()).page);
    await settings({ jit: { enabled: true } });
    await refused(t, 'nor with creation', 'email_taken', (await chosenCallback()).page);
    const link = (body: object) => api.post(`/users/${id}/identities`, body);
    t.match(await link({ issuer: 'https://unknown.example', subject: 'local' }), { status: 422 });
    const linked = await link({ issuer: chosen.issuer, subject: 'local' });
    t.match(linked, { status: 201, body: { subject: 'local', provider: 'chosen', created_by: admin.user.id } });
    t.match(await link({ issuer: chosen.issuer, subject: 'local' }), { status: 409, body: { code: 'identity_taken' } });
    t.equal((await client(origin, local.body.access_token).get('/auth/me')).status, 401, 'sessions by password end');
    const password = await client(origin).post('/auth/login', { email: 'local@example.org', password: PASSWORD });
    t.match(password, { status: 401, body: { code: 'invalid_credentials' } });
    const { page, browser } = await chosenCallback();
    const answer = await browser.post(TOKEN, { code: codeOf(page.headers.location!) });
    const { user, access_token } = JSON.parse(answer.body) as TokenAnswer;
    t.match(user, { id, role: 'member', auth_provider: 'sso' });
    const list = await api.get<{ items: { id: string }[] }>(`/users/${id}/identities`);
    t.match(list.body.items, [{ issuer: chosen.issuer, subject: 'local', last_login_at: /^2/ }]);

    await api.patch(`/users/${id}`, { is_active: false });
    await refused(t, 'a disabled user', 'account_disabled', (await chosenCallback()).page);
    await api.patch(`/users/${id}`, { is_active: true });
    const between = await chosenCallback();
    await api.patch(`/users/${id}`, { is_active: false });
    const exchanged = await between.browser.post(TOKEN, { code: codeOf(between.page.headers.location!) });
    t.equal(exchanged.status, 401, 'disabled between callback and exchange');
    t.equal(await reasonOf(exchanged), 'account_disabled');
    await api.patch(`/users/${id}`, { is_active: true });

    const now = await chosenCallback();
    const session = await now.browser.post(TOKEN, { code: codeOf(now.page.headers.location!) });
    const own = client(origin, (JSON.parse(session.body) as TokenAnswer).access_token);
    const given = await own.post<{ token: string }>('/auth/tokens', { name: 'Own', permissions: ['cards.view'] });
    const byToken = client(origin, expectStatus(given, 201, 'a token').body.token);
    const second = { issuer: chosen.issuer, subject: 'second of local' };
    const other = expectStatus(await link(second), 201, 'a second identity').body.id as string;
    t.equal((await api.del(`/users/${id}/identities/${other}`)).status, 204);
    t.equal((await byToken.get('/cards')).status, 200, 'with an identity left, API tokens stay');
    t.equal((await api.del(`/users/${id}/identities/${list.body.items[0]!.id}`)).status, 204);
    t.equal((await byToken.get('/cards')).status, 401, 'without any, API tokens end');
    t.equal((await client(origin, access_token).get('/auth/me')).status, 401, 'unlinking ends the sessions');
    t.equal((await api.get(`/users/${id}`)).body.auth_provider, 'local');
    await refused(t, 'an unlinked identity', 'email_taken', (await chosenCallback()).page);
    chosen.reset();
  },
);

t.test('a user who was removed at the provider gets no new session, and open ones end with the account', async (t) => {
  real.accounts.set('leaver', { email: 'leaver@example.com', email_verified: true, name: 'Leaver' });
  const { access_token, user } = await signIn('leaver');
  real.accounts.delete('leaver');
  t.equal(await new Browser(origin).follow(LOGIN('real'), `${PUBLIC_URL}/?`), FAILED);
  const me = () => client(near.origin, access_token).get('/auth/me');
  t.equal((await me()).status, 200);
  await api.patch(`/users/${user.id}`, { is_active: false });
  await until(async () => (await me()).status === 401, 2_000);
});

t.test('domains', async (t) => {
  await settings({ providers: { chosen: { allowed_domains: ['example.org'] } } });
  for (const email of ['a@example.com', 'a@sub.example.org', 'a@example.org.evil.example', 'a@notexample.org']) {
    chosen.claims = { sub: email, email };
    await refused(t, email, 'domain_not_allowed', (await chosenCallback()).page);
  }
  chosen.claims = { sub: 'domain', email: 'Domain@EXAMPLE.org' };
  t.match((await chosenCallback()).page.headers.location, /\?code=/);
  chosen.claims = { sub: 'many', email: 'many@example.org', _claim_names: { groups: 'src1' } };
  await settings({ providers: { chosen: { groups_claim: 'groups', role_map: [{ group: 'a', role: 'member' }] } } });
  await refused(t, 'groups that are not in the token', 'groups_not_sent', (await chosenCallback()).page);
  await settings({ providers: { chosen: { allowed_domains: [], role_map: [] } } });
  chosen.reset();
});

t.test('log-out at the provider', async (t) => {
  const { access_token, browser } = await signIn('ada');
  const by = client(origin, access_token);
  const { logout_url } = (await by.get<{ logout_url: string }>('/auth/sso/logout')).body;
  const { searchParams } = new URL(logout_url);
  t.ok(logout_url.startsWith(`${real.issuer}/session/end?`));
  t.match(Object.fromEntries(searchParams), {
    client_id: 'lintel',
    id_token_hint: /^eyJ/,
    post_logout_redirect_uri: `${PUBLIC_URL}/`,
  });
  t.equal((await by.get('/auth/sso/logout', { query: { return_to: 'https://evil.example/' } })).status, 422);
  t.equal((await browser.get(logout_url)).status, 200, 'the provider accepts it');
  t.strictSame((await api.get('/auth/sso/logout')).body, { logout_url: null }, 'a session by password has none');
  const unsupported = await chosenCallback();
  const answer = await unsupported.browser.post(TOKEN, { code: codeOf(unsupported.page.headers.location!) });
  const { access_token: token } = JSON.parse(answer.body) as TokenAnswer;
  t.strictSame((await client(origin, token).get('/auth/sso/logout')).body, { logout_url: null });
});
