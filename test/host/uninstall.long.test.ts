/** The deletion of a module: nothing of it is left, and a deletion that cannot be completed changes nothing. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { client, registerAdmin, sql, testApp, until } from '../support/app.js';
import { removeModule } from '../support/http.js';
import { moduleFolder, writeModule } from '../support/module-folder.js';

const folder = await moduleFolder(t);
const PACKAGE = '@acme/lintel-leases';
const place = join(folder, 'node_modules', PACKAGE);
const FIRST = `'0001_first': { up: (knex) => knex.raw('create table leases_rows (id int primary key)'), down: (knex) => knex.raw('drop table leases_rows') },`;
const SECOND = `'0002_more': { up: (knex) => knex.raw('create table leases_more (id int references leases_rows)'), down: (knex) => knex.transaction((trx) => trx.raw('drop table leases_more')) },`;
const STUCK = `'0002_more': { up: (knex) => knex.raw('create table leases_more (id int references leases_rows)'), down: async (knex) => { await knex.raw('drop table leases_more'); throw new Error('this version does not revert it'); } },`;

/** Writes a version of the package to node_modules, as npm does. */
async function install(version: string, migrations: string): Promise<void> {
  await writeModule(
    folder,
    `
import { Type, defineModule } from '@lintel/sdk';
export default defineModule({
  id: 'leases', version: '${version}', title: 'Leases', description: 'Leases of applications.', host: '^0.1.0',
  permissions: [{ key: 'leases.view', description: 'See leases.', roles: ['architect', 'member', 'viewer'] }],
  cardPermissions: [{ key: 'card.leases_sign', description: 'Sign a lease.' }],
  settings: { type: 'object', properties: { token: { type: 'string', title: 'Token', secret: true, maxLength: 100 } }, additionalProperties: false },
  events: [{ kind: 'leases', permission: 'leases.view' }],
  notifications: [{ kind: 'leases.due', title: 'A lease ends', description: 'A lease of your application ends.' }],
  migrations: { ${FIRST} ${migrations} },
  services: (host) => { host.metrics.counter('signed', 'Leases signed.').inc(); return {}; },
  routes: async (app) => {
    app.get('', { config: { access: { permission: 'leases.view' } }, schema: { operationId: 'getLeases', summary: 'Leases', tags: ['leases'], response: { 200: Type.Object({ version: Type.String() }) } } },
      async () => ({ version: '${version}' }));
  },
  activate(module) { module.job('leases.remind', { handler: async () => ({}) }); module.subscribe({ name: 'cards', pattern: 'card.*', handler: async () => undefined }); },
  openapi: { tags: [{ name: 'leases', description: 'Leases.' }] },
  enabledByDefault: false,
});`,
    { package: PACKAGE, version },
  );
}

const config = { pluginsDir: folder, modules: [PACKAGE], logLevel: 'silent' as const };
const a = await testApp({ config });
const b = await testApp({ config, database: a.database });
t.teardown(() => Promise.all([a.close(), b.close()]));
const { api, token } = await registerAdmin(a.origin);
const onB = client(b.origin, token);
const PATH = '/settings/modules/leases';
const rescan = async () => (await api.post('/settings/modules/rescan')).body;
const holders = async () =>
  (await sql<{ key: string }>(a.database, `select key from roles where permissions ? 'leases.view' order by key`)).map(
    ({ key }) => key,
  );
const tables = async () =>
  (
    await sql<{ name: string }>(
      a.database,
      `select tablename as name from pg_tables where tablename like 'leases%' order by 1`,
    )
  ).map(({ name }) => name);

/** The log, and what is counted or refreshed whatever the requests of the test do. */
const LOG =
  /^(events.*|event_.*|changes|revisions|metamodel_revisions|metamodel_floor|sessions|subscriptions|import_rows)$/;

