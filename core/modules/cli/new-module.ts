import { SDK_VERSION } from '@lintel/sdk';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { manifestFaults } from '../install/manifest.js';

/** The module cannot be created; the message says why. */
export class ModuleNewError extends Error {}

export interface NewModule {
  id: string;
  /** Name of a separate package; a folder of `plugins/` when absent. */
  packageName?: string;
  /** Absolute path. */
  dir: string;
}

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const TEMPLATE = path.join(ROOT, 'plugins/_template');
const ID = /^[a-z][a-z0-9_]{0,30}$/;
const PACKAGE = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const USAGE = 'npm run module:new <id> [-- --package <name of an npm package> --dir <folder>]';

/** Reads the command line. @throws ModuleNewError */
export function optionsOf(args: string[]): NewModule {
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: { package: { type: 'string' }, dir: { type: 'string' } },
    });
  } catch (error) {
    throw new ModuleNewError(`${(error as Error).message}\n${USAGE}`);
  }
  const {
    positionals: [id, ...more],
    values: { package: packageName, dir },
  } = parsed;
  if (id === undefined || more.length > 0) throw new ModuleNewError(USAGE);
  const faults = manifestFaults({
    id,
    version: '0.1.0',
    title: id,
    description: id,
    host: '*',
    permissions: [],
    services: () => ({}),
    enabledByDefault: false,
  });
  if (!ID.test(id))
    throw new ModuleNewError(`${id} is no id: lower-case letters, digits and _, up to 31, a letter first`);
  if (faults.length > 0) throw new ModuleNewError(faults.join('; '));
  if (packageName !== undefined && !PACKAGE.test(packageName))
    throw new ModuleNewError(`${packageName} is no name of an npm package`);
  if (packageName === undefined && dir !== undefined)
    throw new ModuleNewError('--dir is for a package: a module of the platform lies in plugins/');
  const place =
    packageName === undefined ? path.join(ROOT, 'plugins', id) : path.resolve(dir ?? packageName.split('/').at(-1)!);
  return { id, dir: place, ...(packageName !== undefined && { packageName }) };
}

/**
 * Copies the template with its names replaced.
 * @returns instructions for the next steps, line by line
 * @throws ModuleNewError where the target folder is not empty
 */
export async function newModule({ id, packageName, dir }: NewModule): Promise<string[]> {
  if (existsSync(dir) && (await readdir(dir)).length > 0) throw new ModuleNewError(`${dir} already exists`);
  const files = (await readdir(TEMPLATE, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const source = packageName === undefined ? dir : path.join(dir, 'src');
  for (const file of files) {
    const name = path.relative(TEMPLATE, path.join(file.parentPath, file.name));
    const target = path.join(name === 'README.md' ? dir : source, named(name, id));
    await mkdir(path.dirname(target), { recursive: true });
    const text = named(await readFile(path.join(TEMPLATE, name), 'utf8'), id);
    await writeFile(target, packageName === undefined ? text : asPackage(text, id));
  }
  if (packageName === undefined)
    return [`made plugins/${id}`, 'next: npm run build', `      node dist/test/run.js plugins/${id}`];
  await writeFile(path.join(dir, 'package.json'), `${JSON.stringify(packageJson(id, packageName, dir), null, 2)}\n`);
  await writeFile(path.join(dir, 'tsconfig.json'), `${JSON.stringify(TSCONFIG, null, 2)}\n`);
  await writeFile(path.join(dir, '.gitignore'), 'node_modules/\ndist/\n');
  return [`made ${dir}`, `next: cd ${dir}`, '      npm install', '      npm test'];
}

/** Replaces the names in a text: `starter` in code, `Starter` in titles and type names, `starter-` in paths. */
function named(text: string, id: string): string {
  const words = id
    .split('_')
    .filter(Boolean)
    .map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`);
  return text
    .replaceAll(/^(# |.*title: ')Starter/gm, (_all, before: string) => `${before}${words.join(' ')}`)
    .replaceAll('Starter', words.join(''))
    .replaceAll('starter-', `${id.replaceAll('_', '-')}-`)
    .replaceAll('starter', id);
}

/** Differences in a package: its paths are below `ext/`, and its tests need no library. */
const ELSEWHERE: readonly [RegExp, string][] = [
  [/testApp\(\{ module,/, 'testApp({ module, external: true,'],
  [/^import t from 'tap';/m, "import assert from 'node:assert/strict';\nimport { after, test } from 'node:test';"],
  [/\bt\.teardown\(/g, 'after('],
  [/\(t\) => t\.resolves\(run\(\)\)/g, 'run'],
  [/async \(t\) =>/g, 'async () =>'],
  [/\bt\.test\(/g, 'test('],
  [/\bt\.equal\(/g, 'assert.equal('],
  [/\bt\.strictSame\(/g, 'assert.deepEqual('],
];

function asPackage(text: string, id: string): string {
  const paths: [RegExp, string][] = [
    [new RegExp(`\`/${id}/`, 'g'), `\`/ext/${id}/`],
    [/`\/cards\/\{id\}\/[a-z-]+`/g, `\`/cards/{id}/ext/${id}\``],
  ];
  return [...ELSEWHERE, ...paths].reduce((changed, [from, to]) => changed.replace(from, to), text);
}

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    declaration: true,
    sourceMap: true,
    rootDir: 'src',
    outDir: 'dist',
  },
  include: ['src'],
};

/** The package links the dependencies of the checkout: the SDK must be the platform's, the others may be. */
function packageJson(id: string, name: string, dir: string): object {
  const link = (place: string): string => `file:${path.relative(realpathSync(dir), path.join(ROOT, place))}`;
  return {
    name,
    version: '0.1.0',
    description: 'A module for Lintel.',
    type: 'module',
    license: 'UNLICENSED',
    engines: { node: '>=20.20' },
    lintel: { module: './dist/index.js' },
    files: ['dist', '!dist/test'],
    scripts: { build: 'tsc', prepack: 'npm run build', test: `npm run build && node dist/test/${id}.test.js` },
    peerDependencies: { '@lintel/sdk': `^${SDK_VERSION}` },
    // The service provides it: npm must not look for it.
    peerDependenciesMeta: { '@lintel/sdk': { optional: true } },
    devDependencies: {
      '@lintel/sdk': link('core/sdk'),
      '@types/node': link('node_modules/@types/node'),
      typescript: link('node_modules/typescript-7'),
    },
  };
}
