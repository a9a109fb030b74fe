import type { RequestContext } from '@lintel/sdk';
import { changesOfKeys } from '../../foundation/changed-part.js';
import { checkVersion } from '../../foundation/conditions.js';
import type { HostServices } from '../services.js';
import { revert } from '../../foundation/db/migrate.js';
import { databaseProblem } from '../../foundation/db/constraints.js';
import { mayRetry, type UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { problem } from '../../foundation/errors.js';
import { reasonOf } from '../install/fault.js';
import { historyOf } from '../install/migrations.js';
import type { InstalledModule } from '../installed.js';
import { clearModule, lockModules, removePackage } from '../repository.js';

/**
 * Drops the tables of a module.
 * @throws invalid_state if its code cannot do that; nothing is changed then
 */
async function dropTables(uow: UnitOfWork, module: InstalledModule): Promise<void> {
  const { state } = module;
  try {
    await revert(uow, await historyOf(uow, module));
  } catch (error) {
    if (databaseProblem(error)?.code === 'unavailable' || mayRetry(error)) throw error;
    throw problem('invalid_state', {
      detail: `The tables of the module cannot be dropped: ${reasonOf(error)}`,
      state,
      cause: error,
    });
  }
}

/**
 * Deletes the data of a module, in one transaction.
 * @throws invalid_state, module_in_use, precondition_failed
 */
export async function removeModule(
  { transactions, modules, cardTypes }: HostServices,
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
    // From now on it is loaded only where the environment names it.
    if (module.external) await removePackage(uow, module.candidate.name);
    const roles = await clearModule(uow, id);
    for (const { role, before, after } of roles) {
      uow.emit({
        type: 'role.updated',
        subject: { kind: 'role', id: role, name: role },
        data: { changes: changesOfKeys('permissions', before, after) },
      });
    }
    if (roles.length > 0) uow.bump('permissions');
    uow.emit({
      type: 'module.removed',
      subject: { kind: 'module', id, name: manifest.title },
      data: { module_version: manifest.version },
    });
    uow.bump('modules');
    await cardTypes.withdrawPermissions(uow, manifest.cardPermissions?.map(({ key }) => key) ?? []);
    // Last, because it locks the tables to which those of the module refer.
    await dropTables(uow, module);
    await modules.roles.drop(uow, module);
  });
}
