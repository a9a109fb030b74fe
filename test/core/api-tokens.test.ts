/** API tokens: what they may do, and what not. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { client, makeUser, openStream, registerAdmin, sql, testApp, until, type Client } from '../support/app.js';
import { ApiTokens } from '../support/api-tokens.js';
import { systemContext } from '../../core/foundation/context.js';
import { mayUseOnCards, TokenRights } from '../../core/identity/rbac/index.js';
import { AddressRanges } from '../../core/foundation/http/address-ranges.js';

const node = await testApp();
t.teardown(node.close);
const { origin, app, database } = node;
const admin = await registerAdmin(origin);
const member = await makeUser(admin, 'member');
const viewer = await makeUser(admin, 'viewer');
const tokens = new ApiTokens(origin);

const make = async (path: string, body: object, api: Client = admin.api): Promise<string> => {
  const answer = await api.post(path, body);
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
};
const card = await make('/cards', { type: 'Application', name: 'Ledger', attributes: { costTotalAnnual: 77_700 } });
const other = await make('/cards', { type: 'Application', name: 'Other' });
const provider = await make('/cards', { type: 'Provider', name: 'Vendor' });
await make(`/cards/${card}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' });

t.test('a token is shown once, and has the restriction that was given', async (t) => {
  const body = { name: ' Nightly ', permissions: ['cards.view', 'cards.edit'] };
  const made = await member.api.post<{ id: string; token: string; expires_at: string }>('/auth/tokens', body);
  t.equal(made.status, 201);
  t.equal(made.headers.get('cache-control'), 'no-store');
  t.match(made.body, { name: 'Nightly', permissions: ['cards.edit', 'cards.view'], last_used_at: null });
  const { id, token } = made.body;
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
  t.match(claims, { sub: member.user.id, jti: id, use: 'api', exp: Date.parse(made.body.expires_at) / 1000 });
  t.match(JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()), { alg: 'HS256', kid: /^[\w-]{16}$/ });
  const listed = await member.api.get('/auth/tokens');
  t.match(listed.body, { total: 1, items: [{ id, name: 'Nightly' }] });
  t.notOk(JSON.stringify(listed.body).includes(token));
  t.same((await member.api.get(`/auth/tokens/${id}`)).body, listed.body.items[0]);
  t.equal((await viewer.api.get(`/auth/tokens/${id}`)).status, 404, 'the token of another user');
  t.equal((await viewer.api.del(`/auth/tokens/${id}`)).status, 404);

  const api = client(origin, token);
  const me = await api.get('/auth/me');
  t.match(me.body, {
    id: member.user.id,
    permissions: ['cards.edit', 'cards.view'],
    signed_in_by: { kind: 'api_token', id, name: 'Nightly', expires_at: made.body.expires_at },
  });
  t.match((await member.api.get('/auth/me')).body, { signed_in_by: { kind: 'session' } });
  t.equal((await api.patch(`/cards/${card}`, { alias: 'L' })).status, 200);
  t.equal((await api.post('/cards', { type: 'Application', name: 'No' })).status, 403, 'a right of the owner only');
  t.ok(await until(async () => (await member.api.get(`/auth/tokens/${id}`)).body['last_used_at']), 'last use');

  t.equal((await member.api.del(`/auth/tokens/${id}`)).status, 204);
  t.equal((await api.get('/cards')).status, 401);
  t.match((await member.api.get('/auth/tokens')).body, { total: 0 });
  t.equal((await member.api.del(`/auth/tokens/${id}`)).status, 404, 'only once');
});

t.test('every invalid field is reported', async (t) => {
  const faults = await member.api.post('/auth/tokens', {
    name: 'x',
    permissions: ['cards.view', 'cards.fly'],
    expires_at: '2020-01-01T00:00:00Z',
    address_ranges: ['10.0.0.0/8', '10.0.0.0/33', 'example.org', '::1/129', '2001:db8::/32'],
  });
  t.equal(faults.status, 422);
  t.strictSame(faults.body.errors.map(({ field }) => field).sort(), [
    '/address_ranges/1',
    '/address_ranges/2',
    '/address_ranges/3',
    '/expires_at',
    '/permissions/1',
  ]);
  const late = new Date(Date.now() + 366 * 86_400_000).toISOString();
  const body = { name: 'x', permissions: ['cards.view'], expires_at: late };
  t.match((await member.api.post('/auth/tokens', body)).body.errors, [{ field: '/expires_at' }]);
  await admin.api.patch('/settings', { api_tokens: { max_days: 400 } });
  t.equal((await member.api.post('/auth/tokens', body)).status, 201, 'the limit is a setting');
  await admin.api.patch('/settings', { api_tokens: { max_days: 365 } });
});

t.test('nobody can give a token what the user does not have', async (t) => {
  const refused = async (api: Client, ...permissions: string[]) =>
    (await api.post('/auth/tokens', { name: 'x', permissions })).body;
  t.match(await refused(viewer.api, 'cards.view', 'cards.edit'), {
    code: 'forbidden',
    required_permission: 'cards.edit',
  });
  t.match(await refused(member.api, 'card.approve'), { required_permission: 'card.approve' });
  t.match(await refused(viewer.api, 'card.approve'), { permissions: ['card.approve'] }, 'held on some card');
  t.match(await refused(member.api, 'card.edit'), { permissions: ['card.edit'] }, 'held on all cards');
});

t.test('it has what its owner has at the moment', async (t) => {
  await make('/roles', {
    key: 'editor',
    label: 'Editor',
    permissions: ['cards.view', 'cards.edit', 'costs.view'],
    types: { Provider: { 'cards.edit': false } },
  });
  const editor = await makeUser(admin, 'editor');
  const api = await tokens.of(editor, ['cards.view', 'cards.edit']);
  const edit = async (id: string) => (await api.patch(`/cards/${id}`, { alias: `a${Math.random()}` })).status;
  t.equal(await edit(card), 200);
  t.equal(await edit(provider), 403, 'the rule of the role for the type');
  const seen = (await api.get<{ attributes: object }>(`/cards/${card}`)).body;
  t.notMatch(seen.attributes, { costTotalAnnual: 77_700 }, 'costs need costs.view');
  t.match((await editor.api.get(`/cards/${card}`)).body, { attributes: { costTotalAnnual: 77_700 } });
  t.equal((await api.patch(`/cards/${card}`, { attributes: { costTotalAnnual: 1 } })).status, 403);
  t.same((await api.get('/auth/me')).body['permission_rules'], { Provider: { 'cards.edit': false } });

  await admin.api.patch('/roles/editor', { permissions: { 'cards.edit': false, 'cards.create': true } });
  t.equal(await edit(card), 403, 'taken from the role');
  t.equal(
    (await api.post('/cards', { type: 'Provider', name: 'New' })).status,
    403,
    'given to the role, not the token',
  );
  await admin.api.patch('/roles/editor', { permissions: { 'cards.edit': true } });
  t.equal(await edit(card), 200, 'given back');
  await admin.api.patch('/roles/editor', { types: { Application: { 'cards.view': false } } });
  t.equal((await api.get(`/cards/${card}`)).status, 404, 'hidden from the owner');
  t.match((await api.get('/cards', { query: { search: 'Ledger' } })).body, { total: 0 });
});

t.test('stakeholder roles of the owner apply as far as the token includes them', async (t) => {
  const edit = async (api: Client, id: string) =>
    (await api.patch(`/cards/${id}`, { alias: `b${Math.random()}` })).status;
  const without = await tokens.of(viewer, ['cards.view']);
  t.equal(await edit(viewer.api, card), 200);
  t.equal(await edit(without, card), 403);
  t.match((await without.get<{ can: object }>(`/cards/${card}/permissions`)).body.can, {
    'card.edit': { allowed: false, because: /token/ },
  });
  const costs = async (api: Client) =>
    JSON.stringify((await api.get('/cards')).body).includes('costTotalAnnual":77700');
  t.equal(await costs(viewer.api), true, 'by card.view_costs');
  t.equal(await costs(without), false);
  t.match((await without.get('/cards', { query: { 'attributes.costTotalAnnual[gt]': 1 } })).body, { total: 0 });
  const bulk = (api: Client) =>
    api.post<{ results: { outcome: string }[] }>('/cards/bulk', {
      mode: 'per_row',
      operations: [{ op: 'update', id: card, card: { alias: `c${Math.random()}` } }],
    });
  t.equal((await bulk(without)).status, 403);

  const editing = await tokens.of(viewer, ['cards.view', 'card.edit', 'card.view_costs']);
  t.equal(await edit(editing, card), 200);
  t.equal(await edit(editing, other), 403);
  t.equal(await costs(editing), true);
  t.equal((await editing.post(`/cards/${card}/approval`, { action: 'approve' })).status, 403);
  const given = { user_id: member.user.id, role: 'observer' };
  t.equal((await editing.post(`/cards/${card}/stakeholders`, given)).status, 403);

  // May manage stakeholders, but not hand out what the token does not include.
  const managing = await tokens.of(viewer, ['cards.view', 'stakeholders.view', 'card.manage_stakeholders']);
  const responsible = { user_id: member.user.id, role: 'responsible' };
  t.match((await managing.post(`/cards/${card}/stakeholders`, responsible)).body, {
    code: 'forbidden',
    or_card_permission: /^card\./,
  });
  t.equal((await viewer.api.post(`/cards/${card}/stakeholders`, responsible)).status, 201, 'the owner may');
});

t.test('it cannot manage credentials, and not give more than it has', async (t) => {
  const api = await tokens.of(admin, ['*']);
  t.equal((await api.get('/users')).status, 200, 'all permissions of the owner');
  const service = await make('/users', {
    email: 'robot@example.org',
    display_name: 'Robot',
    role: 'viewer',
    kind: 'service',
  });
  const body = { name: 'x', permissions: ['cards.view'] };
  const [session] = (await admin.api.get('/auth/sessions')).body.items;
  const { id: own } = (await api.get<{ signed_in_by: { id: string } }>('/auth/me')).body.signed_in_by;
  const webhook = await make('/webhooks', { url: 'https://hooks.example.org/x', is_active: false });
  const person = { email: 'p@example.org', display_name: 'P', role: 'viewer' };
  const resting = await make('/users', { ...person, email: 'resting@example.org' });
  t.equal((await admin.api.patch(`/users/${resting}`, { is_active: false })).status, 200);
  const refused: [string, string, unknown?][] = [
    ['POST', '/auth/tokens', body],
    ['GET', '/auth/tokens'],
    ['GET', `/auth/tokens/${own}`],
    ['DELETE', `/auth/tokens/${own}`],
    ['POST', `/users/${service}/tokens`, body],
    ['GET', `/users/${service}/tokens`],
    ['DELETE', `/users/${admin.user.id}/tokens/${own}`],
    ['GET', '/auth/sessions'],
    ['DELETE', `/auth/sessions/${session!.id}`],
    ['POST', '/auth/logout'],
    ['PATCH', '/auth/me', { locale: 'de' }],
    ['POST', '/auth/change-password', { current_password: admin.password, new_password: 'another-otter-crosses-8' }],
    ['POST', '/users', person],
    ['POST', '/users', { ...person, password: 'another-otter-crosses-8' }],
    ['PATCH', `/users/${service}`, { password: 'another-otter-crosses-8' }],
    ['PATCH', `/users/${service}`, { email: 'other@example.org' }],
    ['PATCH', `/users/${resting}`, { is_active: true }],
    ['PATCH', '/settings', { api_tokens: { max_days: 3_000 } }],
    ['PATCH', '/settings', { registration: { enabled: true } }],
    ['PATCH', '/settings', { session_days: 365 }],
    ['PATCH', '/settings/smtp', { host: 'mail.example.org' }],
    ['POST', '/webhooks', { url: 'https://hooks.example.org/y' }],
    ['PATCH', `/webhooks/${webhook}`, { url: 'https://hooks.example.org/z' }],
    ['POST', `/webhooks/${webhook}/rotate-secret`],
  ];
  for (const [method, path, data] of refused) {
    const answer = await api.send(method, path, data);
    t.match([answer.status, answer.body.code], [403, 'session_required'], `${method} ${path}`);
  }
  t.equal((await api.post('/auth/refresh')).status, 401);
  t.equal((await api.post('/auth/refresh', { refresh_token: 'x' })).status, 401);
  t.equal((await api.patch('/settings', { app_title: 'Workspace' })).status, 200, 'other settings');

  const narrow = await tokens.of(admin, ['users.manage', 'roles.manage', 'cards.view', 'settings.manage']);
  const role = async (answer: ReturnType<Client['post']>) => (await answer).body;
  t.match(await role(narrow.patch(`/users/${member.user.id}`, { display_name: 'Renamed' })), {
    code: 'forbidden',
    required_permission: 'adr.manage',
  });
  await make('/roles', { key: 'r1', label: 'R', permissions: ['cards.view'] });
  t.match(await role(narrow.patch('/roles/r1', { permissions: { 'cards.edit': true } })), {
    code: 'forbidden',
    required_permission: 'cards.edit',
  });
  t.match(await role(narrow.patch('/roles/r1', { types: { Application: { 'cards.edit': true } } })), {
    code: 'forbidden',
  });
  t.match(await role(narrow.patch('/roles/r1', { label: 'Relabelled' })), { label: 'Relabelled' });
});

t.test('an administrator makes tokens of service accounts, with permissions that both have', async (t) => {
  await make('/roles', { key: 'keeper', label: 'Keeper', permissions: ['users.manage', 'cards.view', 'cards.edit'] });
  const keeper = await makeUser(admin, 'keeper');
  const robot = await make('/users', {
    email: 'r2@example.org',
    display_name: 'R2',
    role: 'architect',
    kind: 'service',
  });
  const of = (permissions: string[], user = robot) =>
    keeper.api.post<{ id: string; token: string }>(`/users/${user}/tokens`, { name: 'Sync', permissions });
  t.match((await of(['cards.view', 'cards.delete'])).body, { code: 'forbidden', required_permission: 'cards.delete' });
  t.equal((await of(['*'])).status, 403);
  t.match((await of(['users.manage'])).body, { required_permission: 'users.manage' }, 'the account has it not');
  t.match((await of(['cards.view'], member.user.id)).body, { code: 'invalid_state' }, 'the account of a person');
  t.equal((await of(['cards.view'], '01900000-0000-7000-8000-00000000dead')).status, 404);
  await make(`/cards/${other}/stakeholders`, { user_id: robot, role: 'responsible' });
  t.match((await of(['card.approve'])).body, { code: 'forbidden' }, 'by a stakeholder role of the account');
  const made = await of(['cards.view', 'cards.edit']);
  t.equal(made.status, 201);
  const api = client(origin, made.body.token);
  t.match((await api.get('/auth/me')).body, { id: robot, kind: 'service', permissions: ['cards.edit', 'cards.view'] });
  t.match((await keeper.api.get(`/users/${robot}/tokens`)).body, { total: 1, items: [{ created_by: keeper.user.id }] });
  t.equal((await keeper.api.del(`/users/${robot}/tokens/${made.body.id}`)).status, 403, 'its role has more than mine');
  t.equal((await admin.api.del(`/users/${robot}/tokens/${made.body.id}`)).status, 204);
  t.equal((await api.get('/auth/me')).status, 401);
  t.equal((await admin.api.del(`/users/${member.user.id}/tokens/${made.body.id}`)).status, 404);
});

t.test('a token that may only read comments does not delete those of its user', async (t) => {
  const made = await make(`/cards/${card}/comments`, { body: 'Mine' }, member.api);
  const path = `/cards/${card}/comments/${made}`;
  t.match((await (await tokens.of(member, ['cards.view', 'comments.view'])).del(path)).body, {
    code: 'forbidden',
    required_permission: 'comments.create',
  });
  const writing = await tokens.of(member, ['cards.view', 'comments.view', 'comments.create']);
  t.equal((await writing.del(path)).status, 204);
});

t.test('events and history name the token', async (t) => {
  const made = await tokens.made(member, ['cards.view', 'cards.create', 'cards.edit', 'cards.bulk']);
  const token = { id: made.id, name: made.name };
  const api = client(origin, made.token);
  const one = await make('/cards', { type: 'Application', name: 'By token' }, api);
  await api.patch(`/cards/${one}`, { alias: 'x' });
  await api.post('/cards/bulk', { operations: [{ op: 'create', card: { type: 'Application', name: 'By bulk' } }] });
  const events = await until(async () => {
    const { body } = await admin.api.get('/events', { query: { token_id: made.id } });
    return body.total >= 3 && body;
  });
  t.match(events.items, [
    { type: 'card.created', actor: { id: member.user.id, token } },
    { type: 'card.updated', actor: { token } },
    { type: 'card.created', actor: { token } },
  ]);
  t.match((await admin.api.get(`/cards/${one}/history`)).body.items, [{ actor: { token } }, { actor: { token } }]);
  await member.api.patch(`/cards/${one}`, { alias: 'y' });
  const [last] = (await admin.api.get(`/cards/${one}/history`)).body.items;
  t.notOk((last!['actor'] as { token?: unknown }).token, 'not of a change by a session');
  const risk = await make(
    '/risks',
    { title: 'R', category: 'security' },
    await tokens.of(member, ['risks.view', 'risks.manage']),
  );
  t.match((await admin.api.get(`/risks/${risk}/history`)).body.items, [{ actor: { token: { name: /^Token/ } } }]);
  const modelling = await tokens.of(admin, ['metamodel.manage']);
  t.equal((await modelling.patch('/metamodel/types/Objective', { label: 'Goal' })).status, 200);
  const [revision, before] = (await admin.api.get('/metamodel/revisions')).body.items;
  t.match(revision, { actor: { id: admin.user.id, token: { name: /^Token/ } } });
  t.notOk((before!['actor'] as { token?: unknown } | null)?.token, 'not of a change without one');
});

t.test('an Idempotency-Key is valid for the token that sent it', async (t) => {
  const [a, b] = [await tokens.of(member, ['cards.view', 'cards.create']), await tokens.of(member, ['cards.create'])];
  const send = (api: Client) =>
    api.post('/cards', { type: 'Application', name: 'Once' }, { headers: { 'idempotency-key': 'k1' } });
  const first = await send(a);
  const again = await send(a);
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  t.equal(again.body.id, first.body.id);
  t.match((await send(b)).body, { code: 'idempotency_key_reused' });
  t.match((await send(member.api)).body, { code: 'idempotency_key_reused' });
});

t.test('a token may be restricted to addresses', async (t) => {
  const made = await tokens.made(member, ['cards.view'], { address_ranges: ['127.50.0.0/16', '127.0.0.9', '::1'] });
  const from = async (address: string, path = '/cards') =>
    (await client(origin, made.token).get(path, { from: address })).status;
  t.equal(await from('127.50.3.4'), 200);
  t.equal(await from('127.0.0.9'), 200);
  t.equal(await from('127.51.0.1'), 401);
  t.equal(await from('127.0.0.1'), 401);
  const ticket = (
    await client(origin, made.token).post<{ ticket: string }>('/events/stream-ticket', undefined, {
      from: '127.50.0.1',
    })
  ).body;
  const stream = await openStream(origin, undefined, { query: { ticket: ticket.ticket } });
  stream.close();
  t.equal(stream.status, 401, 'a ticket of the token, from another address');

  const ranges = new AddressRanges(['192.0.2.0/24', '2001:db8::/48', '2001:db8:ffff::1']);
  for (const ip of ['192.0.2.9', '::ffff:192.0.2.9', '2001:db8:0:1::2', '2001:DB8:FFFF::1'])
    t.equal(ranges.includes(ip), true, ip);
  for (const ip of ['192.0.3.9', '::ffff:192.0.3.9', '2001:db8:1::', '2001:db8:ffff::2', 'fe80::1%eth0', 'x', ''])
    t.equal(ranges.includes(ip), false, ip);
});

t.test('a stream of a token gets what the token may see', async (t) => {
  const api = await tokens.made(member, ['relations.view']);
  const all = await tokens.made(member, ['cards.view']);
  const [without, stream] = [await openStream(origin, api.token), await openStream(origin, all.token)];
  t.teardown(() => {
    without.close();
    stream.close();
  });
  await admin.api.patch(`/cards/${card}`, { attributes: { costTotalAnnual: 88_800 } });
  await make('/auth/tokens', { name: 'Of the member', permissions: ['cards.view'] }, member.api);
  const marker = await make('/cards', { type: 'Application', name: 'Marker' });
  const seen = await stream.waitFor((e) => JSON.stringify(e.data).includes(marker), 10_000);
  t.ok(seen);
  t.notMatch(JSON.stringify(stream.events), /(?<![\w-])88800(?![\w-])/, 'no costs');
  t.notMatch(JSON.stringify(stream.events), /api_token\.created/, 'nothing of tokens and sessions of its user');
  await admin.api.post('/metamodel/tag-groups', { name: 'Group', mode: 'multi' });
  await without.waitFor((e) => e.event.startsWith('metamodel.'), 10_000);
  t.notOk(
    without.events.some((e) => JSON.stringify(e.data).includes(card)),
    'no cards',
  );
});

t.test('a request whose body arrives after the token was revoked changes nothing', async (t) => {
  const made = await tokens.made(member, ['cards.view', 'cards.create']);
  const body = JSON.stringify({ type: 'Application', name: 'Late' });
  const sent = request(`${origin}/api/v1/cards`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${made.token}`,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.write(body.slice(0, 5));
  await until(async () => (await member.api.get(`/auth/tokens/${made.id}`)).body['last_used_at'], 10_000);
  t.equal((await member.api.del(`/auth/tokens/${made.id}`)).status, 204);
  // The user is checked again only where reading the body took some time.
  await delay(300);
  sent.end(body.slice(5));
  const [answer] = await answered;
  t.equal(answer.statusCode, 401);
  answer.resume();
  t.match((await member.api.get('/cards', { query: { search: 'Late' } })).body, { total: 0 });
});

t.test('none is made for an account that is deactivated while the request waits', async (t) => {
  const { user, api } = await makeUser(admin, 'viewer');
  let making!: ReturnType<Client['post']>;
  await app.services.transactions.run(systemContext('test'), async (uow) => {
    await uow.query({ name: 'test-deactivate', text: 'update users set is_active = false where id = $1' }, [user.id]);
    making = api.post('/auth/tokens', { name: 'x', permissions: ['cards.view'] });
    await until(
      async () =>
        (
          await sql(
            database,
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          )
        ).length > 0,
    );
  });
  t.match((await making).body, { code: 'invalid_state' });
  t.same(await sql(database, 'select id from api_tokens where user_id = $1', [user.id]), []);
});

t.test('a role that this node does not know yet lifts no restriction', (t) => {
  const permissions = app.services.rbac.restrictedPermissionsOf(
    'unknown',
    new TokenRights(['cards.view', 'card.edit']),
  );
  t.notOk(permissions.has('cards.view'));
  t.ok(mayUseOnCards(permissions, 'card.edit'));
  t.notOk(mayUseOnCards(permissions, 'card.archive'));
  t.end();
});

t.test('at most 50 per user; deleted with the account', async (t) => {
  const many = await makeUser(admin, 'viewer');
  for (let i = 0; i < 49; i++) await tokens.made(many, ['cards.view']);
  const last = await Promise.all(
    [1, 2, 3].map(() => many.api.post('/auth/tokens', { name: 'x', permissions: ['cards.view'] })),
  );
  t.strictSame(last.map(({ status }) => status).sort(), [201, 409, 409]);
  t.match(last.find(({ status }) => status === 409)!.body, { code: 'limit_reached', limit: 50 });
  await admin.api.del(`/users/${many.user.id}`);
  t.same(await sql(database, 'select * from api_tokens where user_id = $1', [many.user.id]), []);
});

t.test('an API token is not an access token, nor the other way round', async (t) => {
  const { id } = await tokens.made(member, ['cards.view']);
  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Parameters<
      typeof app.services.auth.sign
    >[0];
  const { use: _use, ...plain } = claimsOf((await tokens.made(member, ['cards.view'])).token);
  const status = async (claims: Parameters<typeof app.services.auth.sign>[0]) =>
    (await client(origin, app.services.auth.sign(claims)).get('/auth/me')).status;
  t.equal(await status(plain), 401, 'without the claim');
  t.equal(await status({ ...claimsOf(member.token), use: 'api' }), 401, 'a session with the claim');
  t.equal(await status({ ...claimsOf(viewer.token), sid: id, jti: id, use: 'api' }), 401, 'of another user');
});
