/** Rules of roles per card type: created, returned, changed and removed by the API, limited to the caller's permissions. */
import pg from 'pg';
import t from 'tap';
import {
  client,
  expectStatus,
  lockWaiters,
  login,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  until,
  type Answer,
  type AnyBody,
} from '../support/app.js';

type Rules = Record<string, Record<string, boolean>>;
interface Role extends AnyBody {
  key: string;
  permissions: string[];
  types: Rules;
}

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const { database, app } = one;
const admin = await registerAdmin(one.origin);
const { api } = admin;
let n = 0;
const fresh = (): string => `ruled_${++n}`;
const make = async (more: object = {}, by = api): Promise<Role> =>
  expectStatus(await by.post<Role>('/roles', { key: fresh(), label: 'Ruled', ...more }), 201, 'a role').body;
const fields = ({ body }: Answer): string[] => body.errors.map((e) => e.field).sort();
const eventsOf = async (key: string) =>
  await until(async () => {
    const [waiting] = await sql<{ n: number }>(database, 'select count(*)::int as n from event_outbox');
    return (
      waiting!.n === 0 &&
      sql<{ type: string; data: { changes?: { field: string; old: unknown; new: unknown }[] } }>(
        database,
        `select type, data from events where subject_kind = 'role' and subject_id = $1 order by position`,
        [key],
      )
    );
  });
const READ = ['cards.view', 'relations.view', 'stakeholders.view', 'comments.view', 'documents.view'];

await t.test('rules are created, returned and merged, and the events list them by type', async (t) => {
  const made = await make({
    permissions: READ,
    types: { Application: { 'cards.edit': true, 'cards.view': false }, Provider: { 'costs.view': true } },
  });
  t.strictSame(made.types, {
    Application: { 'cards.edit': true, 'cards.view': false },
    Provider: { 'costs.view': true },
  });
  const patch = async (types: unknown, more: object = {}) =>
    (await api.patch<Role>(`/roles/${made.key}`, { types, ...more })).body;
  t.match(
    await patch({
      Application: { 'cards.edit': null, 'cards.delete': false },
      Provider: null,
      Interface: { 'cards.create': true },
    }),
    { version: 2 },
  );
  t.strictSame((await api.get<Role>(`/roles/${made.key}`)).body.types, {
    Application: { 'cards.delete': false, 'cards.view': false },
    Interface: { 'cards.create': true },
  });
  t.match(
    await patch({ Interface: { 'cards.create': true }, Objective: null, Platform: { 'cards.edit': null } }),
    { version: 2 },
    'nothing changed',
  );
  t.match(await api.patch(`/roles/${made.key}`, { types: { Interface: null } }, { headers: { 'if-match': '"1"' } }), {
    status: 412,
    body: { current_version: 2, changed_fields: ['types.Interface'] },
  });
  t.strictSame(
    (await patch({ Application: { 'cards.delete': null, 'cards.view': null } })).types,
    { Interface: { 'cards.create': true } },
    'a type without rules is removed',
  );
  t.strictSame((await patch(null, { label: 'None' })).types, {});
  t.strictSame((await api.get<{ items: Role[] }>('/roles', { query: { search: made.key } })).body.items[0]!.types, {});
  const events = await eventsOf(made.key);
  t.match(events[0], { type: 'role.created', data: { types: { Provider: { 'costs.view': true } } } });
  t.strictSame(events[1]!.data.changes, [
    {
      field: 'types.Application',
      old: { 'cards.edit': true },
      new: { 'cards.delete': false },
    },
    { field: 'types.Interface', old: null, new: { 'cards.create': true } },
    { field: 'types.Provider', old: { 'costs.view': true }, new: null },
  ]);
});

await t.test('invalid rules are refused, and every fault is named', async (t) => {
  const post = (types: unknown, more: object = {}) => api.post('/roles', { key: fresh(), label: 'x', types, ...more });
  t.strictSame(
    fields(
      await post(
        {
          Nope: { 'cards.edit': true },
          Application: { 'cards.fly': true, 'users.manage': true, 'card.edit': false, 'cards.edit': true },
          toString: { 'cards.view': true },
        },
        { permissions: ['cards.swim'] },
      ),
    ),
    [
      '/permissions/0',
      '/types/Application/card.edit',
      '/types/Application/cards.fly',
      '/types/Application/users.manage',
      '/types/Nope',
      '/types/toString',
    ],
  );
  for (const types of [
    [],
    'all',
    { Application: 'x' },
    { Application: { 'cards.edit': 1 } },
    { Application: ['cards.edit'] },
    { '': { 'cards.edit': true } },
    { constructor: { 'cards.edit': true } },
  ])
    t.equal((await post(types)).status, 422, JSON.stringify(types));
  t.equal(
    (
      await api.send('POST', '/roles', '{"key":"p","label":"x","types":{"__proto__":{"cards.edit":true}}}', {
        headers: { 'content-type': 'application/json' },
      })
    ).status,
    422,
  );
  for (const types of [{ Application: { 'cards.edit': false } }])
    t.match(await api.patch('/roles/admin', { types }), { status: 409, body: { code: 'invalid_state' } });
  const offered = (
    await api.get<{ items: { key: string; per_type: boolean }[] }>('/roles/permissions', { query: { page_size: 200 } })
  ).body.items;
  const perType = offered.filter((p) => p.per_type).map((p) => p.key);
  t.ok(
    perType.includes('cards.edit') &&
      perType.includes('costs.view') &&
      !perType.includes('users.manage') &&
      !perType.includes('card.edit'),
    perType.join(' '),
  );
  t.strictSame(
    (await make({ types: { Application: Object.fromEntries(perType.map((key) => [key, true])) } })).types[
      'Application'
    ],
    Object.fromEntries(perType.map((key) => [key, true])),
    'each of them can have a rule',
  );
});

