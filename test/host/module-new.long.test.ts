import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { newModule, optionsOf } from '../../core/modules/cli/new-module.js';
import { registerAdmin, testApp } from '../support/app.js';
import { run } from '../support/docs.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const folder = await mkdtemp(join(tmpdir(), 'lintel-new-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));

// A new module of the platform, compiled like the existing ones.
const plugins = join(folder, 'plugins');
await newModule({ id: 'spare_parts', dir: join(plugins, 'spare_parts') });
await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
await writeFile(join(folder, 'package.json'), '{"type":"module"}');
await writeFile(
  join(folder, 'tsconfig.json'),
  JSON.stringify({
    extends: join(root, 'tsconfig.json'),
    include: ['plugins/**/*.ts'],
    exclude: [],
    references: [],
    compilerOptions: { rootDir: 'plugins', outDir: 'dist', incremental: false, noEmitOnError: true },
  }),
);
await run(process.execPath, [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', '.'], folder);
const { origin, close } = await testApp({ config: { pluginsDir: join(folder, 'dist') } });
t.teardown(close);
const admin = await registerAdmin(origin);

t.test('a new module of the platform runs, under its own names', async (t) => {
  t.match(await admin.api.get('/settings/modules/spare_parts'), {
    body: { title: 'Spare Parts', state: 'discovered', reason: null },
  });
  t.match(await admin.api.patch('/settings/modules/spare_parts', { enabled: true }), {
    status: 200,
    body: { state: 'enabled', reason: null },
  });
  const { body: card } = await admin.api.post('/cards', { type: 'Application', name: 'Shop' });
  t.match(await admin.api.post(`/cards/${card.id}/spare-parts-items`, { title: 'First' }), {
    status: 201,
    body: { title: 'First', done: false },
  });
  t.equal((await admin.api.get('/spare_parts/items')).body.total, 1);
  const files = await readdir(join(plugins, 'spare_parts'), { recursive: true });
  t.ok(files.includes('test/spare_parts.test.ts'));
  for (const file of files.filter((name) => /\.(ts|md)$/.test(name)))
    t.notMatch(await readFile(join(plugins, 'spare_parts', file), 'utf8'), /starter/i, file);
});

t.test('a module is compiled elsewhere with the packed SDK, which has its types and its readme', async (t) => {
  const elsewhere = join(folder, 'elsewhere');
  const sdk = join(elsewhere, 'node_modules/@lintel/sdk');
  await mkdir(sdk, { recursive: true });
  const to = ['--pack-destination', elsewhere];
  const packed = (await run('npm', ['pack', '--silent', '-w', '@lintel/sdk', ...to], root)).trim();
  await run('tar', ['-xzf', join(elsewhere, packed), '-C', sdk, '--strip-components=1'], folder);
  const { dependencies, peerDependencies } = JSON.parse(await readFile(join(sdk, 'package.json'), 'utf8')) as {
    dependencies: object;
    peerDependencies: object;
  };
  t.match(await readFile(join(sdk, 'README.md'), 'utf8'), /^# @lintel\/sdk/);
  const files = await readdir(sdk, { recursive: true });
  t.ok(files.includes('dist/index.d.ts'));
  t.notOk(files.some((file) => /\.tsbuildinfo$|(?<!\.d)\.ts$/.test(file)));
  // What npm installs with it, and what a package is compiled with.
  for (const name of [...Object.keys(dependencies), ...Object.keys(peerDependencies), '@types/node']) {
    const place = join(elsewhere, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(root, 'node_modules', name), place);
  }
  const dir = join(elsewhere, 'tools');
  await newModule({ id: 'tools', packageName: '@acme/tools', dir });
  const tsc = [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', '.', '--extendedDiagnostics', '--checkers', '1'];
  const output = await run(process.execPath, tsc, dir);
  t.ok((await readdir(join(dir, 'dist'))).includes('index.js'));
  // What the time of the compiler depends on, whatever the machine: 115,000 when this was written.
  const instantiations = Number(/^Instantiations: +(\d+)$/m.exec(output)?.[1]);
  t.ok(instantiations > 0 && instantiations < 200_000, String(instantiations));
});

t.test('invalid options are refused', async (t) => {
  await t.rejects(newModule({ id: 'spare_parts', dir: join(plugins, 'spare_parts') }), /already exists/);
  t.match(optionsOf(['gadgets']), { id: 'gadgets', dir: join(root, 'plugins/gadgets') });
  t.match(optionsOf(['gadgets', '--package', '@acme/gadgets', '--dir', '/tmp/x']), {
    packageName: '@acme/gadgets',
    dir: '/tmp/x',
  });
  for (const args of [
    [],
    ['Gadgets'],
    ['a', 'b'],
    ['9x'],
    ['cards'],
    ['x', '--dir', '/tmp/x'],
    ['x', '--package', '../x'],
    ['x', '--nothing'],
  ])
    t.throws(() => optionsOf(args), args.join(' '));
});
