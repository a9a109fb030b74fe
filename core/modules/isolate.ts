import { ModuleFault, reasonOf } from './fault.js';
import type { InstalledModule } from './installed.js';

/**
 * Builds with all modules. When that fails, finds the culprits by building with one more at a time, each build
 * off-line and from nothing, so that the one that is kept holds no trace of a module that failed.
 * @param modules in order of their requirements; the culprits are given their fault
 * @param build makes what serves, with these modules
 * @param discard ends a build that is not kept
 * @throws what a build without any module throws: then the fault is the platform's own
 */
export async function isolate<T>(modules: readonly InstalledModule[], build: (modules: readonly InstalledModule[]) => Promise<T>, discard: (built: T) => void): Promise<T> {
  try {
    return await build(modules);
  } catch (error) {
    if (modules.length === 0) throw error;
  }
  discard(await build([]));
  const sound: InstalledModule[] = [];
  for (const module of modules) {
    const missing = module.requires.find((id) => !sound.some((m) => m.id === id));
    if (missing !== undefined) {
      module.fault = new ModuleFault('requirement', `requires ${missing}, which failed`);
      continue;
    }
    try {
      discard(await build([...sound, module]));
      sound.push(module);
    } catch (error) {
      module.fault = new ModuleFault('mount', reasonOf(error), error);
    }
  }
  try {
    return await build(sound);
  } catch (error) {
    // Failing now and then is failing: better no module than no platform.
    for (const module of sound) module.fault = new ModuleFault('mount', `the platform could not be built with it: ${reasonOf(error)}`, error);
    return await build([]);
  }
}
