/** The settings of single sign-on, and what enforcing it refuses. Sign-ins themselves are in `test/e2e/sso.test.ts`. */
import t, { type Test } from 'tap';
import {
  client,
  expectStatus,
  login,
  makeUser,
  nextAddress,
  PASSWORD,
  registerAdmin,
  sql,
  testApp,
  type Answer,
} from '../support/app.js';
import { cleanSso } from '../../core/identity/sso/index.js';

const { app, origin, database, close } = await testApp({ config: { publicUrl: 'https://lintel.example' } });
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const SECRET = 'secret-of-the-client';
const ISSUER = 'https://login.example.org';
interface View {
  version: number;
  providers: Record<string, { issuer: string; client_secret: { is_set: boolean } }>;
}
const oidc = (more: object = {}) => ({ kind: 'oidc', label: 'Company', issuer: ISSUER, client_id: 'lintel', ...more });
const patch = (body: object, by = api): Promise<Answer<View & Answer['body']>> => by.patch('/settings/sso', body);
const saved = async (body: object) => expectStatus(await patch(body), 200, JSON.stringify(body));
/** The invalid fields of a 422, and nothing else of the settings has changed. */
async function faults(t: Test, body: object, fields: string[]): Promise<void> {
  const before = (await api.get('/settings/sso')).body.version as number;
  const answer = await patch(body);
  t.equal(answer.status, 422, JSON.stringify(body));
  t.strictSame(((answer.body.errors ?? []) as { field: string }[]).map(({ field }) => field).sort(), fields);
  t.equal((await api.get('/settings/sso')).body.version, before);
}

t.test('a secret is written, never read, and bound to its issuer', async (t) => {
  t.match((await api.get('/settings/sso')).body, {
    providers: {},
    jit: { enabled: false, role: null },
    enforced: false,
    break_glass_user_id: null,
    callback_url: 'https://lintel.example/api/v1/auth/sso/callback',
    version: 1,
  });
  const made = await saved({ providers: { company: oidc({ client_secret: SECRET }) } });
  t.match(made.body.providers, { company: { issuer: ISSUER, is_enabled: false, client_secret: { is_set: true } } });
  const [stored] = await sql<{ ciphertext: Buffer }>(
    database,
    "select ciphertext from secrets where name = 'settings.sso.company.client_secret'",
  );
  t.notMatch(stored!.ciphertext.toString('latin1'), SECRET);
  const at = '/providers/company/client_secret';
  await faults(t, { providers: { company: { issuer: 'https://evil.example' } } }, [at]);
  await faults(t, { providers: { company: { kind: 'google', issuer: null } } }, [at]);
  await faults(t, { providers: { company: { issuer: null } } }, [at]);
  await saved({ providers: { company: { issuer: `${ISSUER}/other`, client_secret: 'another-one' } } });
  const removed = await saved({ providers: { company: { client_secret: null } } });
  t.equal(removed.body.providers.company!.client_secret.is_set, false);
  await saved({ providers: { company: { issuer: ISSUER, client_secret: SECRET } } });
  await saved({ providers: { company: null } });
  t.strictSame(await sql(database, "select 1 from secrets where name like 'settings.sso%'"), [], 'removed with it');
  const again = await saved({ providers: { company: oidc() } });
  t.equal(again.body.providers.company!.client_secret.is_set, false);
  const events = await sql<{ data: string }>(
    database,
    'select data::text from event_outbox union all select data::text from events',
  );
  t.notMatch(JSON.stringify(events), SECRET, 'no event contains it');
});

