import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { makeUser, registerAdmin, testApp } from '../support/app.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const folder = await mkdtemp(join(tmpdir(), 'lintel-packages-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));

const SOURCE = `
import { Strict, Type, defineModule } from '@lintel/sdk';
const route = (operationId) => ({
  config: { access: { permission: 'acme_costs.view' } },
  schema: { operationId, summary: 'Costs', tags: ['acme_costs'], response: { 200: Type.Object({ of: Type.String() }) } },
});
export default defineModule({
  id: 'acme_costs', version: '2.1.0', title: 'Costs', description: 'A partner’s module.', host: '^0.1.0',
  permissions: [{ key: 'acme_costs.view', description: 'See costs.', roles: ['viewer'] }],
  services: () => ({}),
  routes: async (app) => { app.get('', route('getAcmeCosts'), async () => ({ of: 'all' })); },
  cardRoutes: { segment: 'costs', routes: async (app) => {
    const { config, schema } = route('getAcmeCostsOfCard');
    app.get('', { config, schema: { ...schema, params: Strict({ id: Type.String() }) } }, async (request) => ({ of: request.params.id }));
  } },
  openapi: { tags: [{ name: 'acme_costs', description: 'Costs.' }] },
  enabledByDefault: false,
});`;

/** Writes a package to node_modules, as npm does for an external module. */
async function install(name: string, lintel: object | undefined, source?: string): Promise<string> {
  const place = join(folder, 'node_modules', name);
  await mkdir(place, { recursive: true });
  await writeFile(
    join(place, 'package.json'),
    JSON.stringify({ name, version: '2.1.0', type: 'module', ...(lintel && { lintel }) }),
  );
  if (source !== undefined) await writeFile(join(place, 'index.js'), source);
  return place;
}

await install('@acme/lintel-costs', { module: './index.js' }, SOURCE);
await install('@acme/no-manifest', undefined, SOURCE);
await install('@acme/nothing-there', { module: './gone.js' });
const ownSdk = join(
  await install(
    '@acme/own-sdk',
    { module: './index.js' },
    SOURCE.replaceAll('acme_costs', 'own_sdk')
      .replaceAll('AcmeCosts', 'OwnSdk')
      .replace("segment: 'costs'", "segment: 'own'"),
  ),
  'node_modules/@lintel/sdk',
);
await cp(join(root, 'core/sdk/bundle'), join(ownSdk, 'bundle'), { recursive: true });
await cp(join(root, 'core/sdk/package.json'), join(ownSdk, 'package.json'));

await install('@acme/throws', { module: './index.js' }, `\n\nthrow new TypeError('no such thing');\n`);
await install('@acme/other-version', { module: './index.js' }, SOURCE.replace('2.1.0', '2.1.1'));
await install('@acme/hyphen', { module: './index.js' }, SOURCE.replace("id: 'acme_costs'", "id: 'acme-costs'"));

const modules = [
  '@acme/throws',
  '@acme/other-version',
  '@acme/hyphen',
  '@acme/lintel-costs',
  '@acme/no-manifest',
  '@acme/nothing-there',
  '@acme/own-sdk',
  '@acme/not-installed',
];
const { origin, close } = await testApp({ config: { pluginsDir: folder, modules, logLevel: 'silent' } });
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
const { body: list } = await admin.api.get('/settings/modules');
const of = (id: string) => list.items.find((m) => m.id === id);

t.test('a configured package is found and mounted below /ext', async (t) => {
  t.match(of('acme_costs'), { state: 'discovered', external: true, module_version: '2.1.0' });
  t.equal((await viewer.api.get('/ext/acme_costs')).status, 404);
  t.match(await admin.api.patch('/settings/modules/acme_costs', { enabled: true }), {
    status: 200,
    body: { state: 'enabled' },
  });
  t.strictSame((await viewer.api.get('/ext/acme_costs')).body, { of: 'all' });
  const { id } = (await admin.api.post('/cards', { type: 'Application', name: 'Some' })).body as { id: string };
  t.strictSame((await viewer.api.get(`/cards/${id}/ext/acme_costs`)).body, { of: id });
  await admin.api.post('/roles', { key: 'narrow', label: 'Narrow', permissions: ['acme_costs.view'] });
  const narrow = await makeUser(admin, 'narrow');
  t.equal((await narrow.api.get('/ext/acme_costs')).status, 200);
  t.equal((await narrow.api.get(`/cards/${id}/ext/acme_costs`)).status, 404, 'of a card that is hidden');
  for (const unknown of ['some', '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b'])
    t.match(
      await viewer.api.get(`/cards/${unknown}/ext/acme_costs`),
      { status: 404, body: { code: 'not_found' } },
      unknown,
    );
  for (const path of ['/acme_costs', `/cards/${id}/costs`, `/cards/${id}/acme_costs`])
    t.equal((await viewer.api.get(path)).status, 404, path);
  const { paths } = (await (await fetch(`${origin}/api/openapi.json`)).json()) as { paths: object };
  t.hasProps(paths, ['/api/v1/ext/acme_costs', '/api/v1/cards/{id}/ext/acme_costs']);
});

t.test('each invalid kind of package has its own error', async (t) => {
  t.match(of('@acme/not-installed'), {
    state: 'failed',
    reason_code: 'not_installed',
    reason: 'the package @acme/not-installed is not installed',
    external: true,
  });
  t.match(of('@acme/no-manifest'), { state: 'failed', reason_code: 'no_manifest' });
  t.match(of('@acme/throws'), {
    state: 'failed',
    reason_code: 'broken',
    reason: 'its import fails: no such thing (index.js:3)',
  });
  t.match(of('@acme/other-version'), {
    reason_code: 'invalid_manifest',
    reason: '/version is 2.1.1, and that of its package.json 2.1.0',
  });
  t.match(of('@acme/hyphen'), { reason_code: 'invalid_manifest', reason: /^\/id must not contain hyphens/ });
  t.match(of('@acme/nothing-there'), { state: 'failed', reason_code: 'broken', reason: /gone\.js/ });
  const path = `/settings/modules/${encodeURIComponent('@acme/no-manifest')}`;
  t.match(await admin.api.get(path), { status: 200, body: { id: '@acme/no-manifest', enabled: false, version: 0 } });
  t.equal((await admin.api.patch(path, { enabled: true })).status, 404);
});

t.test('a module gets the SDK of the service: none need be installed, and its own copy is not used', async (t) => {
  t.match(of('own_sdk'), { state: 'discovered', reason: null });
  t.match(await admin.api.patch('/settings/modules/own_sdk', { enabled: true }), { status: 200 });
  t.strictSame((await viewer.api.get('/ext/own_sdk')).body, { of: 'all' });
});
