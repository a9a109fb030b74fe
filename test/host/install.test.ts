/** Packages that are installed while the service runs. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { client, makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';
import { removeModule } from '../support/http.js';
import { moduleFolder, writeModule } from '../support/module-folder.js';

const folder = await moduleFolder(t);
const PACKAGE = '@acme/lintel-hello';
const place = join(folder, 'node_modules', PACKAGE);

/** Writes the package, as npm does. */
async function write(version: string, source = ''): Promise<void> {
  await writeModule(
    folder,
    `import { Type, defineModule } from '@lintel/sdk';
${source}
export default defineModule({
  id: 'hello', version: '${version}', title: 'Hello', description: 'Greets.', host: '^0.1.0',
  permissions: [{ key: 'hello.view', description: 'Be greeted.', roles: ['architect', 'member', 'viewer'] }],
  services: () => ({}),
  routes: async (app) => {
    app.get('', { config: { access: { permission: 'hello.view' } }, schema: { operationId: 'hello', summary: 'Hello', tags: ['hello'], response: { 200: Type.Object({ text: Type.String() }) } } }, async () => ({ text: 'Hello' }));
  },
  openapi: { tags: [{ name: 'hello', description: 'Hello.' }] },
  enabledByDefault: true,
});`,
    { package: PACKAGE, version },
  );
}
const config = { pluginsDir: folder, logLevel: 'silent' as const };
const a = await testApp({ config });
const b = await testApp({ config, database: a.database });
t.teardown(() => Promise.all([a.close(), b.close()]));
const admin = await registerAdmin(a.origin);
const { api } = admin;
const onB = client(b.origin, admin.token);
const install = (name: string, by = api) => by.post('/settings/modules/install', { package: name });
const rescan = async () => (await api.post('/settings/modules/rescan')).body;
const ids = async (by = api) => (await by.get('/settings/modules')).body.items.map(({ id }: { id: string }) => id);

await t.test(
  'only a package that lies where modules are found can be installed, and only by who manages modules',
  async (t) => {
    for (const name of [PACKAGE, 'fastify-plugin-that-is-not-there', '@acme/..'])
      t.match(await install(name), { status: 422, body: { errors: [{ field: '/package' }] } }, name);
    for (const name of ['../../etc', '/etc/passwd', 'UPPER', '', 'a'.repeat(215), '@acme/../x'])
      t.match(await install(name), { status: 422, body: { errors: [{ field: '/package' }] } }, name);
    t.equal((await install(PACKAGE, (await makeUser(admin, 'viewer')).api)).status, 403);
    t.strictSame(await sql(a.database, 'select name from module_packages'), []);
  },
);

await t.test('a version that cannot be loaded leaves nothing behind when a later one can', async (t) => {
  await write('1.0.0', `throw new Error('not yet');`);
  t.match(await rescan(), { loaded: [], failed: [], ignored: [{ package: PACKAGE, reason: /is neither named/ }] });
  t.match(await install(PACKAGE), { status: 200, body: { loaded: [], failed: [{ id: PACKAGE, reason: /not yet/ }] } });
  t.match(await (await fetch(`${a.origin}/api/ready`)).json(), { checks: { modules: 'degraded' } });
  await write('1.0.1');
  const found = (await rescan()) as unknown as { loaded: string[]; updated: string[] };
  // The scan that the first one starts on every node may have found it in part.
  t.strictSame([...found.loaded, ...found.updated], ['hello']);
  t.match(found, { failed: [], ignored: [] });
  t.strictSame(await ids(), [
    'adr',
    'bpm',
    'cmdbsync',
    'diagrams',
    'hello',
    'insightlens',
    'portals',
    'ppm',
    'reports',
    'risks',
    'soaw',
  ]);
  t.match(await (await fetch(`${a.origin}/api/ready`)).json(), { checks: { modules: 'ok' } });
});

await t.test('it is loaded on every node, and at each start', async (t) => {
  t.equal((await api.get('/ext/hello')).status, 200);
  t.ok(await until(async () => (await onB.get('/ext/hello')).status === 200));
  const c = await testApp({ config, database: a.database });
  t.equal((await client(c.origin, admin.token).get('/ext/hello')).status, 200);
  await c.close();
  t.match(await install(PACKAGE), { status: 200, body: { loaded: [], failed: [] } }, 'again');
});

await t.test(
  'without the package it is ignored, and after its data was deleted it is not loaded any more',
  async (t) => {
    await rm(place, { recursive: true });
    t.match(await rescan(), {
      ignored: [{ package: PACKAGE, reason: /not installed on this node/ }],
    });
    t.strictSame(await ids(), [
      'adr',
      'bpm',
      'cmdbsync',
      'diagrams',
      'insightlens',
      'portals',
      'ppm',
      'reports',
      'risks',
      'soaw',
    ]);
    await write('1.0.2');
    await rescan();
    t.strictSame(await ids(), [
      'adr',
      'bpm',
      'cmdbsync',
      'diagrams',
      'hello',
      'insightlens',
      'portals',
      'ppm',
      'reports',
      'risks',
      'soaw',
    ]);
    t.equal((await api.patch('/settings/modules/hello', { enabled: false })).status, 200);
    t.equal((await removeModule(api, 'hello')).status, 204);
    t.match(await rescan(), { ignored: [{ package: PACKAGE, reason: /is neither named/ }] });
    t.ok(await until(async () => !(await ids(onB)).includes('hello')));
    t.strictSame(await sql(a.database, `select id from modules where id = 'hello'`), []);
  },
);

await t.test('the environment can forbid it', async (t) => {
  const d = await testApp({ config: { ...config, modulesInstall: false }, database: a.database });
  t.match(await install(PACKAGE, client(d.origin, admin.token)), {
    status: 409,
    body: { code: 'invalid_state', detail: /LINTEL_MODULES_INSTALL/ },
  });
  await d.close();
});
