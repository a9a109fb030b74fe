import { ModuleFault, reasonOf } from '../install/fault.js';
import type { InstalledModule } from '../installed.js';
import { MountFailure } from './isolate.js';
import { inOrder } from '../install/order.js';

export interface AdmitPorts<T> {
  build(modules: readonly InstalledModule[]): Promise<T>;
  discard(app: T): void;
  /** Gives a fault to modules that claim what an earlier module already has. */
  claim(modules: readonly InstalledModule[]): void;
  /** Migrates, declares and activates a module; undoes its changes where it throws. */
  prepare(module: InstalledModule): Promise<void>;
  /** Ends a prepared module that is not served after all; the declarations of the version it should replace apply again. */
  undo(module: InstalledModule): Promise<void>;
}

export interface Admission<T> {
  /** The app with `modules`; undefined where none of the arrived modules can be served and none has to be removed. */
  app: T | undefined;
  /** In order of their requirements. */
  modules: InstalledModule[];
  admitted: InstalledModule[];
}

/**
 * Finds the largest set of arrived modules that can be served together with the current ones. Current modules are never
 * rejected: a new module that conflicts gets the fault, and a failed update leaves the previous version in place.
 * @param serving current modules without a fault, which stay unless they are replaced
 * @param arrived new modules and updates, including faulty ones
 * @param hasRemoved whether a current module was removed
 */
export async function admit<T>(
  serving: readonly InstalledModule[],
  arrived: readonly InstalledModule[],
  hasRemoved: boolean,
  ports: AdmitPorts<T>,
): Promise<Admission<T>> {
  const withoutFault = () => arrived.filter((m) => !m.fault);
  // In conflicts only newly arrived modules get a fault.
  ports.claim([...serving.filter((m) => !arrived.some((a) => a.id === m.id)), ...arrived]);
  let prepared: InstalledModule[] = [];
  for (;;) {
    if (!hasRemoved && withoutFault().length === 0) return { app: undefined, modules: [...serving], admitted: [] };
    const built = await buildMost(serving, withoutFault(), ports);
    // A module that requires one whose preparation failed got its fault in the second build.
    for (const module of prepared) if (module.fault) await ports.undo(module);
    prepared = prepared.filter((m) => !m.fault);
    const failed = await prepareAll(
      withoutFault().filter((m) => !prepared.includes(m)),
      prepared,
      ports,
    );
    if (!failed) return { app: built.app, modules: built.modules, admitted: withoutFault() };
    ports.discard(built.app);
  }
}

/** Builds with all arrived modules; if that fails, adds them one at a time. */
async function buildMost<T>(
  serving: readonly InstalledModule[],
  arrived: readonly InstalledModule[],
  { build, discard }: AdmitPorts<T>,
): Promise<{ app: T; modules: InstalledModule[] }> {
  try {
    const modules = servingWith(serving, arrived);
    return { app: await build(modules), modules };
  } catch {
    const without = servingWith(serving, []);
    let best = { app: await build(without), modules: without };
    const taken: InstalledModule[] = [];
    for (const module of servingWith(serving, arrived).filter((m) => arrived.includes(m))) {
      try {
        const modules = servingWith(serving, [...taken, module]);
        const app = await build(modules);
        discard(best.app);
        best = { app, modules };
        taken.push(module);
      } catch (error) {
        module.fault = new ModuleFault('mount', reasonOf(error instanceof MountFailure ? error.cause : error), error);
      }
    }
    return best;
  }
}

/**
 * The current modules, replaced by those arrived modules whose requirements are met, in order of their requirements. An
 * arrived module whose requirements are not met gets a fault, and the version it should replace is kept.
 */
function servingWith(serving: readonly InstalledModule[], arrived: readonly InstalledModule[]): InstalledModule[] {
  const current = serving.filter((m) => !m.fault);
  for (let left = arrived.filter((m) => !m.fault); ; left = left.filter((m) => !m.fault)) {
    const modules = inOrder([...serving.filter((m) => !left.some((a) => a.id === m.id)), ...left]);
    if (left.every((m) => !m.fault)) return modules;
    // A current module may have got a fault only because it requires the rejected update.
    for (const module of current) module.fault = undefined;
  }
}

async function prepareAll<T>(
  modules: readonly InstalledModule[],
  prepared: InstalledModule[],
  { prepare }: AdmitPorts<T>,
): Promise<boolean> {
  let failed = false;
  for (const module of modules) {
    try {
      await prepare(module);
      prepared.push(module);
    } catch (error) {
      module.fault = error as ModuleFault;
      failed = true;
    }
  }
  return failed;
}
