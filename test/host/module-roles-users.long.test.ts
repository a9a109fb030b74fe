/** Roles of modules where the database's user is no superuser: with the right to create roles, and without it. */
import t from 'tap';
import { LOG_OUTPUT } from '../../core/foundation/log-output.js';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { createDatabase, login, registerAdmin, sql, testApp, type TestApp } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { removeModule } from '../support/http.js';
import { moduleFolder, writeModule } from '../support/module-folder.js';

const folder = await moduleFolder(t);
const PACKAGE = '@acme/lintel-leases';
/** @param more migrations of this version after the first one */
const write = (version: string, more = ''): Promise<unknown> =>
  writeModule(
    folder,
    `
import { Type, defineModule } from '@lintel/sdk';
export default defineModule({
  id: 'leases', version: '${version}', title: 'Leases', description: 'Leases of applications.', host: '^0.1.0',
  permissions: [{ key: 'leases.view', description: 'See leases.', roles: ['member'] }],
  migrations: { '0001_first': { up: (knex) => knex.raw('create table leases_rows (id serial primary key)'), down: (knex) => knex.raw('drop table leases_rows') }, ${more} },
  services: (host) => host,
  routes: async (app, { host }) => {
    const config = { access: { permission: 'leases.view' } };
    const response = { 200: Type.Object({ name: Type.String(), users: Type.Integer() }) };
    app.get('', { config, schema: { operationId: 'getLeases', summary: 'Leases', tags: ['leases'], response } }, async (request) => {
      const [{ name }] = await host.transactions.run(request.ctx, async (unit) => {
        await unit.query({ name: '', text: 'insert into leases_rows default values' });
        return await unit.query({ name: '', text: 'select current_user::text as name' });
      });
      const [{ users }] = await host.db.query({ name: '', text: 'select count(*)::int as users from users' }).catch(() => [{ users: -1 }]);
      return { name, users };
    });
  },
  openapi: { tags: [{ name: 'leases', description: 'Leases.' }] },
  enabledByDefault: false,
});`,
    { package: PACKAGE, version },
  );
await write('1.0.0');

const lines: string[] = [];
const { write: print } = LOG_OUTPUT;
LOG_OUTPUT.write = (line) => void lines.push(line);
t.teardown(() => {
  LOG_OUTPUT.write = print;
});
const warnings = () => lines.filter((line) => line.includes('no database role can be made'));
const config = { pluginsDir: folder, modules: [PACKAGE], logLevel: 'warn' as const };
const PATH = '/settings/modules/leases';

const database = await createDatabase();
const [at] = await sql<{ oid: string; name: string }>(
  database,
  `select oid::text, datname as name from pg_database where datname = current_database()`,
);
const USER = `lintel_test_user_${at!.oid}`;
const ROLE = `lintel_${at!.oid}_leases`;
const roles = async () =>
  (await sql<{ name: string }>(database, 'select rolname::text as name from pg_roles where rolname = $1', [ROLE]))
    .length;

/** The same database, as the user who owns it and everything in it. */
function asUser(): DatabaseConnection {
  if (!('connectionString' in database)) return { ...database, user: USER };
  const url = new URL(urlOf(database));
  url.username = USER;
  url.password = 'secret';
  return { connectionString: url.href };
}
await sql(database, `create role ${USER} login password 'secret' nosuperuser nocreaterole`);
await sql(database, `alter database ${at!.name} owner to ${USER}`);
await sql(
  database,
  `do $$ declare o text; begin
    for o in select format('alter table %s owner to ${USER}', oid::regclass) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') loop execute o; end loop;
    for o in select format('alter sequence %s owner to ${USER}', oid::regclass) from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'S'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i')) loop execute o; end loop;
    for o in select format('alter function %s owner to ${USER}', p.oid::regprocedure) from pg_proc p where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') loop execute o; end loop;
  end $$`,
);
t.teardown(async () => {
  await sql(database, `reassign owned by ${USER} to current_user; drop owned by ${USER}`);
  await sql(database, `drop role ${USER}`);
});

let app: TestApp = await testApp({ config, database: asUser() });
t.teardown(() => app.close());
let { api } = await registerAdmin(app.origin);
/** Starts the service again, as after a change of the user of the database. */
async function restart(): Promise<void> {
  await app.close();
  lines.length = 0;
  app = await testApp({ config, database: asUser() });
  ({ api } = await login(app.origin, 'admin@example.org'));
}
const MAY_NOT = 'The user of the database may not create roles (CREATEROLE).';

