import type { RequestContext } from '@lintel/sdk';
import { checkVersion } from '../../foundation/conditions.js';
import type { HostServices } from '../services.js';
import { unmigrate } from '../../foundation/db/migrate.js';
import { problem } from '../../foundation/errors.js';
import type { InstalledModule } from '../installed.js';
import { clearModule, lockModules } from '../repository.js';

/**
 * Deletes the data of a module. First its row is reset to the state before it was enabled, then its tables are dropped:
 * if the process is interrupted in between, a repeated call drops the tables.
 * @throws invalid_state, module_in_use, precondition_failed
 */
export async function removeModule(
  { db, transactions, modules, permissions }: HostServices,
  module: InstalledModule,
  ctx: RequestContext,
): Promise<void> {
  const { id, manifest } = module;
  if (!manifest)
    throw problem('invalid_state', {
      detail: 'The code of the module is required to delete its tables: reinstall it first.',
      state: module.state,
    });
  await transactions.run(ctx, async (uow) => {
    const rows = await lockModules(uow);
    const row = rows.find((r) => r.id === id);
    if (!row) throw problem('not_found');
    checkVersion(ctx, row.version, []);
    if (row.enabled)
      throw problem('invalid_state', {
        detail: 'An enabled module cannot be deleted: disable it first.',
        state: 'enabled',
      });
    const required_by = modules
      .list()
      .filter((m) => m.requires.includes(id) && rows.some((r) => r.id === m.id && r.migrations !== null))
      .map((m) => m.id);
    if (required_by.length > 0)
      throw problem('module_in_use', {
        detail: `${required_by.join(', ')} may have data that refers to ${id}: delete that first.`,
        required_by,
      });
    const roles = await clearModule(uow, id);
    for (const { role, before, after } of roles) {
      uow.emit({
        type: 'role.updated',
        subject: { kind: 'role', id: role, name: role },
        data: { changes: [{ field: 'permissions', old: before, new: after }] },
      });
    }
    if (roles.length > 0) uow.bump('permissions');
    uow.emit({
      type: 'module.removed',
      subject: { kind: 'module', id, name: manifest.title },
      data: { module_version: manifest.version },
    });
    uow.bump('modules');
  });
  if (Object.keys(manifest.migrations ?? {}).length > 0)
    await unmigrate(db.connection, `${id}_migrations`, { ...manifest.migrations });
  // Declares its permissions again as new, so that they have their initial grants if it is enabled again.
  await permissions.declare(id, manifest.permissions);
}
