import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { registerAdmin, testApp } from '../support/app.js';
import { blocksOf, differences, pagesOf, run, shell, type Block } from '../support/docs.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const folder = await mkdtemp(join(tmpdir(), 'lintel-docs-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));

/** All pages except the one whose commands create a module, which has a separate test. */
const pages = pagesOf(join(root, 'docs/plugins'));
pages.delete('02-getting-started');

const isManifest = (block: Block): boolean => block.language === 'json' && !block.after;
const has = (page: Block[], file: string): boolean => page.some((block) => block.file === file);
const entryOf = (page: Block[]): string => (has(page, 'src/index.js') ? './src/index.js' : './dist/src/index.js');

// Every page becomes a package whose files are the blocks with file names.
const names = new Map<string, string>();
for (const [name, page] of pages) {
  const place = join(folder, 'pages', name);
  for (const { file, text } of page.filter((block) => block.file !== undefined)) {
    await mkdir(dirname(join(place, file!)), { recursive: true });
    await writeFile(join(place, file!), text);
  }
  const manifest = page.find(isManifest);
  const packageJson = manifest
    ? (JSON.parse(manifest.text) as { name: string })
    : { name: `docs-${name}`, type: 'module', lintel: { module: entryOf(page) } };
  await writeFile(join(place, 'package.json'), JSON.stringify(packageJson));
  names.set(name, packageJson.name);
}
const options = {
  target: 'ES2023',
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  noEmitOnError: true,
  rootDir: 'pages',
  outDir: 'out',
};
await writeFile(
  join(folder, 'tsconfig.json'),
  JSON.stringify({ compilerOptions: options, include: ['pages/**/*.ts'] }),
);
await run(process.execPath, [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', '.'], folder);

// All packages are installed in one platform.
const installed = join(folder, 'installed');
await mkdir(join(installed, 'node_modules/@lintel'), { recursive: true });
await symlink(join(root, 'core/sdk'), join(installed, 'node_modules/@lintel/sdk'));
/** The page that installs its own package. */
const publishing = [...pages].find(([, page]) => page.some(isManifest))![0];
names.delete(publishing);
for (const [name, packageName] of names) {
  if (!has(pages.get(name)!, 'src/index.js'))
    await cp(join(folder, 'out', name), join(folder, 'pages', name, 'dist'), { recursive: true });
  await mkdir(dirname(join(installed, 'node_modules', packageName)), { recursive: true });
  await symlink(join(folder, 'pages', name), join(installed, 'node_modules', packageName));
}
const { origin, close } = await testApp({ config: { pluginsDir: installed, modules: [...names.values()] } });
t.teardown(close);
const admin = await registerAdmin(origin);
const { items } = (
  await admin.api.get<{ items: { id: string; external: boolean; reason: string | null }[] }>('/settings/modules', {
    query: { page_size: 200 },
  })
).body;
const modules = items.filter((module) => module.external);
const { body: card } = await admin.api.post('/cards', { type: 'Application', name: 'Shop' });
const modulesFolder = join(folder, 'modules');
await mkdir(modulesFolder);
const other = await testApp({ config: { pluginsDir: modulesFolder } });
t.teardown(other.close);
const npm = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
const env = { LINTEL: origin, TOKEN: admin.token, CARD: card.id, ...npm };
const ofPublishing = {
  LINTEL: other.origin,
  TOKEN: (await registerAdmin(other.origin)).token,
  MODULES: modulesFolder,
  ...npm,
};

t.test('every page is a module that runs', async (t) => {
  t.equal(modules.length, pages.size - 1);
  for (const { id, reason } of modules) {
    t.equal(reason, null, id);
    t.match(
      await admin.api.patch(`/settings/modules/${id}`, { enabled: true }),
      { status: 200, body: { state: 'enabled', reason: null } },
      id,
    );
  }
});

for (const [name, page] of pages)
  t.test(name, async (t) => {
    const printed = new Map<Block, string>();
    for (const block of page) {
      if (block.language === 'sh')
        printed.set(block, await shell(block, join(folder, 'pages', name), name === publishing ? ofPublishing : env));
      else if (block.after)
        t.strictSame(differences(JSON.parse(block.text), JSON.parse(printed.get(block.after)!)), [], block.place);
      else if (block.file?.startsWith('test/'))
        t.match(
          await run(
            process.execPath,
            ['--test-reporter=tap', join(folder, 'pages', name, 'dist', block.file.replace(/ts$/, 'js'))],
            folder,
          ),
          /^# fail 0$/m,
          block.place,
        );
      else t.ok(block.file !== undefined || isManifest(block), `${block.place} is a file of the module`);
    }
    for (const block of printed.keys()) t.pass(`${block.place} runs`);
  });

t.test('a block that cannot be run is an error', async (t) => {
  for (const text of [
    '```\nx\n```',
    '```py\nx\n```',
    '```ts\nconst x = 1;\n```',
    '```ts\n// src/a.js\n```',
    '```sh\nx',
    '  ```sh\nx\n  ```',
  ])
    t.throws(() => blocksOf('page', text), text);
  t.match(blocksOf('page', 'x\n```sh\necho 1\n```\nprints\n```json\n1\n```'), [
    { language: 'sh', text: 'echo 1\n' },
    { after: { place: 'page:2' } },
  ]);
  t.strictSame(differences({ a: [{ b: 1 }], c: null }, { a: [{ b: 1, d: 2 }], c: null, e: 1 }), []);
  t.strictSame(differences({ a: [{ b: 1 }] }, { a: [{ b: 2 }] }), ['/a/0/b: 2']);
  t.strictSame(differences({ a: [] }, { a: [1] }), ['/a: [1]']);
});
