import { ModuleFault, reasonOf } from '../install/fault.js';
import type { InstalledModule } from '../installed.js';
import { MountFailure } from './isolate.js';
import { inOrder } from '../install/order.js';

export interface AdmitPorts<T> {
  build(modules: readonly InstalledModule[]): Promise<T>;
  discard(app: T): void;
  /** Gives a fault to modules that want what an earlier one has. */
  claim(modules: readonly InstalledModule[]): void;
  /** Migrates, declares and activates a module; undoes what it did where it throws. */
  prepare(module: InstalledModule): Promise<void>;
}

export interface Admission<T> {
  /** What serves with `modules`; undefined where nothing of what arrived can be served with and nobody has to go. */
  app: T | undefined;
  /** In order of their requirements. */
  modules: InstalledModule[];
  admitted: InstalledModule[];
}

/**
 * Finds the most of what arrived that can be served with, beside what serves now. What serves is never to blame: a
 * newcomer that cannot be built with it is given the fault, and an update that fails leaves the one before.
 * @param serving sound ones that stay unless something takes their place
 * @param arrived new ones and updates, faulty ones included
 * @param isSmaller whether something that served is gone
 */
export async function admit<T>(
  serving: readonly InstalledModule[],
  arrived: readonly InstalledModule[],
  isSmaller: boolean,
  ports: AdmitPorts<T>,
): Promise<Admission<T>> {
  const sound = () => arrived.filter((m) => !m.fault);
  // Only newcomers are given faults for wanting what another has.
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

/** Builds with all that arrived; where that fails, with one more at a time. */
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