t.test('all faults are reported at once, and nothing is stored', async (t) => {
  await faults(t, { providers: { 'Not-An-Id': oidc() } }, ['/providers/Not-An-Id']);
  await faults(t, { providers: { b: { label: 'x' }, a: { kind: 'oidc' } } }, [
    '/providers/a/label',
    '/providers/b/kind',
  ]);
  await faults(
    t,
    {
      providers: {
        a: oidc({ issuer: null, is_enabled: true, client_id: null, role_map: [{ group: 'a', role: 'nothing' }] }),
        b: { kind: 'microsoft', label: 'M', is_enabled: true, client_id: 'x', issuer: 'https://evil.example' },
        c: { kind: 'google', label: 'G', is_enabled: true, client_id: 'x' },
        d: oidc(),
      },
      jit: { enabled: true, role: 'absent' },
      enforced: true,
    },
    [
      '/break_glass_user_id',
      '/jit/role',
      '/providers/a/client_id',
      '/providers/a/groups_claim',
      '/providers/a/issuer',
      '/providers/a/role_map/0/role',
      '/providers/b/tenant',
      '/providers/c/allowed_domains',
      '/providers/d/issuer',
    ],
  );
  const tenant = '01234567-89AB-4def-8123-456789abcdef';
  const { body } = await saved({ providers: { entra: { kind: 'microsoft', label: 'Entra', tenant } } });
  t.equal(body.providers.entra!.issuer, `https://login.microsoftonline.com/${tenant.toLowerCase()}/v2.0`);
  t.equal((await patch(body as object)).status, 422, 'version and callback are not written');
  const { version: _, callback_url: _url, ...echo } = body as Record<string, unknown>;
  const providers = Object.fromEntries(
    Object.entries(echo.providers as Record<string, { client_secret: unknown }>).map(
      ([id, { client_secret: _secret, ...provider }]) => [id, provider],
    ),
  );
  t.equal((await saved({ ...echo, providers })).body.version, body.version, 'what was read changes nothing');
  t.match(await api.patch('/settings/sso', { jit: { enabled: true } }, { headers: { 'if-match': '"1"' } }), {
    status: 412,
    body: { changed_fields: ['jit'] },
  });
  await saved({ providers: { entra: null } });
});

t.test('a caller can map only roles whose permissions the caller has', async (t) => {
  expectStatus(
    await api.post('/roles', { key: 'settler', label: 'Settler', permissions: ['settings.manage', 'cards.view'] }),
    201,
    'a role',
  );
  expectStatus(await api.post('/roles', { key: 'seer', label: 'Seer', permissions: ['cards.view'] }), 201, 'a role');
  const by = (await makeUser(admin, 'settler')).api;
  const refused = (t: Test, answer: Answer, what: string) =>
    t.match(answer, { status: 403, body: { code: 'forbidden', required_permission: /./ } }, what);
  const map = (role: string) => ({ groups_claim: 'groups', role_map: [{ group: 'a', role }] });
  refused(t, await patch({ jit: { role: 'admin' } }, by), 'the role of new users');
  refused(
    t,
    await patch({ providers: { own: oidc({ issuer: 'https://own.example', ...map('admin') }) } }, by),
    'by a group',
  );
  refused(t, await patch({ jit: { enabled: true } }, by), 'the default role, which is that of new users');
  await saved({ jit: { enabled: true, role: 'seer' } });
  t.equal((await patch({ providers: { company: map('seer') } }, by)).status, 200);
  await saved({ providers: { company: map('admin') } });
  refused(t, await patch({ providers: { company: { issuer: 'https://evil.example' } } }, by), 'an own issuer');
  refused(t, await patch({ providers: { company: map('seer') } }, by), 'nor take it away');
  await saved({ jit: { enabled: false, role: null }, providers: { company: { role_map: [] } } });
});

