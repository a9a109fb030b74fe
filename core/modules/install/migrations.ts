import { systemContext } from '../../foundation/context.js';
import type { Database } from '../../foundation/db/database.js';
import { migrate, type History, type Migration } from '../../foundation/db/migrate.js';
import { demandKnown, readHistory, type Release } from '../../foundation/db/migration-history.js';
import { guarded } from '../../foundation/db/migration-guard.js';
import type { Log } from '../../foundation/log.js';
import type { Transactions } from '../../foundation/db/unit-of-work.js';
import { ModuleFault, reasonOf } from './fault.js';
import type { InstalledModule } from '../installed.js';
import { storeMigrations } from '../repository.js';
import { rightsOf } from './rights.js';

const tableOf = (id: string): string => `${id}_migrations`;
const releaseOf = ({ id, manifest }: InstalledModule): Release => ({
  name: id,
  version: manifest?.version ?? 'without a manifest',
});

/** @throws ModuleFault if another version of the module applied migrations that this one does not contain */
export async function checkMigrations(on: Pick<Database, 'query'>, module: InstalledModule): Promise<void> {
  const { id, stored, manifest } = module;
  const own = manifest?.migrations ?? {};
  if (stored?.migrations?.every((name) => Object.hasOwn(own, name)) ?? true) return;
  const history = await readHistory((text) => on.query({ name: undefined, text }), tableOf(id));
  const versions = new Map(history.map(({ name, version }) => [name, version]));
  try {
    demandKnown(
      stored!.migrations!.map((name) => ({ name, version: versions.get(name) ?? null })),
      own,
      releaseOf(module),
    );
  } catch (error) {
    throw new ModuleFault('migration', reasonOf(error), error);
  }
}

/** The history of the migrations of a module. */
export async function historyOf(on: Pick<Database, 'query'>, module: InstalledModule): Promise<History> {
  return { table: tableOf(module.id), migrations: await migrationsOf(on, module), release: releaseOf(module) };
}

/** The migrations of a module: those of a module that is not part of Lintel fail if they use or change what does not belong to it. */
async function migrationsOf(
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
export async function migrateModule(
  { db, transactions, log }: { db: Database; transactions: Transactions; log: Log },
  module: InstalledModule,
): Promise<void> {
  await checkMigrations(db, module);
  if (module.isMigrated) return;
  const { id, manifest } = module;
  const history = await historyOf(db, module);
  const names = Object.keys(history.migrations).sort();
  try {
    if (names.length > 0) await migrate(db.connection, history, { log });
  } catch (error) {
    throw new ModuleFault('migration', `its migrations fail: ${reasonOf(error)}`, error);
  }
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
