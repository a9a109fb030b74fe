import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ModuleFault, reasonOf } from './fault.js';
import { fingerprint } from './fingerprint.js';

/** Something that should be a module, before any of its code has run. */
export interface Candidate {
  /** Folder name, or package name. */
  name: string;
  /** A partner's package: mounted under `ext/`. */
  external: boolean;
  /** Path of the file to import. */
  entry: string;
  /** Path of all that is its own. */
  folder: string;
  /** Tells one state of its files from another. */
  fingerprint: string;
  fault?: ModuleFault;
}

const OWN = fileURLToPath(new URL('../../../plugins', import.meta.url));

/**
 * Finds what is installed: the folders of `plugins/`, those of an extra folder, and the packages the configuration
 * names. Nothing is searched for in node_modules, and nothing is imported.
 * @param folder an extra folder of modules
 * @param packages names of partners' packages
 */
export async function discover(folder: string | undefined, packages: readonly string[]): Promise<Candidate[]> {
  const folders = [OWN, ...(folder === undefined ? [] : [folder])];
  const own = (await Promise.all(folders.map(inFolder))).flat();
  const found = [...own, ...packages.map((name) => inPackage(name, folder))];
  return await Promise.all(
    found.map(async (candidate) => ({
      ...candidate,
      fingerprint: candidate.folder === '' ? '' : await fingerprint(candidate.folder),
    })),
  );
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
        entry,
        folder: path.join(folder, name),
        ...(!existsSync(entry) && { fault: new ModuleFault('no_manifest', 'its folder has no index.js') }),
      };
    });
}

/** A package says in its own package.json where its module is: `"lintel": {"module": "./dist/index.js"}`. */
function inPackage(name: string, modulesFolder: string | undefined): Found {
  const absent = { name, external: true, entry: '', folder: '' };
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
  // A package that is linked is watched where its files are.
  const found = { ...absent, folder: realpathSync(path.dirname(file)) };
  try {
    const { lintel } = JSON.parse(readFileSync(file, 'utf8')) as { lintel?: { module?: unknown } };
    if (typeof lintel?.module !== 'string')
      return { ...found, fault: new ModuleFault('no_manifest', 'its package.json has no "lintel": {"module": …}') };
    const entry = path.resolve(found.folder, lintel.module);
    if (!existsSync(entry))
      return {
        ...found,
        fault: new ModuleFault('broken', `its package.json names ${lintel.module}, which does not exist`),
      };
    return { ...found, entry };
  } catch (error) {
    return { ...found, fault: new ModuleFault('broken', `its package.json cannot be read: ${reasonOf(error)}`, error) };
  }
}