await t.test('the number of rules of a role is limited, also over several requests', async (t) => {
  const perType = [
    ...(
      await api.get<{ items: { key: string; per_type: boolean }[] }>('/roles/permissions', {
        query: { page_size: 200 },
      })
    ).body.items,
  ]
    .filter((p) => p.per_type)
    .map((p) => p.key);
  const keys = Array.from({ length: 120 }, (_, i) => `Bulk${i}`);
  await sql(
    database,
    `insert into card_types (key, doc) select k, jsonb_set(doc, '{key}', to_jsonb(k)) from unnest($1::text[]) k, card_types where card_types.key = 'Objective'`,
    [keys],
  );
  const rules = (of: string[]) =>
    Object.fromEntries(of.map((key) => [key, Object.fromEntries(perType.map((p) => [p, false]))]));
  const { key } = await make({ types: rules(keys.slice(0, 60)) });
  t.strictSame(fields(await api.patch(`/roles/${key}`, { types: rules(keys.slice(60)) })), ['/types']);
  await sql(database, `delete from card_types where key like 'Bulk%'`);
  await api.patch(`/roles/${key}`, { types: null });
});

await t.test('rules apply wherever permissions are checked, and GET /auth/me returns them', async (t) => {
  const { key } = await make({ permissions: [...READ, 'cards.edit'], types: { Application: { 'cards.edit': false } } });
  const user = await makeUser(admin, key);
  const [application, provider] = await Promise.all(
    ['Application', 'Provider'].map(
      async (type) => (await api.post('/cards', { type, name: `Ruled ${type}` })).body.id,
    ),
  );
  t.match((await user.api.get('/auth/me')).body, {
    permissions: [...READ, 'cards.edit'].sort(),
    permission_rules: { Application: { 'cards.edit': false } },
  });
  t.match(await user.api.patch(`/cards/${application}`, { description: 'x' }), {
    status: 403,
    body: { required_permission: 'cards.edit' },
  });
  t.equal((await user.api.patch(`/cards/${provider}`, { description: 'x' })).status, 200);
  const can = async (id: string) =>
    (await user.api.get<{ can: Record<string, { allowed: boolean; because: string }> }>(`/cards/${id}/permissions`))
      .body.can;
  t.match((await can(application!))['card.edit'], {
    allowed: false,
    because: `role ${key} does not grant cards.edit on Application, and no stakeholder role grants card.edit`,
  });
  t.match((await can(provider!))['card.edit'], { allowed: true });
  expectStatus(
    await api.patch(`/roles/${key}`, { types: { Application: null, Provider: { 'cards.edit': false } } }),
    200,
    'other rules',
  );
  const there = client(two.origin, user.token);
  await until(async () => (await there.patch(`/cards/${provider}`, { description: 'y' })).status === 403, 1_500);
  t.equal((await there.patch(`/cards/${application}`, { description: 'y' })).status, 200);
  t.strictSame((await user.api.get<AnyBody>('/auth/me')).body['permission_rules'], {
    Provider: { 'cards.edit': false },
  });
});