t.test('a changed map decides about the accounts by the groups of their last sign-ins', async (t) => {
  const [A, B] = ['https://a.example', 'https://b.example'];
  const map = (role_map: [group: string, role: string][], more: object = {}) => ({
    groups_claim: 'groups',
    role_map: role_map.map(([group, role]) => ({ group, role })),
    ...more,
  });
  expectStatus(await api.post('/roles', { key: 'gone', label: 'Gone', permissions: ['cards.view'] }), 201, 'a role');
  await saved({
    jit: { enabled: true, role: 'seer' },
    providers: {
      a: oidc({ issuer: A, ...map([['zzz', 'member']]) }),
      b: oidc({ issuer: B, ...map([['zzz', 'member']]) }),
    },
  });
  const users = new Map<string, Awaited<ReturnType<typeof makeUser>>>();
  const at = async (name: string, identities: [issuer: string, days: number, groups: string[] | null][]) => {
    const user = await makeUser(admin, 'viewer');
    users.set(name, user);
    for (const [issuer, days, groups] of identities)
      await sql(
        database,
        `insert into user_identities (id, user_id, issuer, subject, provider, last_login_at, groups)
          values (gen_random_uuid(), $1, $2, $3, 'x', clock_timestamp() - $4 * interval '1 day', $5)`,
        [user.user.id, issuer, `${name} ${days}`, days, groups],
      );
  };
  await at('in two groups', [[A, 1, ['y', 'x']]]);
  await at('in none', [[A, 1, []]]);
  await at('unknown groups', [[A, 1, null]]);
  await at('disabled', [[A, 1, ['x']]]);
  await at('last at the other', [
    [B, 1, ['x']],
    [A, 2, ['x']],
  ]);
  await at('last at this one', [
    [B, 2, ['x']],
    [A, 1, ['x']],
  ]);
  await at('last without groups', [
    [B, 1, null],
    [A, 2, ['x']],
  ]);
  await at('archived', [[A, 1, ['old']]]);
  expectStatus(await api.patch(`/users/${users.get('disabled')!.user.id}`, { is_active: false }), 200, 'disabled');
  const roles = async (): Promise<Record<string, string>> => {
    const found = await sql<{ id: string; role: string; version: number }>(
      database,
      'select id, role, version from users',
    );
    return Object.fromEntries(
      [...users].map(([name, { user }]) => [name, found.find(({ id }) => id === user.id)!.role]),
    );
  };
  const before = await roles();
  const unchanged = Object.fromEntries(Object.keys(before).map((name) => [name, 'viewer']));
  t.strictSame(before, unchanged);
  await saved({ providers: { a: { label: 'Another', allowed_domains: ['example.org'] } } });
  t.strictSame(await roles(), unchanged, 'other settings');
  await saved({
    providers: {
      a: map([
        ['x', 'architect'],
        ['y', 'member'],
        ['old', 'gone'],
      ]),
    },
  });
  const decided = {
    ...unchanged,
    'in two groups': 'architect',
    'in none': 'seer',
    'last at this one': 'architect',
    'last without groups': 'architect',
    archived: 'gone',
  };
  t.strictSame(await roles(), decided);
  const old = users.get('archived')!;
  expectStatus(await api.patch(`/users/${old.user.id}`, { role: 'viewer' }), 200, 'by hand');
  expectStatus(await api.post('/roles/gone/archive'), 200, 'archived');
  expectStatus(await api.patch(`/users/${users.get('in none')!.user.id}`, { role: 'member' }), 200, 'by hand');
  await saved({
    providers: {
      a: map([
        ['y', 'member'],
        ['x', 'architect'],
        ['old', 'gone'],
      ]),
    },
  });
  t.strictSame(
    await roles(),
    { ...decided, 'in two groups': 'member', archived: 'viewer' },
    'the order decides, also about a role set by hand; an archived role is not given',
  );
  t.equal((await old.api.get('/auth/me')).status, 401, 'as its sign-in would be refused, its sessions end');
  await saved({ jit: { role: 'member' } });
  t.equal((await roles())['in none'], 'member', 'the role of new users');
  const groups = async () =>
    (
      await sql<{ issuer: string }>(
        database,
        'select distinct issuer from user_identities where groups is not null order by 1',
      )
    ).map(({ issuer }) => issuer);
  t.strictSame(await groups(), [A, B]);
  const kept = await roles();
  await saved({ providers: { a: { groups_claim: 'roles', role_map: [{ group: 'x', role: 'seer' }] } } });
  t.strictSame([await roles(), await groups()], [kept, [B]], 'groups of another claim are not known');
  await saved({ providers: { b: null } });
  t.strictSame([await roles(), await groups()], [kept, []], 'nor those of a removed provider');
  await saved({ jit: { enabled: false, role: null }, providers: { a: null } });
  await sql(database, 'delete from user_identities');
});

t.test('a statement that exceeds its time is an error of the service, and nothing is stored', async (t) => {
  const before = (await api.get('/settings/sso')).body;
  // The error of a statement timeout, without its minute.
  await sql(
    database,
    `create function late() returns trigger language plpgsql as $$ begin raise exception using errcode = 'query_canceled'; end $$`,
  );
  await sql(database, 'create trigger late before update on settings for each row execute function late()');
  const answer = await patch({ jit: { enabled: !(before['jit'] as { enabled: boolean }).enabled } });
  await sql(database, 'drop trigger late on settings; drop function late');
  t.match(answer, { status: 503, body: { code: 'unavailable' } });
  t.ok(answer.headers.get('retry-after'));
  t.strictSame((await api.get('/settings/sso')).body, before);
});

t.test('groups that no provider could send, or that PostgreSQL cannot store, are refused', async (t) => {
  const before = (await api.get('/settings/sso')).body;
  for (const group of ['a\0b', '\ud800', '', 'x'.repeat(301)]) {
    const role_map = [{ group, role: 'member' }];
    const answer = await patch({
      providers: { odd: oidc({ issuer: 'https://odd.example', groups_claim: 'groups', role_map }) },
    });
    t.ok([400, 422].includes(answer.status), `${JSON.stringify(group)} ${answer.status}`);
  }
  t.strictSame((await api.get('/settings/sso')).body, before);
});