/** All rows of all tables, without versions and times of changes. */
async function dump(): Promise<Record<string, unknown[]>> {
  const names = await sql<{ name: string }>(
    a.database,
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const rows: Record<string, unknown[]> = {};
  for (const { name } of names.filter(({ name: table }) => !LOG.test(table)))
    rows[name] = (
      await sql<{ row: string }>(
        a.database,
        `select (to_jsonb(t) - '{version,updated_at,last_login_at,last_seen_at}'::text[])::text as row from "${name}" t order by 1`,
      )
    ).map(({ row }) => row);
  // The core has jobs of its own, which run at any time.
  for (const name of ['jobs', 'cron_slots']) rows[name] = rows[name]!.filter((row) => String(row).includes('leases'));
  return rows;
}

await t.test('after the deletion nothing is stored that was not before the installation', async (t) => {
  const cardType = (await api.get('/metamodel/types/Application')).body;
  const before = await dump();
  await install('1.0.0', '');
  t.match(await rescan(), { loaded: ['leases'] });
  t.strictSame(await holders(), [], 'a module that was never enabled has no permissions');
  t.match(await api.patch(PATH, { enabled: true, settings: { token: 'secret' } }), {
    status: 200,
    body: { state: 'enabled' },
  });
  t.strictSame(
    await holders(),
    ['admin', 'architect', 'member', 'viewer'].filter((role) => role !== 'admin'),
  );
  const [role] = cardType.stakeholder_roles as { key: string; permissions: Record<string, boolean> }[];
  t.equal(
    (
      await api.patch(`/metamodel/types/Application/stakeholder-roles/${role!.key}`, {
        permissions: { ...role!.permissions, 'card.leases_sign': true },
      })
    ).status,
    200,
  );
  t.equal((await api.patch('/notifications/preferences', { kinds: { 'leases.due': { in_app: false } } })).status, 200);
  t.equal((await api.get('/ext/leases')).status, 200);
  const metrics = async () =>
    (await (await fetch(`${a.origin}/api/metrics`)).text()).match(/^lintel_(leases|.*{module="leases").*$/gm) ?? [];
  for (const name of [
    /^lintel_leases_signed 1$/m,
    /^lintel_module_requests_total\{module="leases"/m,
    /^lintel_module_request_seconds_sum\{module="leases"/m,
  ])
    t.match((await metrics()).join('\n'), name);
  await sql(
    a.database,
    `insert into jobs (id, type, run_at) values (gen_random_uuid(), 'leases.remind', now() + interval '1 day');
     insert into cron_slots (job, slot) values ('leases.remind', now())`,
  );
  t.equal((await api.patch(PATH, { enabled: false })).status, 200);
  t.equal((await removeModule(api, 'leases')).status, 204);
  t.strictSame(await holders(), [], 'its keys are not given back while its code is loaded');
  t.match((await api.get(PATH)).body, { state: 'discovered', settings: { token: { is_set: false } } });
  await rm(place, { recursive: true });
  t.match(await rescan(), { removed: ['leases'] });
  t.ok(await until(async () => (await onB.get(PATH)).status === 404));
  t.strictSame(await metrics(), [], 'its metrics are gone');
  const after = await dump();
  after['notification_preferences'] = after['notification_preferences']!.filter(
    (row) => !/"value": \{\}/.test(String(row)),
  );
  t.strictSame(after, before);
});

await t.test('a version without migrations that were applied is refused with its reason', async (t) => {
  await install('1.0.0', '');
  await rescan();
  await api.patch(PATH, { enabled: true, settings: { token: 'secret' } });
  await install('2.0.0', SECOND);
  t.match(await rescan(), { updated: ['leases'] });
  t.strictSame(await tables(), ['leases_migrations', 'leases_more', 'leases_rows']);
  await install('1.0.0', '');
  for (const enabled of [true, false]) {
    t.equal((await api.patch(PATH, { enabled })).status, 200);
    t.match(await rescan(), {
      updated: [],
      failed: [
        {
          id: 'leases',
          reason_code: 'migration',
          reason: /by leases 2\.0\.0, and this is leases 1\.0\.0, which does not contain the migrations 0002_more/,
        },
      ],
    });
    t.match((await api.get(PATH)).body, { module_version: '2.0.0', update_reason: /0002_more/, reason: null });
  }
});

await t.test('a deletion that this version cannot complete changes nothing', async (t) => {
  const before = await dump();
  const c = await testApp({ config, database: a.database });
  t.teardown(c.close);
  const onC = client(c.origin, token);
  t.match((await onC.get(PATH)).body, { state: 'disabled', module_version: '1.0.0' });
  t.match(await onC.patch(PATH, { enabled: true }), {
    status: 409,
    body: { code: 'invalid_state', reason_code: 'migration' },
  });
  t.match(await removeModule(onC, 'leases'), {
    status: 409,
    body: { code: 'invalid_state', detail: /does not contain the migrations 0002_more/ },
  });
  t.strictSame(await dump(), before);
  await install('2.0.1', STUCK);
  t.match(await rescan(), { updated: ['leases'] });
  t.match(await removeModule(api, 'leases'), {
    status: 409,
    body: { code: 'invalid_state', detail: /this version does not revert it/ },
  });
  t.strictSame(await dump(), before, 'the table that it dropped before it failed is there again');
  await install('2.0.2', SECOND);
  await rescan();
  t.equal((await removeModule(api, 'leases')).status, 204);
  t.strictSame(await tables(), []);
  t.strictSame(await holders(), []);
});

await t.test(
  'after a downgrade that has all applied migrations, the deletion as a database role is all or nothing',
  async (t) => {
    /** The owners of its tables, and the roles of modules that exist. */
    const owners = async () =>
      await sql(
        a.database,
        `select array(select distinct tableowner::text from pg_tables where tablename like 'leases%') as owners, current_user::text as service,
        array(select rolname::text from pg_roles where rolname like 'lintel_migrations_%') as left`,
      );
    await install('3.0.0', SECOND);
    t.match(await rescan(), { updated: ['leases'] });
    t.match(await api.patch(PATH, { enabled: true, settings: { token: 'secret' } }), {
      body: { state: 'enabled', module_version: '3.0.0', database_role: { state: 'own', reason: null } },
    });
    await sql(a.database, 'insert into leases_rows values (1); insert into leases_more values (1)');
    const [state] = await owners();
    t.strictSame(state, { owners: [state!['service']], service: state!['service'], left: [] });

    const REACHING = `'0002_more': { up: (knex) => knex.raw('select 1'), down: async (knex) => { await knex.raw('drop table leases_more'); await knex.raw('delete from webhooks'); } },`;
    await install('2.9.0', REACHING);
    t.match(await rescan(), { updated: ['leases'], failed: [] });
    t.match((await api.get('/ext/leases')).body, { version: '2.9.0' });
    t.match(
      await sql(a.database, 'select id from leases_more'),
      [{ id: 1 }],
      'a migration that was applied does not run again',
    );
    t.ok(await until(async () => String((await onB.get('/ext/leases')).body['version']) === '2.9.0'));

    t.equal((await api.patch(PATH, { enabled: false })).status, 200);
    const before = await dump();
    t.match(await removeModule(api, 'leases'), {
      status: 409,
      body: {
        code: 'invalid_state',
        detail: /0002_more uses what does not belong to it: permission denied for table webhooks/,
      },
    });
    t.strictSame(await dump(), before, 'the table that it dropped before it was refused is there again');
    t.strictSame(await owners(), [state], 'and belongs to the user of the service again');

    await install('2.8.0', SECOND);
    t.match(await rescan(), { updated: ['leases'] });
    t.equal((await removeModule(api, 'leases')).status, 204);
    t.strictSame(await tables(), []);
    t.strictSame((await owners())[0]!['left'], []);
    t.strictSame(await holders(), []);
  },
);
