/** An API token, even with all permissions of an administrator, gives permissions to no other principal, by no route. */
import t from 'tap';
import { client, expectStatus, makeUser, PASSWORD, registerAdmin, sql, testApp, type Client } from '../support/app.js';
import { ApiTokens } from '../support/api-tokens.js';
import type { Document } from '../../core/foundation/http/openapi-document.js';

const { app, origin, database, close } = await testApp({
  config: { publicUrl: 'https://ea.example.org', outboundAllow: ['127.0.0.1'] },
});
t.teardown(close);
const admin = await registerAdmin(origin);
const api = await new ApiTokens(origin).of(admin, ['*']);
const document = (await admin.api.get<Document>('/api/openapi.json')).body;
const NOWHERE = '01900000-0000-7000-8000-00000000dead';
const SMTP = { host: '127.0.0.1', port: 9, security: 'none', from_address: 'lintel@example.org' };
expectStatus(await admin.api.patch('/settings/smtp', SMTP), 200, 'the mail settings');

const make = async (path: string, body: object): Promise<string> => {
  const { id, key } = expectStatus(await admin.api.post(path, body), 201, path).body;
  return id ?? (key as string);
};
const off = async (id: string) => {
  expectStatus(await admin.api.patch(`/settings/modules/${id}`, { enabled: false }), 200, id);
};

// The subjects of the requests.
const ROLE = { label: 'Role', permissions: ['cards.view'], types: { Provider: { 'cards.view': false } } };
for (const key of ['changed', 'archived', 'unused']) await make('/roles', { key, ...ROLE });
expectStatus(await admin.api.post('/roles/archived/archive'), 200, 'archiving');
const { id: user, email } = (await makeUser(admin, 'viewer')).user;
const resting = (await makeUser(admin, 'viewer')).user.id;
expectStatus(await admin.api.patch(`/users/${resting}`, { is_active: false }), 200, 'deactivating');
const robot = await make('/users', {
  email: 'robot@example.org',
  display_name: 'Robot',
  role: 'viewer',
  kind: 'service',
});
const card = await make('/cards', { type: 'Application', name: 'Ledger' });
await make('/metamodel/types', { key: 'Ruled', label: 'Ruled' });
/** The roles of a new card type, which no user holds yet. */
const [{ common }] = (await sql<{ common: object }>(
  database,
  `select doc -> 'stakeholder_roles' as common from card_types where key = 'Ruled'`,
)) as [{ common: object }];
await make('/roles', {
  key: 'ruled',
  label: 'Ruled',
  permissions: ['cards.view'],
  types: { Ruled: { 'cards.view': false } },
});
await make('/metamodel/types', {
  key: 'Region',
  label: 'Region',
  has_hierarchy: true,
  stakeholder_roles: [{ key: 'governor', permissions: ['card.edit'], inherited: true }],
});
await make('/metamodel/types', { key: 'Town', label: 'Town', has_hierarchy: true, allowed_parent_types: [] });
const invitation = await make('/users/invitations', { email: 'invited@example.org', role: 'viewer' });
await off('portals');
const [connection] = await sql<{ id: string }>(
  database,
  `insert into cmdbsync_connections (id, name, name_key, connector, config, max_requests_per_second)
   values (gen_random_uuid(), 'Sync', 'sync', 'none', '{}', 1) returning id`,
);
const MAPPING = { connection_id: connection!.id, name: 'Sync' };
/** The body that the documentation of a route shows. */
function exampleOf(method: string, path: string): object | undefined {
  const content = document.paths[`/api/v1${path}`]?.[method.toLowerCase()]?.requestBody?.content['application/json'];
  return (content?.example ?? (Object.values(content?.examples ?? {})[0] as { value: unknown } | undefined)?.value) as
    | object
    | undefined;
}
const observed = { user_id: user, role: 'observer' };
const { stakeholder_roles: roles } = (
  await admin.api.get<{ stakeholder_roles: { key: string; permissions: object }[] }>('/metamodel/types/Application')
).body;
const wider = roles.map((r) =>
  r.key === 'observer' ? { ...r, permissions: { ...r.permissions, 'card.edit': true } } : r,
);
const PERSON = { email: 'by-token@example.org', display_name: 'Made by a token' };

