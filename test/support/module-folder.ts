import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder in which a service finds modules. Nothing is installed in it: the service provides the SDK. */
export async function moduleFolder(t: { teardown(work: () => unknown): void }): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'lintel-modules-')));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes the `index.js` of a module, and for a package its package.json, as npm does. @returns the folder of the module */
export async function writeModule(
  folder: string,
  source: string,
  of: { id: string } | { package: string; version: string },
): Promise<string> {
  const place = 'id' in of ? join(folder, of.id) : join(folder, 'node_modules', of.package);
  await mkdir(place, { recursive: true });
  if ('package' in of)
    await writeFile(
      join(place, 'package.json'),
      JSON.stringify({
        name: of.package,
        version: of.version,
        type: 'module',
        lintel: { module: './index.js' },
      }),
    );
  await writeFile(join(place, 'index.js'), source);
  return place;
}
