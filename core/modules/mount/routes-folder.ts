import type { ModuleRoutes } from '@lintel/sdk';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The routes of a folder, as one plugin: each file, at any depth, exports one as default. They are imported once: when
 * the module is mounted again during its own update, the files may already be those of the update.
 * @throws what an import throws, or an error naming a file that exports no plugin
 */
export async function routesOf(dir: string): Promise<ModuleRoutes<unknown>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((e) => e.isFile() && e.name.endsWith('.js'))
    .map((e) => path.join(e.parentPath, e.name))
    .sort();
  const plugins = await Promise.all(
    files.map(async (file) => {
      const { default: plugin } = (await import(pathToFileURL(file).href)) as { default?: ModuleRoutes<unknown> };
      if (typeof plugin !== 'function') throw new Error(`${path.relative(dir, file)} exports no plugin as default`);
      return plugin;
    }),
  );
  return async (app, options) => {
    for (const plugin of plugins) await app.register(plugin, options);
  };
}
