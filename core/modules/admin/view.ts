import type { InstalledModule } from '../installed.js';
import type { ModuleView } from './schemas.js';

/** As which role of the database its SQL runs. */
function roleOf({ candidate, sharesRole, sharesMigrations }: InstalledModule): ModuleView['database_role'] {
  if (!candidate.foreign) return { state: 'shared', reason: 'It is part of Lintel.' };
  if (sharesRole !== undefined) return { state: 'shared', reason: sharesRole };
  return { state: 'own', reason: sharesMigrations ?? null };
}

/** The representation of a module in the API, with its relations to all modules. */
export function viewModule(module: InstalledModule, all: readonly InstalledModule[]): ModuleView {
  const { id, manifest, stored, fault } = module;
  return {
    id,
    version: stored?.version ?? 0,
    module_version: manifest?.version ?? null,
    title: manifest?.title ?? id,
    description: manifest?.description ?? null,
    state: module.state,
    enabled: stored?.enabled ?? false,
    reason: fault?.describe(module.candidate.folder) ?? null,
    reason_code: fault?.code ?? null,
    update_reason: module.update?.describe(module.candidate.folder) ?? null,
    external: module.external,
    database_role: roleOf(module),
    requires: [...module.requires],
    required_by: all.filter((m) => m.requires.includes(id)).map((m) => m.id),
    permissions: manifest?.permissions.map(({ key, description }) => ({ key, description })) ?? [],
    routes: module.routes,
    settings: manifest ? module.settings.shown : {},
    settings_schema: manifest?.settings ?? null,
  };
}
