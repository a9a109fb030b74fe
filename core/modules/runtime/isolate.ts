import { ModuleFault, reasonOf } from '../install/fault.js';
import type { InstalledModule } from '../installed.js';
import { inOrder } from '../install/order.js';

/** A module that could not be mounted, by name. */
export class MountFailure extends Error {
  readonly #module: InstalledModule;

  constructor(module: InstalledModule, cause: unknown) {
    super(reasonOf(cause), { cause });
    this.#module = module;
  }

  /** Not enumerable: a log of the error must not hold all that the module holds. */
  get module(): InstalledModule {
    return this.#module;
  }
}

/**
 * Builds with all modules. When that fails, builds again from nothing without the culprit, so that what is kept
 * holds no trace of a module that failed.
 * @param modules in order of their requirements; the culprits, and those that require them, are given their fault
 * @param build makes what serves, with these modules; off-line
 * @param discard ends a build that is not kept
 * @throws what a build without any module throws: then the fault is the platform's own
 */
export async function isolate<T>(
  modules: readonly InstalledModule[],
  build: (modules: readonly InstalledModule[]) => Promise<T>,
  discard: (built: T) => void,
): Promise<T> {
  for (let left = inOrder(modules); ; left = inOrder(modules)) {
    try {
      return await build(left);
    } catch (error) {
      if (left.length === 0) throw error;
      if (error instanceof MountFailure) error.module.fault = new ModuleFault('mount', error.message, error.cause);
      else await findCulprits(left, build, discard);
    }
  }
}

/** Where the failure does not say whose it is: builds with one more module at a time. */
async function findCulprits<T>(
  modules: readonly InstalledModule[],
  build: (modules: readonly InstalledModule[]) => Promise<T>,
  discard: (built: T) => void,
): Promise<void> {
  discard(await build([]));
  const sound: InstalledModule[] = [];
  for (const module of modules) {
    if (module.requires.some((id) => !sound.some((m) => m.id === id))) continue;
    try {
      discard(await build([...sound, module]));
      sound.push(module);
    } catch (error) {
      module.fault = new ModuleFault('mount', reasonOf(error), error);
    }
  }
  // Failing now and then is failing: better no module than no platform.
  if (sound.length === modules.length)
    for (const module of sound)
      module.fault = new ModuleFault(
        'mount',
        'the platform could not be built with it, for a reason that did not show again',
      );
}
