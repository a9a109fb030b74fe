/** Only callers with a permission can grant or revoke it: by stakeholders, the metamodel, accounts and settings. */
import pg from 'pg';
import t, { type Test } from 'tap';
import {
  client,
  expectStatus,
  lockWaiters,
  login,
  makeUser,
  PASSWORD,
  registerAdmin,
  sql,
  testApp,
  until,
  type Answer,
  type Session,
} from '../support/app.js';

const config = { publicUrl: 'https://ea.example.org', outboundAllow: ['127.0.0.1'] };
const one = await testApp({ config });
const two = await testApp({ config, database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const { database, app } = one;
const admin = await registerAdmin(one.origin);
const { api } = admin;
// Invitations need a mail server; whether it can be reached is found only when a mail is sent.
const SMTP = { host: '127.0.0.1', port: 9, security: 'none', from_address: 'lintel@example.org' };
expectStatus(await api.patch('/settings/smtp', SMTP), 200, 'the mail settings');
const READ = ['cards.view', 'relations.view', 'stakeholders.view', 'comments.view', 'documents.view', 'reports.view'];
let n = 0;

const make = async (path: string, body: object, by: Session = admin): Promise<string> =>
  expectStatus(await by.api.post(path, body), 201, path).body.id;
const card = (type: string, more: object = {}): Promise<string> =>
  make('/cards', { type, name: `Card ${++n}`, ...more });
/** A user with a new role. */
async function person(permissions: string[], types: object = {}): Promise<Session> {
  const key = `own_${++n}`;
  expectStatus(
    await api.post('/roles', {
      key,
      label: key,
      permissions: [...READ, ...permissions],
      ...(Object.keys(types).length > 0 && { types }),
    }),
    201,
    'a role',
  );
  return await makeUser(admin, key);
}
const refused = (t: Test, answer: Answer, permission: string, what = permission) =>
  t.match(answer, { status: 403, body: { code: 'forbidden', required_permission: permission } }, what);
const name = (by: Session, id: string, role: string, user: Session = by) =>
  by.api.post(`/cards/${id}/stakeholders`, { user_id: user.user.id, role });
/** The permissions of `responsible`, as permissions of an application role. */
const ALL = [
  'cards.edit',
  'cards.archive',
  'cards.approve',
  'stakeholders.manage',
  'relations.manage',
  'documents.manage',
  'comments.manage',
  'comments.create',
  'costs.view',
];
const [viewer, architect] = [await makeUser(admin, 'viewer'), await makeUser(admin, 'architect')];
const ROLES = (type: string) => `/metamodel/types/${type}/stakeholder-roles`;
/** Runs a statement and keeps its transaction open until all requests wait for its lock, in their order. */
async function inTurn(statement: string, values: unknown[], requests: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const holder = new pg.Client(database);
  await holder.connect();
  const answers: Promise<Answer>[] = [];
  try {
    await holder.query('begin');
    await holder.query(statement, values);
    for (const request of requests) {
      answers.push(request());
      await until(async () => (await lockWaiters(database)) >= answers.length);
    }
    await holder.query('commit');
    return await Promise.all(answers);
  } finally {
    await holder.end();
  }
}

await t.test(
  'a user with only stakeholders.manage cannot assign roles with further permissions, to anyone',
  async (t) => {
    const id = await card('Application', { attributes: { costTotalAnnual: 4711 } });
    for (const lacked of ALL.filter((key) => key !== 'stakeholders.manage')) {
      const steward = await person(ALL.filter((key) => key !== lacked));
      refused(t, await name(steward, id, 'responsible'), lacked, `themselves, without ${lacked}`);
      if (lacked === 'costs.view') refused(t, await name(steward, id, 'responsible', viewer), lacked, 'or another');
    }
    const steward = await person(['stakeholders.manage']);
    refused(t, await name(steward, id, 'responsible'), 'cards.edit');
    t.notMatch(JSON.stringify((await steward.api.get(`/cards/${id}`)).body), /(?<![\w-])4711(?![\w-])/);
    t.equal(
      (await name(await person(['stakeholders.manage', 'comments.create']), id, 'observer', viewer)).status,
      201,
      'a role with only permissions of the caller',
    );
    t.equal(
      (await sql(database, 'select 1 from card_stakeholders where card_id = $1', [id])).length,
      1,
      'nothing else was stored',
    );
  },
);

await t.test('architects and responsible stakeholders can assign responsible', async (t) => {
  const [id, elsewhere] = [await card('Application'), await card('Application')];
  const member = await makeUser(admin, 'member');
  t.equal((await name(architect, id, 'responsible', member)).status, 201);
  t.equal((await name(member, id, 'responsible', viewer)).status, 201, 'by a role on the card');
  t.equal((await name(viewer, id, 'technical_owner', member)).status, 201);
  refused(t, await name(member, elsewhere, 'responsible'), 'stakeholders.manage', 'not on other cards');
  t.equal(
    (await name(architect, await card('BusinessProcess'), 'process_owner', member)).status,
    201,
    'permissions of absent modules are ignored',
  );
});

await t.test('the rules of a role per card type count', async (t) => {
  const [application, provider] = [await card('Application'), await card('Provider')];
  const by = await person(ALL, { Application: { 'costs.view': false } });
  refused(t, await name(by, application, 'responsible'), 'costs.view');
  t.equal((await name(by, provider, 'responsible', viewer)).status, 201);
  const here = await person(
    ALL.filter((key) => key !== 'costs.view'),
    { Application: { 'costs.view': true } },
  );
  t.equal((await name(here, application, 'responsible', viewer)).status, 201);
  refused(t, await name(here, provider, 'responsible', here), 'costs.view');
});

await t.test('removing a role requires all its permissions', async (t) => {
  const id = await card('Application');
  const held = await make(`/cards/${id}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' });
  const observed = await make(`/cards/${id}/stakeholders`, { user_id: viewer.user.id, role: 'observer' });
  const steward = await person(['stakeholders.manage', 'comments.create']);
  refused(t, await steward.api.del(`/cards/${id}/stakeholders/${held}`), 'cards.edit');
  t.equal((await steward.api.del(`/cards/${id}/stakeholders/${observed}`)).status, 204);
  t.equal(
    (await viewer.api.del(`/cards/${id}/stakeholders/${held}`)).status,
    204,
    'an own role counts until it is removed',
  );
  t.equal((await viewer.api.del(`/cards/${id}/stakeholders/${held}`)).status, 403);
});

await t.test(
  'an inherited role requires the permissions for all types that can be below, or inherited roles of the caller',
  async (t) => {
    expectStatus(
      await api.post('/metamodel/types', {
        key: 'Region',
        label: 'Region',
        has_hierarchy: true,
        stakeholder_roles: [
          { key: 'governor', permissions: ['card.edit', 'card.manage_stakeholders'], inherited: true },
          { key: 'mayor', permissions: ['card.edit', 'card.manage_stakeholders'] },
        ],
      }),
      201,
      'a type',
    );
    expectStatus(
      await api.post('/metamodel/types', {
        key: 'Town',
        label: 'Town',
        has_hierarchy: true,
        allowed_parent_types: ['Region', 'Town'],
      }),
      201,
      'a type below',
    );
    const region = await card('Region');
    const town = await card('Town', { parent_id: region });
    const narrow = await person(['stakeholders.manage', 'cards.edit'], { Town: { 'cards.edit': false } });
    refused(t, await name(narrow, region, 'governor'), 'cards.edit', 'its permissions below are required');
    t.equal((await name(narrow, region, 'mayor', viewer)).status, 201, 'not for a role that is not inherited');
    const mayor = await makeUser(admin, 'viewer');
    t.equal((await name(admin, region, 'mayor', mayor)).status, 201);
    refused(t, await name(mayor, region, 'governor'), 'cards.edit', 'a role that is not inherited has no effect below');
    t.equal((await name(mayor, region, 'mayor', await makeUser(admin, 'viewer'))).status, 201);
    const governor = await makeUser(admin, 'viewer');
    t.equal((await name(admin, region, 'governor', governor)).status, 201);
    t.equal((await name(governor, region, 'governor', viewer)).status, 201);
    const local = await name(governor, town, 'responsible', viewer);
    refused(t, local, 'cards.approve', 'an inherited role grants only its own permissions');
    t.match(local.body, { or_card_permission: 'card.approve' });
  },
);

await t.test(
  'a card permission of a module requires the permission of the module, or the administrator if there is none',
  async (t) => {
    expectStatus(
      await api.post(ROLES('Application'), { key: 'writer', permissions: ['card.adr_manage'] }),
      201,
      'a role',
    );
    const id = await card('Application');
    refused(t, await name(await person(['stakeholders.manage']), id, 'writer'), 'adr.manage');
    t.equal((await name(await person(['stakeholders.manage', 'adr.manage']), id, 'writer')).status, 201);
    app.services.permissions.declareOnCards('adr', [{ key: 'card.adr_lonely', description: 'Has nothing beside it.' }]);
    expectStatus(
      await api.post(ROLES('Application'), { key: 'lonely', permissions: ['card.adr_lonely'] }),
      201,
      'a role',
    );
    refused(t, await name(architect, id, 'lonely'), 'card.adr_lonely');
    t.equal((await name(admin, id, 'lonely', viewer)).status, 201);
  },
);

await t.test(
  'a change of the metamodel cannot give stakeholder roles more permissions than the caller has',
  async (t) => {
    const modeller = await person(['metamodel.manage', 'cards.edit', 'comments.create'], {
      Provider: { 'cards.edit': false },
    });
    const holder = await makeUser(admin, 'viewer');
    const id = await card('Application', { attributes: { costTotalAnnual: 4711 } });
    await make(`/cards/${id}/stakeholders`, { user_id: holder.user.id, role: 'observer' });
    const by = modeller.api;
    refused(
      t,
      await by.patch(`${ROLES('Application')}/observer`, { permissions: { 'card.view_costs': true } }),
      'costs.view',
    );
    t.notMatch(JSON.stringify((await holder.api.get(`/cards/${id}`)).body), /(?<![\w-])4711(?![\w-])/);
    refused(t, await by.post(ROLES('Application'), { key: 'mine', permissions: ['card.approve'] }), 'cards.approve');
    const { stakeholder_roles: roles } = (
      await api.get<{ stakeholder_roles: { key: string; permissions: Record<string, boolean> }[] }>(
        '/metamodel/types/Application',
      )
    ).body;
    const wider = roles.map((r) =>
      r.key === 'observer' ? { ...r, permissions: { ...r.permissions, 'card.archive': true } } : r,
    );
    refused(
      t,
      await by.patch('/metamodel/types/Application', { stakeholder_roles: wider }),
      'cards.archive',
      'as part of the type',
    );
    refused(
      t,
      await by.post('/metamodel/types', {
        key: 'Mine',
        label: 'Mine',
        stakeholder_roles: [{ key: 'r', permissions: ['card.view_costs'] }],
      }),
      'costs.view',
      'in a new type',
    );
    t.equal(
      (await by.post('/metamodel/types', { key: 'Ours', label: 'Ours' })).status,
      201,
      'default roles of a new type have no stakeholders yet',
    );
    t.equal(
      (await by.post(ROLES('Application'), { key: 'editing', permissions: ['card.edit'] })).status,
      201,
      'with only permissions of the caller',
    );
    refused(
      t,
      await by.post(ROLES('Provider'), { key: 'editing', permissions: ['card.edit'] }),
      'cards.edit',
      'for the type of the role',
    );
    refused(
      t,
      await by.patch(`${ROLES('Application')}/responsible`, { permissions: { 'card.approve': false } }),
      'cards.approve',
      'removing a permission',
    );
    t.equal(
      (await by.patch(`${ROLES('Application')}/responsible`, { label: 'In charge' })).status,
      200,
      'a label is no permission',
    );
    t.equal((await by.del(`${ROLES('Ours')}/responsible`)).status, 204, 'a role without stakeholders can be deleted');
  },
);

await t.test('making a role inherited, or allowing more types below it, is checked for all types below', async (t) => {
  const type = (key: string, more: object = {}) =>
    api.post('/metamodel/types', {
      key,
      label: key,
      has_hierarchy: true,
      stakeholder_roles: [{ key: 'r', permissions: ['card.edit'] }],
      ...more,
    });
  expectStatus(await type('Upper'), 201, 'a type');
  expectStatus(await type('Lower', { allowed_parent_types: ['Upper'] }), 201, 'a type');
  expectStatus(await type('Lowest', { allowed_parent_types: ['Lower'] }), 201, 'a type');
  expectStatus(await type('Aside', { allowed_parent_types: [] }), 201, 'a type');
  const but = (denied: string) => person(['metamodel.manage', 'cards.edit'], { [denied]: { 'cards.edit': false } });
  refused(t, await (await but('Lowest')).api.patch(`${ROLES('Upper')}/r`, { inherited: true }), 'cards.edit');
  const notAside = await but('Aside');
  t.equal((await notAside.api.patch(`${ROLES('Upper')}/r`, { inherited: true })).status, 200);
  refused(
    t,
    await notAside.api.patch('/metamodel/types/Aside', { allowed_parent_types: ['Lower'] }),
    'cards.edit',
    'another type is allowed below',
  );
  t.equal(
    (await notAside.api.patch('/metamodel/types/Lowest', { allowed_parent_types: ['Lower', 'Lowest'] })).status,
    200,
  );
  refused(
    t,
    await (await but('Lower')).api.patch(`${ROLES('Upper')}/r`, { inherited: false }),
    'cards.edit',
    'ending inheritance',
  );
});

await t.test('a caller who may not see a cost cannot change its kind', async (t) => {
  const sections = (...fields: object[]) => ({ sections: [{ key: 'main', fields }] });
  expectStatus(
    await api.post('/metamodel/types', {
      key: 'Tariff',
      label: 'Tariff',
      ...sections({ key: 'fee', kind: 'cost' }, { key: 'note', kind: 'text' }),
    }),
    201,
    'a type',
  );
  const modeller = await person(['metamodel.manage']);
  const patch = (by: Session, body: object) => by.api.patch('/metamodel/types/Tariff', body);
  refused(
    t,
    await patch(modeller, sections({ key: 'fee', kind: 'number' }, { key: 'note', kind: 'text' })),
    'costs.view',
    'another kind',
  );
  refused(
    t,
    await patch(modeller, sections({ key: 'note', kind: 'text' })),
    'costs.view',
    'removing the field, so that another one can have its key',
  );
  refused(t, await modeller.api.del('/metamodel/types/Tariff'), 'costs.view', 'removing the type');
  const id = await card('Tariff', { attributes: { fee: 4711 } });
  const counted = await patch(modeller, sections({ key: 'note', kind: 'text' }));
  refused(t, counted, 'costs.view');
  t.notMatch(JSON.stringify(counted.body), /counts/, 'the response has no counts');
  expectStatus(await api.patch(`/cards/${id}`, { attributes: { fee: null } }), 200, 'emptying it');
  refused(
    t,
    await patch(
      await person(['metamodel.manage', 'costs.view'], { Tariff: { 'costs.view': false } }),
      sections({ key: 'note', kind: 'text' }),
    ),
    'costs.view',
    'denied by the rule for the type',
  );
  t.equal(
    (await patch(modeller, sections({ key: 'fee', kind: 'cost', label: 'Fee' }, { key: 'note', kind: 'multiline' })))
      .status,
    200,
    'other changes are permitted',
  );
  t.equal(
    (await patch(await person(['metamodel.manage', 'costs.view']), sections({ key: 'fee', kind: 'number' }))).status,
    200,
  );
  expectStatus(
    await api.post('/metamodel/relation-types', {
      key: 'paysFor',
      label: 'pays',
      source_type: 'Tariff',
      target_type: '*',
      fields: [{ key: 'sum', kind: 'cost' }],
    }),
    201,
    'a relation type',
  );
  refused(
    t,
    await modeller.api.patch('/metamodel/relation-types/paysFor', { fields: [{ key: 'sum', kind: 'number' }] }),
    'costs.view',
  );
  refused(
    t,
    await (await person(['metamodel.manage', 'costs.view'], { Provider: { 'costs.view': false } })).api.patch(
      '/metamodel/relation-types/paysFor',
      { fields: [] },
    ),
    'costs.view',
    'any type of card can be an end',
  );
  refused(t, await modeller.api.del('/metamodel/relation-types/paysFor'), 'costs.view');
  t.equal(
    (
      await (
        await person(['metamodel.manage', 'costs.view'])
      ).api.patch('/metamodel/relation-types/paysFor', { fields: [] })
    ).status,
    200,
  );
});

await t.test('changing the log-in of an account requires the permissions of its stakeholder roles', async (t) => {
  const helpdesk = await person([
    'users.manage',
    'comments.create',
    'todos.own',
    'notifications.own',
    'cards.export',
    'adr.view',
    'bpm.view',
    'diagrams.view',
    'insightlens.view',
    'ppm.view',
    'risks.view',
    'soaw.view',
  ]);
  const [plain, owner] = [await makeUser(admin, 'viewer'), await makeUser(admin, 'viewer')];
  await make(`/cards/${await card('Application')}/stakeholders`, { user_id: owner.user.id, role: 'responsible' });
  const patch = (user: Session, body: object) => helpdesk.api.patch(`/users/${user.user.id}`, body);
  t.equal((await patch(plain, { password: `${PASSWORD}-2` })).status, 200);
  refused(t, await patch(owner, { password: `${PASSWORD}-2` }), 'cards.edit');
  refused(t, await patch(owner, { email: 'mine@example.org' }), 'cards.edit');
  t.equal(
    (await patch(owner, { display_name: 'Renamed' })).status,
    200,
    'changes that do not affect the log-in are permitted',
  );
  t.equal((await patch(owner, { is_active: false })).status, 200);
  refused(t, await patch(owner, { is_active: true }), 'cards.edit');
  t.equal((await login(one.origin, plain.user.email, `${PASSWORD}-2`)).user.id, plain.user.id);
});

await t.test('an invitation needs the permissions of its role, to make, resend and withdraw it', async (t) => {
  const email = () => `invited-${++n}@example.org`;
  expectStatus(
    await api.post('/roles', {
      key: 'approving',
      label: 'Approving',
      permissions: ['cards.view'],
      types: { Application: { 'cards.approve': true } },
    }),
    201,
    'a role with a permission for one type',
  );
  const clerk = await person(['users.manage']);
  refused(t, await clerk.api.post('/users/invitations', { email: email(), role: 'approving' }), 'cards.approve');
  t.match(await clerk.api.post('/users/invitations', { email: email(), role: 'admin' }), { status: 403 });
  const id = await make('/users/invitations', { email: email(), role: 'approving' });
  refused(t, await clerk.api.post(`/users/invitations/${id}/resend`), 'cards.approve', 'resending');
  refused(t, await clerk.api.del(`/users/invitations/${id}`), 'cards.approve', 'withdrawing');
  t.equal((await clerk.api.post('/users/invitations', { email: email(), role: clerk.user.role })).status, 201);
  const without = await person(['cards.edit']);
  for (const answer of [
    await without.api.get('/users/invitations'),
    await without.api.post('/users/invitations', { email: email(), role: without.user.role }),
    await without.api.post(`/users/invitations/${id}/resend`),
    await without.api.del(`/users/invitations/${id}`),
  ])
    refused(t, answer, 'users.manage');
  t.strictSame(
    await sql(database, `select from events where type like 'invitation.%' and actor_id = any($1)`, [
      [without.user.id],
    ]),
    [],
  );
});

await t.test('opening registration requires the permissions of the default role', async (t) => {
  const keeper = await person(['settings.manage']);
  t.match(await keeper.api.patch('/settings', { registration: { enabled: true } }), {
    status: 403,
    body: { code: 'forbidden' },
  });
  t.equal((await keeper.api.patch('/settings', { app_title: 'Titled' })).status, 200);
  const { permissions } = (await api.get<{ permissions: string[] }>('/roles/member')).body;
  const full = await person([...permissions.filter((key) => !READ.includes(key)), 'settings.manage']);
  t.equal((await full.api.patch('/settings', { registration: { enabled: true } })).status, 200);
  t.equal((await keeper.api.patch('/settings', { registration: { enabled: false } })).status, 200);
});

await t.test('changing the default role requires the permissions of both roles', async (t) => {
  const keeper = await person(['roles.manage']);
  expectStatus(await api.post('/roles', { key: 'wide', label: 'Wide', permissions: ['cards.delete'] }), 201, 'a role');
  refused(t, await keeper.api.patch('/roles/wide', { is_default: true }), 'cards.delete');
});

const there = (session: Session) => client(two.origin, session.token);

await t.test('a caller whose role changes to another that suffices is not refused', async (t) => {
  const [by, other] = [await person(['users.manage']), await person(['users.manage', 'cards.edit'])];
  const [made] = await inTurn(
    `update users set role = '${other.user.role}' where id = $1`,
    [by.user.id],
    [() => there(by).post('/users', { email: `raced-${++n}@example.org`, display_name: 'x', role: by.user.role })],
  );
  t.equal(made!.status, 201);
});

await t.test('a permission revoked concurrently can no longer be granted', async (t) => {
  const id = await card('Application');
  expectStatus(
    await api.post('/roles', { key: 'costly', label: 'Costly', permissions: ['costs.view'] }),
    201,
    'a role',
  );
  const gives: [what: string, give: (by: Session) => Promise<Answer>][] = [
    ['naming', (by) => there(by).post(`/cards/${id}/stakeholders`, { user_id: by.user.id, role: 'responsible' })],
    [
      'a stakeholder role',
      (by) => there(by).post(ROLES('Interface'), { key: `raced${++n}`, permissions: ['card.view_costs'] }),
    ],
    ['a role', (by) => there(by).post('/roles', { key: `raced_${++n}`, label: 'x', permissions: ['costs.view'] })],
    [
      'an account',
      (by) => there(by).post('/users', { email: `raced-${++n}@example.org`, display_name: 'x', role: 'costly' }),
    ],
    [
      'an invitation',
      (by) => there(by).post('/users/invitations', { email: `raced-${++n}@example.org`, role: 'costly' }),
    ],
  ];
  for (const [what, give] of gives) {
    const by = await person([...ALL, 'metamodel.manage', 'users.manage', 'roles.manage']);
    const [lessened, given] = await inTurn(
      'select pg_advisory_xact_lock(7315020)',
      [],
      [() => api.patch(`/roles/${by.user.role}`, { permissions: { 'costs.view': false } }), () => give(by)],
    );
    t.equal(lessened!.status, 200, what);
    refused(t, given!, 'costs.view', what);
  }
  const by = await person(ALL);
  const [given] = await inTurn(
    `update users set role = 'viewer' where id = $1`,
    [by.user.id],
    [() => gives[0]![1](by)],
  );
  refused(t, given!, 'cards.edit', 'after a change of the role');
});

await t.test(
  'a role cannot be given by single sign-on, neither by groups nor to new users nor by a link',
  async (t) => {
    const provider = { kind: 'oidc', label: 'Company', issuer: 'https://login.example.org', client_id: 'lintel' };
    expectStatus(await api.patch('/settings/sso', { providers: { company: provider } }), 200, 'a provider');
    const by = await person(['settings.manage', 'users.manage']);
    const set = (body: object) => by.api.patch('/settings/sso', body);
    const role_map = [
      { group: 'a', role: 'viewer' },
      { group: 'b', role: 'architect' },
    ];
    refused(t, await set({ providers: { company: { groups_claim: 'groups', role_map } } }), 'adr.view');
    refused(t, await set({ jit: { enabled: true, role: 'admin' } }), '*');
    refused(t, await set({ providers: { company: { label: 'New users get the default role' } } }), 'adr.manage');
    const link = (user: Session) =>
      by.api.post(`/users/${user.user.id}/identities`, { issuer: provider.issuer, subject: 'own' });
    refused(t, await link(admin), '*');
    refused(t, await link(architect), 'adr.delete');
    t.match((await api.get('/settings/sso')).body, { jit: { enabled: false, role: null } });
    t.equal((await sql(database, 'select 1 from user_identities')).length, 0);
  },
);

await t.test('a stakeholder role removed concurrently no longer permits granting', async (t) => {
  const [id, region] = [await card('Application'), await card('Region')];
  const town = await card('Town', { parent_id: region });
  const [by, other] = [await makeUser(admin, 'viewer'), await makeUser(admin, 'viewer')];
  const held = await make(`/cards/${id}/stakeholders`, { user_id: by.user.id, role: 'responsible' });
  const [taken, given] = await inTurn(
    'select 1 from cards where id = $1 for update',
    [id],
    [() => api.del(`/cards/${id}/stakeholders/${held}`), () => name(by, id, 'responsible', other)],
  );
  t.equal(taken!.status, 204);
  refused(t, given!, 'cards.edit');
  expectStatus(await api.post(ROLES('Town'), { key: 'clerk', permissions: ['card.edit'] }), 201, 'a role');
  const above = await make(`/cards/${region}/stakeholders`, { user_id: by.user.id, role: 'governor' });
  const [late] = await inTurn(
    'delete from card_stakeholders where id = $1',
    [above],
    [() => name(by, town, 'clerk', other)],
  );
  refused(t, late!, 'cards.edit', 'on a card above');
});

await t.test(
  'stakeholder roles are read from the database, also on a node that has not received a change',
  async (t) => {
    expectStatus(
      await api.post('/metamodel/types', {
        key: 'Late',
        label: 'Late',
        stakeholder_roles: [
          { key: 'boss', permissions: ['card.edit', 'card.manage_stakeholders'] },
          { key: 'hand', permissions: ['card.edit'] },
        ],
      }),
      201,
      'a type',
    );
    const [by, other] = [await makeUser(admin, 'viewer'), await makeUser(admin, 'viewer')];
    const id = await card('Late');
    expectStatus(await name(admin, id, 'boss', by), 201, 'naming');
    await until(() => two.app.services.metamodel.current.types.has('Late'));
    await two.app.services.notifier.close();
    await two.app.services.revisions.refresh();
    expectStatus(await api.patch(`${ROLES('Late')}/boss`, { permissions: { 'card.edit': null } }), 200, 'lessening it');
    refused(
      t,
      await there(by).post(`/cards/${id}/stakeholders`, { user_id: other.user.id, role: 'hand' }),
      'cards.edit',
    );
  },
);
