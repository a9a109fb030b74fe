import type { InstalledModule } from '../installed.js';
import { ModuleFault } from './fault.js';

/** A path segment below a card belongs to one module: the first that declares it. Gives the others a fault. */
export function claimSegments(modules: readonly InstalledModule[]): void {
  const owners = new Map<string, string>();
  for (const module of modules.filter((m) => !m.external && !m.fault)) {
    const segment = module.manifest?.cardRoutes?.segment;
    if (segment === undefined) continue;
    const owner = owners.get(segment);
    if (owner !== undefined && owner !== module.id)
      module.fault = new ModuleFault('invalid_manifest', `/cardRoutes: ${segment} belongs to ${owner}`);
    else owners.set(segment, module.id);
  }
}
