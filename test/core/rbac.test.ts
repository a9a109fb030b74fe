import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until, type Session } from '../support/app.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const admin = await registerAdmin(one.origin);
const viewer = await makeUser(admin, 'viewer');

const bump = () => sql(one.database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
const rbac = (node: typeof one) => node.app.services.rbac;

t.test('four initial roles, the administrator with all permissions', async (t) => {
  const roles = await sql(one.database, 'select key, is_system, is_default, permissions from roles order by key');
  t.match(roles, [
    { key: 'admin', is_system: true, is_default: false, permissions: ['*'] },
    { key: 'architect', is_default: false },
    { key: 'member', is_default: true },
    { key: 'viewer', is_default: false },
  ]);
  const held = (role: string) => rbac(one).permissionsOf(role);
  t.ok(held('admin').has('any.key_of_a_module_to_come'));
  t.strictSame(held('admin').list(), ['*']);
  const expected = {
    'cards.view': 'amv',
    'comments.create': 'amv',
    'cards.export': 'amv',
    'cards.edit': 'am',
    'costs.view': 'am',
    'cards.approve': 'a',
    'cards.delete': 'a',
    'metamodel.manage': 'a',
    'users.manage': '',
    'events.audit': '',
  };
  for (const [key, roles] of Object.entries(expected)) {
    for (const [letter, role] of [
      ['a', 'architect'],
      ['m', 'member'],
      ['v', 'viewer'],
    ] as const)
      t.equal(held(role).has(key), roles.includes(letter), `${role} ${key}`);
  }
  t.strictSame(held('no-such-role').list(), []);
});

t.test('rules per card type: false takes precedence over every grant, and only for its type', async (t) => {
  await sql(
    one.database,
    `insert into roles (key, label, permissions, types) values ('ruled', 'Ruled', '["cards.edit"]', '{"Application": {"cards.edit": false, "cards.archive": true}}')`,
  );
  await bump();
  await until(() => rbac(one).permissionsOf('ruled').has('cards.edit'), 1_000);
  const held = rbac(one).permissionsOf('ruled');
  t.equal(held.has('cards.edit', 'Application'), false);
  t.equal(held.has('cards.edit', 'Interface'), true);
  t.equal(held.has('cards.archive', 'Application'), true);
  t.equal(held.has('cards.archive'), false);
  t.equal(held.has('cards.edit', 'constructor'), true);
});

t.test('a key is granted once: a revoked permission is not granted again', async (t) => {
  const keys = [
    { key: 'testmod.view', description: 'See it', roles: ['architect', 'viewer'] as const },
    { key: 'testmod.rule', description: 'Rule it', roles: [] },
  ];
  const { permissions: here } = one.app.services;
  const { permissions: there } = two.app.services;
  await Promise.all([here.declare('testmod', keys), there.declare('testmod', keys)]);
  // Either node may have stored it; the other one loads it within a second.
  await until(() => rbac(one).permissionsOf('viewer').has('testmod.view'), 1_000);
  await until(() => rbac(two).permissionsOf('viewer').has('testmod.view'), 1_000);
  t.notOk(rbac(one).permissionsOf('member').has('testmod.view'));
  t.notOk(rbac(one).permissionsOf('architect').has('testmod.rule'));
  await sql(one.database, `update roles set permissions = permissions - 'testmod.view' where key = 'viewer'`);
  await bump();
  await until(() => !rbac(two).permissionsOf('viewer').has('testmod.view'), 1_000);
  await there.declare('testmod', keys);
  t.notOk(rbac(two).permissionsOf('viewer').has('testmod.view'));
  await t.rejects(there.declare('othermod', [keys[0]!]), /was declared by testmod/);
  t.match(
    there.list().find((p) => p.key === 'testmod.view'),
    { owner: 'testmod', description: 'See it' },
  );
  there.withdraw('testmod');
  t.notOk(there.has('testmod.view'));
  await t.rejects(
    there.declare('othermod', [keys[0]!]),
    /was declared by testmod/,
    'also where this node does not know it',
  );
});

t.test('a key that an earlier release stored for the core belongs to the module that declares it now', async (t) => {
  const keys = [{ key: 'movedmod.view', description: 'See it', roles: ['viewer'] as const }];
  const { permissions } = one.app.services;
  await sql(one.database, `insert into permission_keys (key, owner) values ('movedmod.view', 'core')`);
  t.ok(await permissions.declare('movedmod', keys));
  const owners = await sql(one.database, `select owner from permission_keys where key = 'movedmod.view'`);
  t.strictSame(owners, [{ owner: 'movedmod' }]);
  t.notOk(rbac(one).permissionsOf('viewer').has('movedmod.view'), 'roles have it as an administrator left it');
  permissions.withdraw('movedmod');
});

t.test('a stakeholder role grants on its card only', async (t) => {
  const ids = ['018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002'];
  for (const id of ids) {
    await sql(
      one.database,
      `with c as (insert into cards (id, type, name, name_key, search_name, search_text, created_at)
        values ($1, 'Application', $2, $2, $2, $2, now()) returning *)
      insert into card_contents (id, type, status, name_key, updated_at, version) select id, type, status, name_key, created_at, 1 from c`,
      [id, `card ${id}`],
    );
  }
  await sql(
    one.database,
    `insert into card_stakeholders (id, card_id, user_id, role) values ($1, $1, $2, 'technical_owner')`,
    [ids[0], viewer.user.id],
  );
  const holder = ({ user: { id, role } }: Session) => ({ id, permissions: rbac(one).permissionsOf(role) });
  const granted = await rbac(one).cardPermissions(holder(viewer), ids[0]!);
  t.strictSame(
    [granted.has('card.edit'), granted.has('card.manage_relations'), granted.has('card.approve')],
    [true, true, false],
  );
  t.equal(await rbac(one).holdsOnCard(holder(viewer), ids[0]!, 'card.edit'), true);
  t.equal(await rbac(one).holdsOnCard(holder(viewer), ids[1]!, 'card.edit'), false);
  t.equal(await rbac(one).holdsOnCard(holder(admin), ids[0]!, 'card.edit'), false);
});

t.test('a rule against a type does not affect grants of a stakeholder role', async (t) => {
  await sql(
    one.database,
    `insert into roles (key, label, permissions, types) values ('no_apps', 'No applications', '["cards.view", "cards.edit", "cards.bulk", "cards.archive"]', '{"Application": {"cards.edit": false, "cards.archive": false}}')`,
  );
  await bump();
  const user = await until(() => makeUser(admin, 'no_apps').catch(() => undefined), 2_000);
  const make = async (type: string) =>
    (await admin.api.post('/cards', { type, name: `Ruled ${type} ${Math.random()}` })).body.id;
  const [own, other, free] = [await make('Application'), await make('Application'), await make('Interface')];
  t.equal(
    (await admin.api.post(`/cards/${own}/stakeholders`, { user_id: user.user.id, role: 'responsible' })).status,
    201,
  );
  const edit = async (id: string) => (await user.api.patch(`/cards/${id}`, { description: 'x' })).status;
  t.strictSame([await edit(own), await edit(other), await edit(free)], [200, 403, 200]);
  const bulk = await user.api.post<{ results: { outcome: string }[] }>('/cards/bulk', {
    mode: 'per_row',
    operations: [own, other, free].map((id) => ({ op: 'update', id, card: { description: 'y' } })),
  });
  t.strictSame(
    bulk.body.results.map((r) => r.outcome),
    ['updated', 'failed', 'updated'],
  );
  t.strictSame(
    [(await user.api.post(`/cards/${own}/archive`)).status, (await user.api.post(`/cards/${other}/archive`)).status],
    [200, 403],
  );
  t.equal((await user.api.post(`/cards/${own}/restore`)).status, 200);
  await sql(one.database, `delete from card_stakeholders where user_id = $1`, [user.user.id]);
  t.equal(await edit(own), 403, 'without the stakeholder role the rule holds again');
  await sql(one.database, `update roles set permissions = '["cards.view"]' where key = 'no_apps'`);
  await sql(
    one.database,
    `insert into card_stakeholders (id, card_id, user_id, role) values (gen_random_uuid(), $1, $2, 'responsible')`,
    [own, user.user.id],
  );
  await bump();
  await until(() => !rbac(one).permissionsOf('no_apps').has('cards.edit'), 1_000);
  t.strictSame(
    [await edit(own), await edit(free)],
    [200, 403],
    'the stakeholder role grants where the role grants nothing',
  );
});

t.test(
  'a module whose permissions belong to another owner does not run, and the service starts all the same',
  async (t) => {
    await admin.api.patch('/modules/portals', { enabled: true });
    await sql(one.database, `update permission_keys set owner = 'othermod' where owner = 'portals'`);
    const three = await testApp({ database: one.database });
    t.teardown(three.close);
    const module = three.app.services.modules.get('portals');
    t.match(module?.fault, { code: 'mount', message: /was declared by othermod/ });
    t.equal((await fetch(`${three.origin}/api/ready`)).status, 200);
  },
);

t.test('a module whose permissions cannot be stored does not run, and the service starts all the same', async (t) => {
  await sql(one.database, `delete from permission_keys where owner = 'risks'`);
  await sql(one.database, `alter table permission_keys add constraint no_risks check (owner <> 'risks')`);
  const four = await testApp({ database: one.database, config: { logLevel: 'silent' } });
  t.teardown(four.close);
  t.match(four.app.services.modules.get('risks')?.fault, { code: 'mount', message: /no_risks/ });
  t.equal((await fetch(`${four.origin}/api/ready`)).status, 200);
});