t.test('providers where everyone can have an account', async (t) => {
  await saved({ jit: { enabled: true } });
  const google = 'https://accounts.google.com';
  await faults(t, { providers: { g: oidc({ issuer: google, is_enabled: true }) } }, ['/providers/g/kind']);
  const personal = { kind: 'microsoft', label: 'M', client_id: 'x', tenant: '9188040D-6c67-4c5b-b112-36a304b66dad' };
  await faults(t, { providers: { m: { ...personal, is_enabled: true } } }, ['/providers/m/allowed_domains']);
  await saved({ jit: { enabled: false } });
});

t.test('a node that has not read a change yet does not send the new secret to the earlier issuer', async (t) => {
  await saved({
    providers: { moved: oidc({ issuer: 'https://old.example', is_enabled: true, client_secret: SECRET }) },
  });
  // Stored without a notice to the nodes, as before the notice has arrived.
  await sql(
    database,
    `update settings set value = jsonb_set(value, '{providers,moved,issuer}', '"https://new.example"') where key = 'sso'`,
  );
  const provider = await app.services.ssoSettings.provider('moved');
  t.match(provider, { issuer: 'https://new.example', secret: SECRET });
  await sql(
    database,
    `update settings set value = jsonb_set(value, '{providers,moved,is_enabled}', 'false') where key = 'sso'`,
  );
  t.equal(await app.services.ssoSettings.provider('moved'), undefined, 'nor is a disabled provider used');
  await saved({ providers: { moved: null } });
});

t.test('API tokens and other users cannot change it', async (t) => {
  const token = (await api.post('/auth/tokens', { name: 'All', permissions: ['*'] })).body.token as string;
  t.match(await patch({ jit: { enabled: true } }, client(origin, token)), {
    status: 403,
    body: { code: 'session_required' },
  });
  t.match((await makeUser(admin, 'architect')).api.patch('/settings/sso', {}), {});
  t.equal((await patch({ jit: { enabled: true } }, (await makeUser(admin, 'architect')).api)).status, 403);
  t.strictSame((await client(origin).get('/auth/sso/config')).body, { providers: [], enforced: false });
});

t.test('linking needs every permission of the account', async (t) => {
  expectStatus(
    await api.post('/roles', { key: 'clerk', label: 'Clerk', permissions: ['users.manage', 'cards.view'] }),
    201,
    'a role',
  );
  const clerk = await makeUser(admin, 'clerk');
  const viewer = await makeUser(admin, 'seer');
  const service = await makeUser(admin, 'seer', 'service');
  const link = (id: string, by = clerk.api) => by.post(`/users/${id}/identities`, { issuer: ISSUER, subject: 'mine' });
  t.match(await link(admin.user.id), { status: 403, body: { required_permission: '*' } }, 'an administrator');
  const card = await api.post('/cards', { type: 'Application', name: 'Of the viewer' });
  const stake = { user_id: viewer.user.id, role: 'responsible' };
  expectStatus(await api.post(`/cards/${card.body.id}/stakeholders`, stake), 201, 'a role on a card');
  t.match(await link(viewer.user.id), { status: 403, body: { required_permission: /./ } }, 'by stakeholder roles too');
  t.match(await link(service.user.id), { status: 409, body: { code: 'invalid_state' } });
  t.equal((await link('01900000-0000-7000-8000-00000000dead')).status, 404);
  t.equal((await api.get(`/users/${viewer.user.id}`)).body.auth_provider, 'local', 'nothing has changed');
  const only = await link(admin.user.id, api);
  t.equal(only.status, 201, 'an administrator may link the own account');
  const fresh = await sql<{ n: number }>(
    database,
    'select count(*)::int as n from sessions where user_id = $1 and ended_at is null',
    [admin.user.id],
  );
  t.equal(fresh[0]!.n, 0);
  t.equal((await api.get('/auth/me')).status, 401);
  // Restored by hand: no other administrator is left, and no provider answers here.
  const [{ password_hash } = { password_hash: '' }] = await sql<{ password_hash: string }>(
    database,
    'select password_hash from users where id = $1',
    [viewer.user.id],
  );
  await sql(database, 'delete from user_identities');
  await sql(database, "update users set auth_provider = 'local', password_hash = $2 where id = $1", [
    admin.user.id,
    password_hash,
  ]);
});