await t.test('without the right to create roles, the service says so at the start and for each module', async (t) => {
  t.equal(warnings().length, 1, lines.join(''));
  t.match(JSON.parse(warnings()[0]!), { level: 40, reason: MAY_NOT });
  t.match((await api.get(PATH)).body, { state: 'discovered', database_role: { state: 'shared', reason: MAY_NOT } });
  t.match((await api.patch(PATH, { enabled: true })).body, {
    state: 'enabled',
    reason: null,
    database_role: { state: 'shared', reason: MAY_NOT },
  });
  t.match(
    (await api.get('/settings/modules')).body.items.find(({ id }) => id === 'leases'),
    { database_role: { state: 'shared', reason: MAY_NOT } },
  );
  t.match(await api.get('/ext/leases'), { status: 200, body: { name: USER, users: 1 } });
  t.equal(await roles(), 0);
  t.equal(warnings().length, 1);
});

await t.test('with the right, a module that was enabled before gets its role at the next start', async (t) => {
  await sql(database, `alter role ${USER} createrole`);
  await restart();
  t.strictSame(warnings(), []);
  t.match((await api.get(PATH)).body, { state: 'enabled', database_role: { state: 'own', reason: null } });
  t.match(await api.get('/ext/leases'), { status: 200, body: { name: ROLE, users: -1 } });
  t.equal(await roles(), 1);
});

await t.test(
  'migrations have the rights of the user where he may not grant to their role what they need',
  async (t) => {
    await sql(database, `alter schema public owner to current_user; grant create, usage on schema public to ${USER}`);
    await restart();
    const role = { state: 'own', reason: /^Its migrations run as the user of the database, who may not grant CREATE/ };
    t.match((await api.get(PATH)).body, { state: 'enabled', database_role: role });
    t.equal((await api.patch(PATH, { enabled: false })).status, 200);
    t.equal((await removeModule(api, 'leases')).status, 204);
    t.match((await api.patch(PATH, { enabled: true })).body, { state: 'enabled', database_role: role });
    t.match(await api.get('/ext/leases'), { status: 200, body: { name: ROLE, users: -1 } });
    await sql(database, `revoke create on schema public from ${USER}; alter schema public owner to pg_database_owner`);
    await restart();
    t.match((await api.get(PATH)).body, { database_role: { state: 'own', reason: null } });
    t.equal((await api.patch(PATH, { enabled: false })).status, 200);
    t.equal((await removeModule(api, 'leases')).status, 204);
    t.match((await api.patch(PATH, { enabled: true })).body, { state: 'enabled' });
    const copy = (columns: string) =>
      `'0002_copy': { up: (knex) => knex.raw('create table leases_copy as select ${columns}'), down: (knex) => knex.raw('drop table leases_copy') }`;
    await write('1.0.1', copy('id from users'));
    t.match((await api.post('/settings/modules/rescan')).body, {
      failed: [
        { id: 'leases', reason: /0002_copy uses what does not belong to it: permission denied for table users/ },
      ],
    });
    await write('1.0.2', copy('id, name from cards'));
    t.match((await api.post('/settings/modules/rescan')).body, { updated: ['leases'], failed: [] });
    const owners = `select tablename as name from pg_tables where starts_with(tablename, 'leases_') and tableowner <> '${USER}'`;
    t.strictSame(await sql(database, owners), [], 'transferred back to a user who is no superuser');
  },
);

await t.test('the role stays in use when the right to create roles is taken away', async (t) => {
  await sql(database, `alter role ${USER} nocreaterole`);
  await restart();
  t.strictSame(warnings(), []);
  t.match((await api.get(PATH)).body, { database_role: { state: 'own', reason: /who may not create roles/ } });
  t.match(await api.get('/ext/leases'), { status: 200, body: { name: ROLE, users: -1 } });
});

await t.test('the removal of the module drops the role', async (t) => {
  await sql(database, `alter role ${USER} createrole`);
  t.equal((await api.patch(PATH, { enabled: false })).status, 200);
  t.equal((await removeModule(api, 'leases')).status, 204);
  t.equal(await roles(), 0);
});

await t.test(
  'a role that cannot be dropped, such as with rights in a copy of the database, does not prevent the removal',
  async (t) => {
    t.equal((await api.patch(PATH, { enabled: true })).status, 200);
    t.match(await api.get('/ext/leases'), { status: 200, body: { name: ROLE, users: -1 } });
    const other = await createDatabase();
    await sql(other, `grant select (id) on cards to "${ROLE}"`);
    t.equal((await api.patch(PATH, { enabled: false })).status, 200);
    t.equal((await removeModule(api, 'leases')).status, 204);
    t.match(lines.join(''), /the database role of the module could not be dropped/);
    t.equal(await roles(), 1);
    await sql(other, `drop owned by "${ROLE}"`);
    t.equal((await api.patch(PATH, { enabled: true })).status, 200);
    t.match(await api.get('/ext/leases'), { status: 200, body: { name: ROLE, users: -1 } });
    t.equal((await api.patch(PATH, { enabled: false })).status, 200);
    t.equal((await removeModule(api, 'leases')).status, 204);
    t.equal(await roles(), 0);
  },
);
