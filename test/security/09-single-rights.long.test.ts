/** Every operation about cards with roles of a single permission: other data is neither changed nor visible. */
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';
import { hiddenWorld, matrixOf, stored } from '../support/hidden.js';

const test = await testApp();
const { app, origin, database, close } = test;
t.teardown(close);
const admin = await registerAdmin(origin);
const world = await hiddenWorld(admin, await makeUser(admin, 'viewer'));
const { routes, compare } = await matrixOf(test, admin, world);

t.test('a user with a single permission can change and see only what it permits', async (t) => {
  const keys = app.services.permissions
    .list()
    .map(({ key }) => key)
    .filter((key) =>
      /^(cards|relations|stakeholders|comments|documents|todos|costs|adr|risks|tags|metamodel)\./.test(key),
    );
  t.ok(keys.length > 20, `${keys.length} permissions`);
  const before = await stored(test, world);
  for (const key of keys) {
    await sql(database, `insert into roles (key, label, permissions) values ($1, $1, $2)`, [
      key.replace('.', '_'),
      JSON.stringify([key]),
    ]);
  }
  await sql(database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
  await until(() => app.services.rbac.permissionsOf(keys.at(-1)!.replace('.', '_')).list().length > 0, 5_000);
  for (const key of keys) {
    if (key === 'cards.view') continue;
    const session = await makeUser(admin, key.replace('.', '_'));
    // Without cards.view no card of any type is visible.
    await Promise.all(routes.map((route) => compare(t, `${key} alone`, session, route)));
    t.equal((await session.api.get(`/cards/${world.desk}`)).status, 403, `${key}: GET`);
    t.equal(
      (await session.api.patch(`/cards/${world.desk}`, { name: 'Renamed' })).status,
      key === 'cards.edit' ? 404 : 403,
      `${key}: PATCH`,
    );
    t.equal((await session.api.post('/cards', { type: 'Desk', name: `By ${key}` })).status, 403, `${key}: POST`);
  }
  t.equal(await stored(test, world), before, 'nothing has changed');
  t.equal((await admin.api.get(`/cards/${world.desk}`)).body.name, 'Desk root');
  t.match(await sql(database, `select count(*)::int as n from cards where name like 'By %'`), [{ n: 0 }]);
});
