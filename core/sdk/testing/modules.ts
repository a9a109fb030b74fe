import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The members of a manifest used by tests. */
export interface AnyModule {
  readonly id: string;
  readonly migrations?: Readonly<Record<string, unknown>>;
}

const GIVEN = Symbol.for('lintel.testing.modules');
type Given = Map<string, unknown>;

function given(): Given {
  const shared = globalThis as unknown as Record<symbol, Given>;
  return (shared[GIVEN] ??= new Map());
}

/** Where the platform finds modules: a folder of included ones, and the names of external packages in it. */
export interface Installed {
  folder: string;
  packages: string[];
}

/**
 * Writes modules to a folder as if they were installed.
 * @param folder an empty folder
 * @param external whether they are packages, whose paths begin with `ext/`
 */
export async function layOut(
  folder: string,
  home: string,
  modules: readonly AnyModule[],
  external: boolean,
): Promise<Installed> {
  const nodeModules = path.join(folder, 'node_modules');
  await mkdir(path.join(nodeModules, '@lintel'), { recursive: true });
  await symlink(path.join(home, 'core/sdk'), path.join(nodeModules, '@lintel/sdk'));
  const packages: string[] = [];
  for (const module of modules) {
    // The platform finds this module itself, and imports it from the same file.
    if (!external && existsSync(path.join(home, 'dist/plugins', module.id, 'index.js'))) continue;
    const place = external ? path.join(nodeModules, `lintel-${module.id}`) : path.join(folder, module.id);
    await mkdir(place);
    const key = pathToFileURL(place).href;
    given().set(key, module);
    const entry = `export default globalThis[Symbol.for('lintel.testing.modules')].get(${JSON.stringify(key)});\n`;
    await writeFile(path.join(place, 'index.js'), entry);
    const about = { name: `lintel-${module.id}`, type: 'module', lintel: { module: './index.js' } };
    await writeFile(path.join(place, 'package.json'), JSON.stringify(about));
    if (external) packages.push(about.name);
  }
  return { folder, packages };
}