type Request = [method: string, path: string, body?: object];
/** What gives permissions, by hand: all of what the documentation names. */
const GRANTS: Request[] = [
  ['POST', '/users', { ...PERSON, role: 'admin' }],
  ['POST', '/users', { ...PERSON, email: 'default@example.org' }],
  ['POST', '/users', { ...PERSON, email: 'service@example.org', role: 'viewer', kind: 'service' }],
  ['PATCH', `/users/${user}`, { role: 'admin' }],
  ['PATCH', `/users/${user}`, { display_name: 'Renamed', role: 'member' }],
  ['PATCH', `/users/${resting}`, { is_active: true }],
  ['PATCH', `/users/${user}`, { password: `${PASSWORD}-2` }],
  ['PATCH', `/users/${user}`, { email: 'other@example.org' }],
  ['POST', '/users/invitations', { email: 'invited-2@example.org', role: 'admin' }],
  ['POST', `/users/invitations/${invitation}/resend`],
  ['POST', `/users/${robot}/tokens`, { name: 'x', permissions: ['cards.view'] }],
  ['POST', '/auth/tokens', { name: 'x', permissions: ['cards.view'] }],
  ['POST', '/roles', { key: 'made', label: 'Made', permissions: ['cards.delete'] }],
  ['PATCH', '/roles/changed', { permissions: { 'cards.delete': true } }],
  ['PATCH', '/roles/changed', { label: 'Relabelled', permissions: ['cards.view', 'cards.edit'] }],
  ['PATCH', '/roles/changed', { types: { Provider: null } }],
  ['PATCH', '/roles/changed', { types: { Objective: { 'cards.edit': true } } }],
  ['PATCH', '/roles/changed', { is_default: true }],
  ['POST', '/roles/archived/restore'],
  ['DELETE', '/metamodel/types/Ruled'],
  ['PATCH', '/settings', { app_title: 'Open', registration: { enabled: true } }],
  ['PATCH', '/settings/sso', { jit: { enabled: true, role: 'architect' } }],
  ['POST', `/cards/${card}/stakeholders`, { user_id: user, role: 'responsible' }],
  [
    'POST',
    '/metamodel/types/Application/stakeholder-roles',
    { key: 'lead', permissions: ['card.manage_stakeholders'] },
  ],
  ['PATCH', '/metamodel/types/Application/stakeholder-roles/observer', { permissions: { 'card.archive': true } }],
  ['PATCH', '/metamodel/types/Application', { label: 'Relabelled', stakeholder_roles: wider }],
  ['PATCH', '/metamodel/types/Town', { allowed_parent_types: ['Region'] }],
  [
    'POST',
    '/metamodel/types',
    { key: 'Own', label: 'Own', stakeholder_roles: [{ key: 'r', permissions: ['card.edit'] }] },
  ],
  ['PATCH', '/settings/modules/portals', { enabled: true }],
  ['POST', '/cmdbsync/mappings', { ...exampleOf('POST', '/cmdbsync/mappings'), ...MAPPING, runs_as: robot }],
  ['POST', '/webhooks', { url: 'https://hooks.example.org/x' }],
];
/** What programs do with a token, and gives no permissions. */
const ORDINARY: Request[] = [
  ['PATCH', `/users/${user}`, { display_name: 'Renamed', role: 'viewer', email, is_active: true }],
  ['PATCH', '/roles/changed', { label: 'Relabelled', permissions: ['cards.view'] }],
  ['PATCH', '/settings', { app_title: 'Titled' }],
  ['PATCH', '/metamodel/types/Application', { label: 'Applications', stakeholder_roles: roles }],
  ['POST', `/cards/${card}/stakeholders`, observed],
  ['PATCH', '/metamodel/types/Objective', { label: 'Goal' }],
  ['PATCH', '/settings/modules/adr', { enabled: true }],
  ['PATCH', `/users/${user}`, { is_active: false }],
];