t.test('enforced single sign-on refuses passwords of persons, except one administrator', async (t) => {
  const boss = await login(origin, 'admin@example.org');
  const by = boss.api;
  const person = await makeUser(boss, 'seer');
  const service = await makeUser(boss, 'seer', 'service');
  const emergency = await makeUser(boss, 'admin');
  const named = (id: string) => by.patch('/settings/sso', { enforced: true, break_glass_user_id: id });
  await by.patch('/settings/sso', { providers: { company: { is_enabled: true } } });
  for (const id of [person.user.id, service.user.id, '01900000-0000-7000-8000-00000000dead'])
    t.match(await named(id), { status: 422, body: { errors: [{ field: '/break_glass_user_id' }] } });
  await by.patch(`/users/${emergency.user.id}`, { is_active: false });
  t.equal((await named(emergency.user.id)).status, 422, 'a disabled administrator');
  await by.patch(`/users/${emergency.user.id}`, { is_active: true });
  t.equal((await named(emergency.user.id)).status, 200);
  t.match((await client(origin).get('/auth/sso/config')).body, { enforced: true, providers: [{ id: 'company' }] });

  const attempt = (email: string, password = PASSWORD) =>
    client(origin).post('/auth/login', { email, password }, { from: nextAddress() });
  const shape = ({ status, body }: Answer) => {
    const { request_id: _, ...rest } = body as Record<string, unknown>;
    return { status, rest };
  };
  const refused = await attempt(person.user.email);
  t.match(refused, { status: 401, body: { code: 'invalid_credentials' } });
  t.strictSame(shape(refused), shape(await attempt(person.user.email, 'wrong-password-of-the-user')));
  t.strictSame(shape(refused), shape(await attempt('nobody@example.org')));
  t.equal((await attempt('admin@example.org')).status, 401, 'another administrator');
  t.equal((await attempt(service.user.email)).status, 200, 'a service account');
  t.equal((await attempt(emergency.user.email)).status, 200, 'the named administrator');
  const change = { current_password: PASSWORD, new_password: 'another-otter-crosses-8-bridges' };
  t.match(await person.api.post('/auth/change-password', change), { status: 422 });
  await by.patch('/settings', { registration: { enabled: true } });
  const register = { email: 'new@example.org', password: PASSWORD, display_name: 'New' };
  t.match(await client(origin).post('/auth/register', register), {
    status: 403,
    body: { code: 'registration_disabled' },
  });

  const at = `/users/${emergency.user.id}`;
  for (const answer of [
    await by.patch(at, { is_active: false }),
    await by.patch(at, { role: 'architect' }),
    await by.del(at),
    await by.post(`${at}/identities`, { issuer: ISSUER, subject: 'emergency' }),
  ])
    t.match(answer, { status: 409, body: { code: 'invalid_state' } }, 'the named administrator stays one');
  t.equal((await by.patch(at, { display_name: 'Emergency' })).status, 200);
  await faultsBy(t, by, { providers: { company: null } }, '/enforced');
  await faultsBy(t, by, { break_glass_user_id: null }, '/break_glass_user_id');
  t.equal((await by.patch('/settings/sso', { enforced: false })).status, 200);
  t.equal((await attempt(person.user.email)).status, 200);
  t.equal((await by.patch(at, { role: 'architect' })).status, 200);
});

async function faultsBy(t: Test, by: typeof api, body: object, field: string): Promise<void> {
  t.match(await by.patch('/settings/sso', body), { status: 422, body: { errors: [{ field }] } });
}

t.test('without PUBLIC_URL there is no single sign-on', async (t) => {
  const near = await testApp({ database });
  t.teardown(near.close);
  const { api: by } = await login(near.origin, 'admin@example.org');
  t.match((await by.get('/settings/sso')).body, { callback_url: null });
  t.strictSame((await client(near.origin).get('/auth/sso/config')).body, { providers: [], enforced: false });
  t.equal((await client(near.origin).get('/auth/sso/company/login')).status, 404);
  t.match((await by.post('/settings/sso/test', { provider: 'company' })).body, { ok: false, detail: /PUBLIC_URL/ });
  t.match((await by.post('/settings/sso/test', { provider: 'absent' })).body, { errors: [{ field: '/provider' }] });
  const answer = await by.patch('/settings/sso', { enforced: true, break_glass_user_id: admin.user.id });
  t.match(answer.body, { errors: [{ field: '/enforced' }] });
});

t.test('sign-ins that were not completed are deleted', async (t) => {
  await sql(
    database,
    `insert into sso_requests (state_hash, browser_hash, provider, issuer, return_to, expires_at)
     select int4send(n), '', 'company', '', '', clock_timestamp() + make_interval(secs => n) from generate_series(-5, 600, 605) as n`,
  );
  await cleanSso(app.services.db);
  t.strictSame(await sql(database, 'select expires_at > clock_timestamp() as is_live from sso_requests'), [
    { is_live: true },
  ]);
});