await t.test('a rule, or removing one, cannot grant permissions that the caller does not have', async (t) => {
  const own = ['roles.manage', ...READ, 'cards.edit'];
  const giverRole = await make({
    permissions: own,
    types: { Application: { 'cards.edit': false, 'cards.archive': true } },
  });
  const giver = await makeUser(admin, giverRole.key);
  const refused = (answer: Answer, permission: string) =>
    t.match(answer, { status: 403, body: { required_permission: permission } });
  const post = (body: object) => giver.api.post('/roles', { key: fresh(), label: 'x', ...body });
  refused(await post({ types: { Provider: { 'cards.archive': true } } }), 'cards.archive');
  refused(await post({ types: { Provider: { 'costs.view': true } } }), 'costs.view');
  refused(await post({ permissions: ['cards.edit'] }), 'cards.edit');
  t.equal(
    (await post({ permissions: ['cards.edit'], types: { Application: { 'cards.edit': false } } })).status,
    201,
    'within the rule of the caller',
  );
  t.equal(
    (await post({ types: { Application: { 'cards.archive': true } } })).status,
    201,
    'permitted by a rule of the caller',
  );
  const made = await make({ permissions: ['cards.edit'], types: { Application: { 'cards.edit': false } } }, giver.api);
  refused(await giver.api.patch(`/roles/${made.key}`, { types: { Application: null } }), 'cards.edit');
  refused(await giver.api.patch(`/roles/${made.key}`, { types: null }), 'cards.edit');
  refused(
    await giver.api.patch(`/roles/${made.key}`, { types: { Application: { 'cards.edit': true } } }),
    'cards.edit',
  );
  t.equal(
    (await giver.api.patch(`/roles/${made.key}`, { types: { Provider: { 'cards.edit': false } } })).status,
    200,
    'denying needs no permission',
  );
  const beyond = await make({ types: { Provider: { 'costs.view': true } } });
  refused(await giver.api.patch(`/roles/${beyond.key}`, { types: { Provider: null } }), 'costs.view');
});

await t.test('a rule is deleted with its type, and a later type with the key has none', async (t) => {
  const type = { key: 'Passing', label: 'Passing', stakeholder_roles: [] };
  expectStatus(await api.post('/metamodel/types', type), 201, 'a type');
  const { key } = await make({
    types: { Passing: { 'cards.edit': true, 'cards.delete': true }, Provider: { 'cards.edit': true } },
  });
  expectStatus(await api.del('/metamodel/types/Passing'), 204, 'deleting it');
  t.match((await api.get<Role>(`/roles/${key}`)).body, { types: { Provider: { 'cards.edit': true } }, version: 2 });
  t.strictSame((await eventsOf(key)).at(-1)!.data.changes, [
    { field: 'types.Passing', old: { 'cards.edit': true, 'cards.delete': true }, new: null },
  ]);
  t.strictSame(fields(await api.patch(`/roles/${key}`, { types: { Passing: { 'cards.edit': true } } })), [
    '/types/Passing',
  ]);
  t.equal(
    (await api.patch(`/roles/${key}`, { types: { Passing: null, Provider: { Nope: null } } })).status,
    200,
    'removing a nonexistent rule is allowed',
  );
  expectStatus(await api.post('/metamodel/types', type), 201, 'another type of that key');
  const user = await makeUser(admin, key);
  const card = expectStatus(await api.post('/cards', { type: 'Passing', name: 'New' }), 201, 'a card').body;
  t.equal(app.services.rbac.permissionsOf(key).has('cards.edit', 'Passing'), false);
  t.not((await user.api.patch(`/cards/${card.id}`, { description: 'x' })).status, 200);
});

await t.test('a rule created while its type is deleted does not remain', async (t) => {
  for (let round = 0; round < 4; round++) {
    const type = `Racing${round}`;
    expectStatus(await api.post('/metamodel/types', { key: type, label: type }), 201, 'a type');
    const { key } = await make();
    const holder = new pg.Client(database);
    await holder.connect();
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock(7315020)');
    const both = Promise.all([
      client(two.origin, admin.token).patch(`/roles/${key}`, { types: { [type]: { 'cards.edit': true } } }),
      api.del(`/metamodel/types/${type}`),
    ]);
    await until(async () => (await lockWaiters(database)) >= 2);
    await holder.query('commit');
    await holder.end();
    const [ruled, deleted] = await both;
    t.equal(deleted.status, 204);
    t.ok([200, 422].includes(ruled.status), String(ruled.status));
    t.strictSame((await api.get<Role>(`/roles/${key}`)).body.types, {});
  }
});

await t.test('a permission revoked concurrently can no longer be granted by a rule', async (t) => {
  const giverRole = await make({ permissions: ['roles.manage', ...READ, 'cards.edit'] });
  const giver = await makeUser(admin, giverRole.key);
  const session = await login(two.origin, giver.user.email);
  const holder = new pg.Client(database);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select pg_advisory_xact_lock(7315020)');
  const waiting = (least: number) => until(async () => (await lockWaiters(database)) >= least);
  const revoking = api.patch(`/roles/${giverRole.key}`, { types: { Application: { 'cards.edit': false } } });
  await waiting(1);
  const granting = session.api.post('/roles', { key: 'given_late', label: 'x', permissions: ['cards.edit'] });
  await waiting(2);
  await holder.query('commit');
  await holder.end();
  t.equal((await revoking).status, 200);
  t.match(await granting, { status: 403, body: { required_permission: 'cards.edit' } });
});