/** Whatever decides what any principal may do, by its name. */
async function held(): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; value: string }>(
    database,
    `select 'user ' || id as name, jsonb_build_array(role, is_active, email, password_hash)::text as value from users
    union all select 'role ' || key, jsonb_build_array(permissions, types, is_default)::text from roles where not is_archived
    union all select 'stakeholder ' || s.id, s.role from card_stakeholders s where s.role <> 'observer'
    union all select 'definition ' || key, jsonb_build_array(doc -> 'stakeholder_roles', doc -> 'allowed_parent_types')::text from card_types where doc -> 'stakeholder_roles' <> $1 or key = 'Town'
    union all select 'invitation ' || id, jsonb_build_array(role, sent_at)::text from invitations
    union all select 'identity ' || id, user_id::text from user_identities
    union all select 'token ' || id, permissions::text from api_tokens
    union all select 'settings ' || key, jsonb_build_array(value -> 'registration', value -> 'jit', value -> 'providers')::text from settings
    union all select 'module ' || id, '' from modules where enabled
    union all select 'webhook ' || id, owner_id::text from webhooks
    union all select 'mapping ' || id, runs_as::text from cmdbsync_mappings where runs_as is not null`,
    [JSON.stringify(common)],
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
}
/** What was added or changed; what is removed gives nothing. */
const given = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...after].filter(([name, value]) => before.get(name) !== value).map(([name]) => name);

