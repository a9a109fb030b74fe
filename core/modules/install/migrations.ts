import { systemContext } from '../../foundation/context.js';
import type { Database } from '../../foundation/db/database.js';
import { demandKnown, migrate, type Migration } from '../../foundation/db/migrate.js';
import { guarded } from '../../foundation/db/migration-guard.js';
import type { Transactions } from '../../foundation/db/unit-of-work.js';
import { ModuleFault, reasonOf } from './fault.js';
import type { InstalledModule } from '../installed.js';
import { storeMigrations } from '../repository.js';
import { rightsOf } from './rights.js';

/** @throws ModuleFault if another version of the module applied migrations that this one does not contain */
export function checkMigrations({ stored, manifest }: InstalledModule): void {
  try {
    demandKnown(stored?.migrations ?? [], { ...manifest?.migrations });
  } catch (error) {
    throw new ModuleFault('migration', reasonOf(error), error);
  }
}

/** The migrations of a module: those of a module that is not part of Lintel fail if they use or change what does not belong to it. */
export async function migrationsOf(
  on: Pick<Database, 'query'>,
  { id, manifest, candidate }: InstalledModule,
): Promise<Record<string, Migration>> {
  const migrations = { ...manifest?.migrations };
  if (!candidate.foreign) return migrations;
  const rights = await rightsOf(on, id);
  const { prefix, without } = rights;
  const owns = (name: string): boolean =>
    name.startsWith(prefix) && !without.prefixes.some((other) => name.startsWith(other));
  return guarded(migrations, owns, rights);
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
  const migrations = await migrationsOf(db, module);
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
