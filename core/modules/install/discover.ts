import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ModuleFault, reasonOf } from './fault.js';
import { fingerprint } from './fingerprint.js';

/** A possible module, before any of its code has run. */
export interface Candidate {
  /** Folder name or package name. */
  name: string;
  /** A third-party package: mounted under `ext/`. */
  external: boolean;
  /** Not part of Lintel: a package, or in the additional folder. */
  foreign: boolean;
  /** Path of the file to import. */
  entry: string;
  /** Path of the folder with its files. */
  folder: string;
  /** Version in its package.json. */
  version?: string;
  /** Digest that changes with its files. */
  fingerprint: string;
  fault?: ModuleFault;
}

const OWN = fileURLToPath(new URL('../../../plugins', import.meta.url));

/**
 * Finds the installed modules: the folders of `plugins/`, those of an additional folder, and the packages in the
 * configuration. Does not search node_modules, and imports nothing.
 * @param folder an additional folder of modules
 * @param packages names of third-party packages
 */
export async function discover(folder: string | undefined, packages: readonly string[]): Promise<Candidate[]> {
  const folders = [OWN, ...(folder === undefined ? [] : [folder])];
  const own = (await Promise.all(folders.map(inFolder))).flat();
  const found = [...own, ...packages.map((name) => inPackage(name, folder))];
  return found.map((candidate) => ({
    ...candidate,
    fingerprint: candidate.folder === '' ? '' : fingerprint(candidate.folder),
  }));
}

/** Whether a package is installed where modules are found. */
export const isInstalled = (name: string, folder: string | undefined): boolean => inPackage(name, folder).folder !== '';

/**
 * The packages in the additional folder that declare a module and are not in the configuration.
 * @param folder an additional folder of modules
 * @param packages names of third-party packages
 */
export async function unnamedPackages(folder: string | undefined, packages: readonly string[]): Promise<string[]> {
  if (folder === undefined) return [];
  const root = path.join(folder, 'node_modules');
  const namesIn = async (at: string): Promise<string[]> =>
    existsSync(at) ? (await readdir(at)).filter((name) => !name.startsWith('.')) : [];
  const names = await namesIn(root);
  const scoped = names
    .filter((name) => name.startsWith('@'))
    .map(async (scope) => (await namesIn(path.join(root, scope))).map((name) => `${scope}/${name}`));
  const all = [...names.filter((name) => !name.startsWith('@')), ...(await Promise.all(scoped)).flat()];
  return all.filter((name) => !packages.includes(name) && inPackage(name, folder).entry !== '').sort();
}

type Found = Omit<Candidate, 'fingerprint'>;

async function inFolder(folder: string): Promise<Found[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((e) => e.isDirectory() && /^[a-z]/.test(e.name) && e.name !== 'node_modules')
    .map((e) => e.name)
    .sort()
    .map((name) => {
      const entry = path.join(folder, name, 'index.js');
      return {
        name,
        external: false,
        foreign: folder !== OWN,
        entry,
        folder: path.join(folder, name),
        ...(!existsSync(entry) && { fault: new ModuleFault('no_manifest', 'its folder has no index.js') }),
      };
    });
}

/** A package declares the location of its module in package.json: `"lintel": {"module": "./dist/index.js"}`. */
function inPackage(name: string, modulesFolder: string | undefined): Found {
  const absent = { name, external: true, foreign: true, entry: '', folder: '' };
  const bases = [
    ...(modulesFolder === undefined ? [] : [path.join(modulesFolder, 'index.js')]),
    fileURLToPath(import.meta.url),
  ];
  const file = bases
    .flatMap((base) => createRequire(base).resolve.paths(name) ?? [])
    .map((root) => path.join(root, name, 'package.json'))
    .find((json) => existsSync(json));
  if (file === undefined)
    return { ...absent, fault: new ModuleFault('not_installed', `the package ${name} is not installed`) };
  // For a linked package the real folder is watched.
  const found = { ...absent, folder: realpathSync(path.dirname(file)) };
  try {
    const { lintel, version } = JSON.parse(readFileSync(file, 'utf8')) as {
      lintel?: { module?: unknown };
      version?: unknown;
    };
    if (typeof lintel?.module !== 'string')
      return { ...found, fault: new ModuleFault('no_manifest', 'its package.json has no "lintel": {"module": …}') };
    const entry = path.resolve(found.folder, lintel.module);
    if (!existsSync(entry))
      return {
        ...found,
        fault: new ModuleFault('broken', `its package.json names ${lintel.module}, which does not exist`),
      };
    return { ...found, entry, ...(typeof version === 'string' && { version }) };
  } catch (error) {
    return { ...found, fault: new ModuleFault('broken', `its package.json cannot be read: ${reasonOf(error)}`, error) };
  }
}
