import t from 'tap';
import { client, makeUser, registerAdmin, sql, testApp, until } from '../../support/app.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const admin = await registerAdmin(one.origin);
const { api } = admin;
const viewer = await makeUser(admin, 'viewer');
const there = client(two.origin, viewer.token);
const ROLES = '/metamodel/types/Sensor/stakeholder-roles';
const { body: sensor } = await api.post('/metamodel/types', { key: 'Sensor', label: 'Sensor' });

t.test('roles are part of their type, and their version is its version', async (t) => {
  t.match(await viewer.api.get(ROLES), {
    status: 200,
    body: {
      total: 2,
      items: [
        { key: 'observer', permissions: { 'card.create_comments': true }, inherited: false, version: 1 },
        { key: 'responsible' },
      ],
    },
  });
  const made = await api.post(ROLES, {
    key: 'own',
    label: 'Owner',
    permissions: { 'card.edit': true, 'card.archive': false },
  });
  t.match(made, { status: 201, body: { key: 'own', label: 'Owner', inherited: false, version: 2 } });
  t.strictSame(made.body['permissions'], { 'card.edit': true });
  t.strictSame([made.headers.get('etag'), made.headers.get('location')], ['"2"', `/api/v1${ROLES}/own`]);
  t.strictSame((await api.post(ROLES, { key: 'listed', permissions: ['card.archive'] })).body['permissions'], {
    'card.archive': true,
  });
  t.match((await api.get('/metamodel/types/Sensor')).body, {
    version: 3,
    stakeholder_roles: [{}, {}, { key: 'own' }, { key: 'listed' }],
  });
  t.strictSame(
    (
      await api.patch(
        `${ROLES}/own`,
        { permissions: { 'card.edit': null, 'card.approve': true } },
        { headers: { 'if-match': '"3"' } },
      )
    ).body['permissions'],
    { 'card.approve': true },
  );
  t.strictSame((await api.patch(`${ROLES}/own`, { permissions: ['card.edit'], label: 'O' })).body['permissions'], {
    'card.edit': true,
  });
  t.match(await api.patch(`${ROLES}/own`, { label: 'X' }, { headers: { 'if-match': '"1"' } }), {
    status: 412,
    body: { current_version: 5, changed_fields: ['stakeholder_roles.own'] },
  });
  t.equal((await api.del(`${ROLES}/listed`)).status, 204);
  t.equal((await api.get(`${ROLES}/listed`)).status, 404);
  t.equal(sensor.version, 1);
});

t.test('errors have their position in the body', async (t) => {
  t.match(await api.post(ROLES, { key: 'own' }), { status: 409, body: { code: 'key_taken' } });
  t.match(await api.post(ROLES, { key: 'x y', permissions: { 'card.fly': true }, inherited: true }), {
    status: 422,
    body: { errors: [{ field: '/key' }, { field: '/permissions/card.fly' }] },
  });
  for (const body of [
    {},
    { label: 'x' },
    { key: 'constructor' },
    { key: 'a', permissions: 'card.edit' },
    { key: 'a', permissions: { 'card.edit': 1 } },
    { key: 'a', other: 1 },
  ])
    t.equal((await api.post(ROLES, body)).status, 422, JSON.stringify(body));
  for (const path of ['/metamodel/types/Nope/stakeholder-roles', `${ROLES}/nope`])
    t.equal((await api.get(path)).status, 404, path);
  t.equal((await api.post('/metamodel/types/Nope/stakeholder-roles', { key: 'a' })).status, 404);
  t.equal((await api.patch(`${ROLES}/nope`, { label: 'x' })).status, 404);
  // A permission of an absent module is kept, but cannot be granted.
  await sql(
    one.database,
    `update card_types set doc = replace(doc::text, 'card.ppm_manage', 'card.nothing_manage')::jsonb where key = 'Initiative'`,
  );
  const later = await testApp({ database: one.database });
  t.teardown(later.close);
  const lead = '/metamodel/types/Initiative/stakeholder-roles/project_manager';
  t.match(await client(later.origin, admin.token).patch(lead, { label: 'Lead' }), {
    status: 200,
    body: { permissions: { 'card.nothing_manage': true } },
  });
  t.equal((await api.post(ROLES, { key: 'pm', permissions: ['card.nothing_manage'] })).status, 422, 'of no module');
});

t.test('a change of the permissions of a role applies on every node', async (t) => {
  const { body: card } = await api.post('/cards', { type: 'Sensor', name: 'S' });
  await api.post(`/cards/${card.id}/stakeholders`, { user_id: viewer.user.id, role: 'observer' });
  const edit = async (): Promise<number> =>
    (await there.patch(`/cards/${card.id}`, { description: String(Math.random()) })).status;
  t.equal(await edit(), 403);
  t.equal((await api.patch(`${ROLES}/observer`, { permissions: { 'card.edit': true } })).status, 200);
  await until(async () => (await edit()) === 200, 1_000);
  t.equal((await api.patch(`${ROLES}/observer`, { permissions: { 'card.edit': null } })).status, 200);
  await until(async () => (await edit()) === 403, 1_000);
  t.match(await api.del(`${ROLES}/observer`), {
    status: 409,
    body: { code: 'in_use', counts: { 'stakeholder_roles.observer': 1 } },
  });
});
