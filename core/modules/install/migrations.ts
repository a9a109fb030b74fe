import { systemContext } from '../../foundation/context.js';
import type { Database } from '../../foundation/db/database.js';
import { demandKnown, migrate } from '../../foundation/db/migrate.js';
import type { Transactions } from '../../foundation/db/unit-of-work.js';
import { ModuleFault, reasonOf } from './fault.js';
import type { InstalledModule } from '../installed.js';
import { storeMigrations } from '../repository.js';

/** @throws ModuleFault if another version of the module applied migrations that this one does not contain */
export function checkMigrations({ stored, manifest }: InstalledModule): void {
  try {
    demandKnown(stored?.migrations ?? [], { ...manifest?.migrations });
  } catch (error) {
    throw new ModuleFault('migration', reasonOf(error), error);
  }
}

/**
 * Applies the pending migrations of a module: when it is first enabled, and when a newer version of it is loaded.
 * Either all pending migrations are applied or none.
 * @throws ModuleFault
 */
export async function migrateModule(db: Database, transactions: Transactions, module: InstalledModule): Promise<void> {
  checkMigrations(module);
  if (module.isMigrated) return;
  const { id, manifest } = module;
  const migrations = { ...manifest?.migrations };
  try {
    if (Object.keys(migrations).length > 0) await migrate(db.connection, `${id}_migrations`, migrations);
  } catch (error) {
    throw new ModuleFault('migration', `its migrations fail: ${reasonOf(error)}`, error);
  }
  const names = Object.keys(migrations).sort();
  await transactions.run(systemContext('modules'), async (uow) => {
    await storeMigrations(uow, id, names);
    uow.emit({
      type: 'module.migrated',
      subject: { kind: 'module', id, name: manifest?.title ?? id },
      data: { module_version: manifest?.version, migrations: names },
    });
  });
  if (module.stored) module.stored.migrations = names;
}
