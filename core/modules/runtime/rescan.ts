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
 * @param isSmaller whether a current module was removed
 */
export async function admit<T>(
  serving: readonly InstalledModule[],
  arrived: readonly InstalledModule[],
  isSmaller: boolean,
  ports: AdmitPorts<T>,
): Promise<Admission<T>> {
  const sound = () => arrived.filter((m) => !m.fault);
  // In conflicts only newly arrived modules get a fault.
  ports.claim([...serving.filter((m) => !arrived.some((a) => a.id === m.id)), ...arrived]);
  let prepared: InstalledModule[] = [];
  for (;;) {
    if (!isSmaller && sound().length === 0) return { app: undefined, modules: [...serving], admitted: [] };
    const built = await mostOf(serving, sound(), ports);
    const failed = await prepareAll(
      sound().filter((m) => !prepared.includes(m)),
      prepared,
      ports,
    );
    if (!failed) return { app: built.app, modules: built.modules, admitted: sound() };
    ports.discard(built.app);
    prepared = prepared.filter((m) => !m.fault);
  }
}

/** Builds with all arrived modules; if that fails, adds them one at a time. */
async function mostOf<T>(
  serving: readonly InstalledModule[],
  arrived: readonly InstalledModule[],
  { build, discard }: AdmitPorts<T>,
): Promise<{ app: T; modules: InstalledModule[] }> {
  const withAll = (some: readonly InstalledModule[]) =>
    inOrder([...serving.filter((m) => !some.some((a) => a.id === m.id)), ...some]);
  try {
    const modules = withAll(arrived);
    return { app: await build(modules), modules };
  } catch {
    let best = { app: await build(withAll([])), modules: withAll([]) };
    const taken: InstalledModule[] = [];
    for (const module of inOrder([...serving, ...arrived]).filter((m) => arrived.includes(m))) {
      try {
        const modules = withAll([...taken, module]);
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
