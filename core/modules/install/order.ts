import { ModuleFault } from './fault.js';
import type { InstalledModule } from '../installed.js';

/**
 * Sorts modules so that each comes after those it requires. A module that requires a missing, failed or circular one
 * gets a fault, and so do modules that require that module.
 * @param modules all with a manifest, including those with a fault
 * @returns those without a fault, in order
 */
export function inOrder(modules: readonly InstalledModule[]): InstalledModule[] {
  const byId = new Map(modules.map((m) => [m.id, m]));
  const done = new Set<InstalledModule>();
  const visit = (module: InstalledModule, path: readonly InstalledModule[]): void => {
    if (done.has(module) || module.fault) return;
    const from = path.indexOf(module);
    if (from >= 0) {
      const circle = [...path.slice(from), module];
      for (const m of circle)
        m.fault = new ModuleFault('requirement', `requires itself: ${circle.map((c) => c.id).join(' → ')}`);
      return;
    }
    for (const id of module.requires) {
      const required = byId.get(id);
      if (required) visit(required, [...path, module]);
      if (module.fault) return;
      if (!required) module.fault = new ModuleFault('requirement', `requires ${id}, which is not installed`);
      else if (required.fault) module.fault = new ModuleFault('requirement', `requires ${id}, which failed`);
    }
    if (!module.fault) done.add(module);
  };
  for (const module of modules) visit(module, []);
  return [...done];
}