/** A request to every route that writes, with the body that its documentation shows. */
const there: [RegExp, string][] = [
  [/^\/users\/invitations/, invitation],
  [/^\/users\/:id/, user],
  [/^\/users\/:user_id/, robot],
  [/^\/roles\/:key\/restore/, 'archived'],
  [/^\/roles\/:key\/archive/, 'unused'],
  [/^\/roles\//, 'changed'],
  [/^\/cards\//, card],
  [/^\/metamodel\/types\//, 'Application'],
  [/^\/settings\/modules\//, 'portals'],
];
// They end the session with which the same requests are sent afterwards, or need no session.
const LEFT_OUT = /^\/auth\/|^\/portals\/public/;
const documented: Request[] = app.routeTable
  .filter(
    ({ method, access, url }) =>
      method !== 'GET' && access !== 'public' && !LEFT_OUT.test(url.replace(/^\/api\/v1/, '')),
  )
  .map(({ method, url }) => {
    const short = url.replace(/^\/api\/v1/, '');
    const body = exampleOf(method, short.replace(/:(\w+)/g, '{$1}'));
    // What is deleted gives nothing, and is needed later.
    const id = method === 'DELETE' ? undefined : there.find(([pattern]) => pattern.test(short))?.[1];
    const path = (id === undefined ? short : short.replace(/:\w+/, id)).replace(/:\w+/g, NOWHERE);
    return [method, path, body];
  });
const send = (by: Client, [method, path, body]: Request) => by.send(method, path, body);

t.test('nothing of what gives permissions is done by a token of an administrator, and the rest is', async (t) => {
  const before = await held();
  for (const request of GRANTS) {
    const { status, body } = await send(api, request);
    const what = `${request[0]} ${request[1]} ${JSON.stringify(request[2])}`;
    t.match([status, body], [403, { code: 'session_required', detail: /log in/ }], what);
    t.strictSame(given(before, await held()), [], what);
  }
  t.strictSame(
    await sql(database, 'select email from users where email like $1', ['%by-token%']),
    [],
    'no account is left that a token made',
  );
  t.strictSame(
    await sql(database, `select label from roles where key = 'changed'`),
    [{ label: 'Role' }],
    'not a part of it',
  );
  for (const request of ORDINARY) {
    const { status, body } = await send(api, request);
    t.ok(status < 300, `${request[0]} ${request[1]} ${JSON.stringify(request[2])}: ${status} ${JSON.stringify(body)}`);
  }
  expectStatus(await admin.api.patch(`/users/${user}`, { is_active: true }), 200, 'activating');
});

t.test('what gives permissions with a session, by any route, is refused to a token', async (t) => {
  const requests = [...documented, ...GRANTS];
  const answers: object[] = [];
  const before = await held();
  for (const request of requests) {
    const { status, body } = await send(api, request);
    // Without a body: 204.
    answers.push({ status, code: (body as { code?: string } | undefined)?.code });
  }
  t.strictSame(given(before, await held()), [], 'all requests by the token together');
  const giving: string[] = [];
  for (const [n, request] of requests.entries()) {
    const earlier = await held();
    const { status } = await send(admin.api, request);
    const more = given(earlier, await held());
    if (status >= 300 || more.length === 0) continue;
    giving.push(`${request[0]} ${request[1]}`);
    t.match(
      answers[n],
      { status: 403, code: 'session_required' },
      `${request[0]} ${request[1]} gives ${more.join(', ')}`,
    );
  }
  for (const [method, path] of GRANTS.filter(([, path]) => !/sso|tokens/.test(path)))
    t.ok(giving.includes(`${method} ${path}`), `${method} ${path} gives permissions with a session`);
  t.ok(documented.length > 100, `${documented.length} routes`);
});

t.test('a role with its own permissions is given by a token, and one that manages by a session only', async (t) => {
  const owner = await makeUser(admin, 'viewer');
  const path = '/metamodel/types/Provider/stakeholder-roles';
  expectStatus(await admin.api.post(path, { key: 'keeper', permissions: ['card.edit'] }), 201, 'a role');
  const provider = await make('/cards', { type: 'Provider', name: 'Vendor' });
  const give = (by: Client) => by.post(`/cards/${provider}/stakeholders`, { user_id: owner.user.id, role: 'keeper' });
  t.equal((await give(api)).status, 201);
  const [stakeholder] = (await admin.api.get(`/cards/${provider}/stakeholders`)).body.items;
  t.equal((await api.del(`/cards/${provider}/stakeholders/${stakeholder!.id}`)).status, 204, 'and taken');
  expectStatus(
    await admin.api.patch(`${path}/keeper`, { permissions: { 'card.manage_stakeholders': true } }),
    200,
    'it manages now',
  );
  t.match(await give(api), { status: 403, body: { code: 'session_required' } });
  t.equal((await give(client(origin, admin.token))).status, 201);
  expectStatus(
    await api.patch(`${path}/keeper`, { permissions: { 'card.manage_stakeholders': null } }),
    200,
    'a token can take permissions from a stakeholder role',
  );
});

t.test('a token does not show costs to others by making them another field', async (t) => {
  const [cost, number] = ['cost', 'number'].map((kind) => [{ key: 'fee', label: 'Fee', kind }]);
  const sections = (fields?: object[]) => [{ key: 's', label: 'S', fields: [...(fields ?? [])] }];
  await make('/metamodel/types', { key: 'Priced', label: 'Priced', sections: sections(cost) });
  const ends = { source_type: 'Priced', target_type: 'Priced' };
  await make('/metamodel/relation-types', { key: 'pays', label: 'pays', ...ends, fields: cost });
  const CHANGES: Request[] = [
    ['PATCH', '/metamodel/types/Priced', { sections: sections(number) }],
    ['PATCH', '/metamodel/types/Priced', { sections: sections() }],
    ['PATCH', '/metamodel/relation-types/pays', { fields: number }],
    ['DELETE', '/metamodel/relation-types/pays'],
  ];
  for (const request of CHANGES)
    t.match(await send(api, request), { status: 403, body: { code: 'session_required' } }, JSON.stringify(request));
  const relabelled = sections([{ ...cost![0], label: 'Charge' }]);
  t.equal((await api.patch('/metamodel/types/Priced', { sections: relabelled })).status, 200, 'it stays a cost');
  for (const request of CHANGES) t.ok((await send(admin.api, request)).status < 300, JSON.stringify(request));
});

t.test('a token renames and disables a mapping that runs as a service account, and does not enable it', async (t) => {
  const body = {
    ...exampleOf('POST', '/cmdbsync/mappings'),
    ...MAPPING,
    name: 'Named',
    runs_as: robot,
    is_enabled: true,
  };
  const path = `/cmdbsync/mappings/${await make('/cmdbsync/mappings', body)}`;
  for (const harmless of [{ name: 'Renamed' }, { is_enabled: false }])
    t.match(await api.patch(path, harmless), { status: 200 }, JSON.stringify(harmless));
  for (const decisive of [{ is_enabled: true }, { filter: 'x=1' }])
    t.match(
      await api.patch(path, decisive),
      { status: 403, body: { code: 'session_required' } },
      JSON.stringify(decisive),
    );
});
