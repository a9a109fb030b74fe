import { ModuleFault, reasonOf } from '../install/fault.js';
import type { InstalledModule } from '../installed.js';
import { inOrder } from '../install/order.js';

/** A module that could not be mounted. */
export class MountFailure extends Error {
  readonly #module: InstalledModule;

  constructor(module: InstalledModule, cause: unknown) {
    super(reasonOf(cause), { cause });
    this.#module = module;
  }

  /** A private field, so that logging the error does not serialise the whole module. */
  get module(): InstalledModule {
    return this.#module;
  }
}

/**
 * Builds with all modules. If that fails, builds again from scratch without the failing module, so that the result
 * contains no part of it.
 * @param modules in order of their requirements; failing modules, and those that require them, get a fault
 * @param build builds an app with these modules, without serving requests
 * @param discard closes an unused build
 * @throws what a build without any module throws: the error is then in the platform itself
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
      else await findFailing(left, build, discard);
    }
  }
}

/** Used where the error does not identify the module: builds with one more module at a time. */
async function findFailing<T>(
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
  // An intermittent failure counts as a failure: the platform must start even if no module can be used.
  if (sound.length === modules.length)
    for (const module of sound)
      module.fault = new ModuleFault(
        'mount',
        'the platform could not be built with it, for a reason that did not occur again',
      );
}
