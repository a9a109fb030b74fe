/**
 * The connector of the page about connectors, as a package of a partner: compiled, tested, packed, installed into a running service, used by a
 * mapping, and removed.
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t from 'tap';
import { expectStatus, registerAdmin, testApp, type AnyBody } from '../support/app.js';
import { pagesOf, run } from '../support/docs.js';
import { removeModule } from '../support/http.js';
import { moduleFolder } from '../support/module-folder.js';
import { field, Synchronisation } from './cmdbsync-support.js';

interface Inventory {
  items: Map<number, Record<string, unknown>>;
  origin: string;
  put(values: Record<string, unknown>, id?: number): string;
  close(): Promise<void>;
}

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const PACKAGE = '@acme/lintel-inventory';
const TOKEN = 'token-of-the-partner';
const npm = (args: string[], at: string): Promise<string> =>
  run('npm', args, at, { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' });

// The package as its author has it: the files of the page, compiled.
const author = await mkdtemp(join(tmpdir(), 'lintel-author-'));
t.teardown(() => rm(author, { recursive: true, force: true }));
await symlink(join(root, 'node_modules'), join(author, 'node_modules'));
for (const { file, language, text } of pagesOf(join(root, 'docs/plugins')).get('14-connectors')!) {
  const path = join(author, file ?? (language === 'json' ? 'package.json' : 'unused'));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
const compilerOptions = {
  target: 'ES2023',
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  noEmitOnError: true,
  rootDir: '.',
  outDir: 'dist',
};
await writeFile(
  join(author, 'tsconfig.json'),
  JSON.stringify({ compilerOptions, include: ['src', 'simulator', 'test'] }),
);
await run(process.execPath, [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', '.'], author);
const packed = join(author, basename((await npm(['pack', '--silent'], author)).trim().split('\n').at(-1)!));

const { InventoryServer } = (await import(pathToFileURL(join(author, 'dist/simulator/inventory.js')).href)) as {
  InventoryServer: { start(token: string): Promise<Inventory> };
};
const inventory = await InventoryServer.start(TOKEN);
const folder = await moduleFolder(t);
await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
const service = await testApp({ config: { pluginsDir: folder, logLevel: 'silent', outboundAllow: ['127.0.0.1'] } });
t.teardown(() => Promise.all([service.close(), inventory.close()]));
const admin = await registerAdmin(service.origin);
const { api } = admin;

const connectors = async (): Promise<string[]> =>
  (await api.get<{ items: { key: string }[] }>('/cmdbsync/connectors')).body.items.map(({ key }) => key);
const cards = async (): Promise<AnyBody[]> =>
  (await api.get('/cards', { query: { type: 'ITComponent', page_size: 200 } })).body.items;

await t.test('the contract of connectors holds', async (t) => {
  const output = await run(process.execPath, ['--test-reporter=tap', 'dist/test/inventory.test.js'], author);
  t.match(output, /^# fail 0$/m);
  t.match(output, /^# pass (?:[2-9]\d)$/m, 'with all of its checks');
});

await t.test('the package is installed into a running service', async (t) => {
  t.notOk((await connectors()).includes('acme_inventory'));
  await npm(['install', packed], folder);
  t.equal((await api.post('/settings/modules/install', { package: PACKAGE })).status, 200);
  const { body } = await api.patch('/settings/modules/acme_inventory', { enabled: true });
  t.match(body, { state: 'enabled', reason: null, external: true });
  t.ok((await connectors()).includes('acme_inventory'));
});

let connection = '';
let mapping = '';
let sync: Synchronisation;
await t.test('a connection and a mapping are made', async (t) => {
  for (let i = 1; i <= 30; i++) inventory.put({ name: `Server ${i}`, note: `Note ${i}` });
  const body = { name: 'Inventory', connector: 'acme_inventory', max_requests_per_second: 1_000 };
  const wrong = await api.post('/cmdbsync/connections', { ...body, config: { url: 'ftp://x' } });
  t.strictSame(wrong.body.errors.map(({ field }) => field).sort(), ['/config/url', '/secrets/token']);
  const made = { ...body, config: { url: inventory.origin }, secrets: { token: TOKEN } };
  connection = expectStatus(await api.post('/cmdbsync/connections', made), 201, 'a connection').body.id;
  t.match((await api.post(`/cmdbsync/connections/${connection}/test`)).body, {
    ok: true,
    detail: 'The list can be read.',
  });
  t.match((await api.get(`/cmdbsync/connections/${connection}/tables`)).body, {
    items: [{ key: 'items', label: 'Items' }],
  });
  const fields = await api.get(`/cmdbsync/connections/${connection}/tables/items/fields`);
  t.match(fields.body, { items: [{ key: 'id' }, { key: 'name', is_writable: true }, { key: 'note' }] });
  sync = await Synchronisation.make(service.database, admin, inventory.origin);
  const input = {
    name: 'Items',
    connection_id: connection,
    card_type: 'ITComponent',
    table: 'items',
    fields: [field('name', 'name'), field('note', 'description')],
    runs_as: sync.account,
    auto_apply: true,
    delete_policy: 'archive',
    delete_ratio: 1,
  };
  mapping = expectStatus(await api.post('/cmdbsync/mappings', input), 201, 'a mapping').body.id;
});

await t.test('a run makes a card of each item, and the next one changes nothing', async (t) => {
  t.match(await sync.run(mapping), { state: 'done', error: null, counts: { create: 30, applied: 30 } });
  t.equal((await cards()).length, 30);
  t.match(await sync.run(mapping), { state: 'done', counts: { unchanged: 30, create: undefined, update: undefined } });
  inventory.put({ note: 'Changed' }, 7);
  inventory.items.delete(9);
  t.match(
    await sync.run(mapping, {}),
    { is_full: false, counts: { update: 1, archive: undefined } },
    'what changed since',
  );
  t.match(await sync.run(mapping), { is_full: true, counts: { unchanged: 29, archive: 1 } }, 'what is gone');
  t.equal((await cards()).find(({ name }) => name === 'Server 7')!['description'], 'Changed');
});

await t.test('after the package was removed, runs fail with a plain reason', async (t) => {
  t.equal((await api.patch('/settings/modules/acme_inventory', { enabled: false })).status, 200);
  t.notOk((await connectors()).includes('acme_inventory'));
  t.equal((await removeModule(api, 'acme_inventory')).status, 204);
  await npm(['uninstall', PACKAGE], folder);
  t.match((await api.post('/settings/modules/rescan')).body, { removed: ['acme_inventory'] });
  t.match(await sync.run(mapping), {
    state: 'failed',
    error: { code: 'invalid_settings', detail: 'There is no connector acme_inventory.' },
  });
  t.match((await api.post(`/cmdbsync/connections/${connection}/test`)).body, { ok: false, detail: /no connector/ });
  t.equal((await cards()).length, 29, 'the cards remain');
  t.equal((await api.get(`/cmdbsync/connections/${connection}`)).status, 200, 'and the connection');
});

await t.test('installed again, it continues', async (t) => {
  await npm(['install', packed], folder);
  t.equal((await api.post('/settings/modules/install', { package: PACKAGE })).status, 200);
  t.equal((await api.patch('/settings/modules/acme_inventory', { enabled: true })).status, 200);
  t.match(await sync.run(mapping), { state: 'done', counts: { unchanged: 29 } });
});
