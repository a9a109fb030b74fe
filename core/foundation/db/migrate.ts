import type { Knex } from 'knex';
import type pg from 'pg';
import * as core from '../../../migrations/0001_core.js';
import * as metamodel from '../../../migrations/0002_metamodel.js';
import * as cardReads from '../../../migrations/0003_card_reads.js';
import * as cardItems from '../../../migrations/0004_card_items.js';
import * as imports from '../../../migrations/0005_imports.js';
import * as inventory from '../../../migrations/0006_inventory.js';
import * as importConflicts from '../../../migrations/0009_imports.js';
import * as attributeIndexes from '../../../migrations/0007_attribute_indexes.js';
import * as settings from '../../../migrations/0011_settings.js';
import * as subscriptions from '../../../migrations/0012_subscriptions.js';
import * as eventRetention from '../../../migrations/0016_event_retention.js';
import * as jobs from '../../../migrations/0017_jobs.js';
import * as wordIndexes from '../../../migrations/0018_word_indexes.js';
import * as openQuality from '../../../migrations/0026_open_quality.js';
import * as cardContents from '../../../migrations/0028_card_contents.js';
import * as modulePackages from '../../../migrations/0030_module_packages.js';
import * as rowFiles from '../../../migrations/0031_row_files.js';
import * as jobsOfUsers from '../../../migrations/0032_jobs_of_users.js';
import * as relationIndexes from '../../../migrations/0033_relation_indexes.js';
import * as aiCalls from '../../../migrations/0034_ai_calls.js';
import * as apiTokens from '../../../migrations/0035_api_tokens.js';
import * as mailJourneys from '../../../migrations/0037_mail_journeys.js';
import * as identityGroups from '../../../migrations/0038_identity_groups.js';
import * as sso from '../../../migrations/0036_sso.js';
import * as importPages from '../../../migrations/0039_import_pages.js';
import * as importRowsOnce from '../../../migrations/0040_import_rows_once.js';
import * as subtypeIndex from '../../../migrations/0041_subtype_index.js';
import * as basicQuality from '../../../migrations/0042_basic_quality.js';
import * as jobsOfOwners from '../../../migrations/0043_jobs_of_owners.js';
import * as eventGaps from '../../../migrations/0044_event_gaps.js';
import * as importRows from '../../../migrations/0029_import_rows.js';
import * as versionChanges from '../../../migrations/0027_version_changes.js';
import * as signInLimits from '../../../migrations/0021_sign_in_limits.js';
import * as writeBudgets from '../../../migrations/0022_write_budgets.js';
import * as personalEvents from '../../../migrations/0025_personal_events.js';
import * as importFormats from '../../../migrations/0013_import_formats.js';
import * as webhooks from '../../../migrations/0014_webhooks.js';
import * as notifications from '../../../migrations/0015_notifications.js';
import * as metamodelRevisions from '../../../migrations/0023_metamodel_revisions.js';
import * as modulePorts from '../../../migrations/0010_module_ports.js';
import { RELEASE } from '../release.js';
import type { Log } from '../log.js';
import { boundKnex } from './bound-knex.js';
import type { DatabaseConnection } from './connection.js';
import { NotWritable } from './hosts.js';
import { demandKnown, readHistory, type Release } from './migration-history.js';
import { demandOwnSession, inMigrationSession, MIGRATION_LOCK, withMigrationLock } from './migration-session.js';
import { waitForWrites } from './standby-wait.js';
import type { UnitOfWork } from './unit-of-work.js';

export interface Migration {
  up(knex: Knex): Promise<void>;
  down(knex: Knex): Promise<void>;
}

const CORE: Record<string, Migration> = {
  '0001_core': core,
  '0002_metamodel': metamodel,
  '0003_card_reads': cardReads,
  '0004_card_items': cardItems,
  '0005_imports': imports,
  '0006_inventory': inventory,
  '0007_attribute_indexes': attributeIndexes,
  '0009_imports': importConflicts,
  '0010_module_ports': modulePorts,
  '0011_settings': settings,
  '0012_subscriptions': subscriptions,
  '0013_import_formats': importFormats,
  '0015_notifications': notifications,
  '0014_webhooks': webhooks,
  '0016_event_retention': eventRetention,
  '0017_jobs': jobs,
  '0018_word_indexes': wordIndexes,
  '0021_sign_in_limits': signInLimits,
  '0023_metamodel_revisions': metamodelRevisions,
  '0026_open_quality': openQuality,
  '0027_version_changes': versionChanges,
  '0028_card_contents': cardContents,
  '0029_import_rows': importRows,
  '0030_module_packages': modulePackages,
  '0031_row_files': rowFiles,
  '0032_jobs_of_users': jobsOfUsers,
  '0033_relation_indexes': relationIndexes,
  '0034_ai_calls': aiCalls,
  '0035_api_tokens': apiTokens,
  '0037_mail_journeys': mailJourneys,
  '0038_identity_groups': identityGroups,
  '0036_sso': sso,
  '0039_import_pages': importPages,
  '0040_import_rows_once': importRowsOnce,
  '0041_subtype_index': subtypeIndex,
  '0042_basic_quality': basicQuality,
  '0043_jobs_of_owners': jobsOfOwners,
  '0044_event_gaps': eventGaps,
  '0022_write_budgets': writeBudgets,
  '0025_personal_events': personalEvents,
};

/** Names of the migrations this build requires. */
export const CORE_MIGRATIONS: readonly string[] = Object.keys(CORE);

/** Names under which builds before 0.1.0 applied migrations of the core, with those of what contains them now. */
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([
  ['0029_status_changes', '0028_card_contents'],
  ['0045_basic_quality', '0042_basic_quality'],
]);

/** The name that an applied migration of the core has in this build. */
export const currentName = (name: string): string => FORMER_NAMES.get(name) ?? name;

/** How the pending migrations of one call are divided into transactions. */
export type Division = 'all in one' | 'one each';

/** The migrations of the core, or of a module. */
export interface History {
  /** Name of the table that records the applied migrations. */
  table: string;
  /** By name without extension, run in name order. */
  migrations: Readonly<Record<string, Migration>>;
  release: Release;
  /** The name that an applied migration has now, where names have changed. */
  nameOf?: (name: string) => string;
}

interface Options {
  /**
   * `one each`: where the history is not empty, each migration is committed before the next one begins, so that an
   * interruption repeats only the running one, and space that it freed can be used by the next. Default: `all in one`.
   */
  division?: Division;
  /** Receives who holds the lock of migrations while it is waited for. */
  log?: Pick<Log, 'warn'>;
}

const reader =
  (client: pg.Client) =>
  async (text: string): Promise<object[]> =>
    (await client.query<object>(text)).rows;

/** @throws UnknownMigrations */
async function pending(
  client: pg.Client,
  { table, migrations, release, nameOf = (name) => name }: History,
): Promise<Pending> {
  const stored = await readHistory(reader(client), table);
  const applied = stored.map(({ name, version }) => ({ name: nameOf(name), version }));
  demandKnown(applied, migrations, release);
  const done = new Set(applied.map(({ name }) => name));
  const names = Object.keys(migrations).filter((name) => !done.has(name));
  return { isFirst: applied.length === 0, names: names.sort() };
}

interface Pending {
  names: string[];
  /** Whether none was applied before. */
  isFirst: boolean;
}

async function apply(client: pg.Client, history: History, options: Options): Promise<string[]> {
  const all: string[] = [];
  // At most starts there is nothing to do, and no lock is taken.
  for (let isReady = false; (await pending(client, history)).names.length > 0; isReady = true) {
    if (!isReady) await withMigrationLock(client, () => addVersion(client, history.table), options.log);
    all.push(...(await withMigrationLock(client, () => applySome(client, history, options), options.log)));
  }
  return all;
}

/** Applies pending migrations in the open transaction: the first one, or all. @returns their names */
async function applySome(client: pg.Client, history: History, { division, log }: Options): Promise<string[]> {
  const { names, isFirst } = await pending(client, history);
  // The first migrations of a history have no rows to rewrite: one transaction leaves nothing behind if it fails.
  const some = division === 'one each' && !isFirst ? names.slice(0, 1) : names;
  const table = client.escapeIdentifier(history.table);
  // The columns of Knex, with which former versions read and write it.
  await client.query(`create table if not exists ${table} (id serial primary key, name varchar(255), batch integer,
    migration_time timestamptz, version text)`);
  const knex = await boundKnex(client, true);
  for (const name of some) {
    try {
      await history.migrations[name]!.up(knex);
    } catch (error) {
      log?.warn({ migration: name }, 'a migration failed and is rolled back');
      throw error;
    }
    await client.query(
      `insert into ${table} (name, batch, migration_time, version)
        select $1, coalesce(max(batch), 0) + 1, clock_timestamp(), $2 from ${table}`,
      [name, history.release.version],
    );
  }
  return some;
}

/**
 * Adds the column of versions to a history of a former version, in a transaction of its own: until it ends, other nodes cannot
 * read the history, and so are not ready.
 */
async function addVersion(client: pg.Client, history: string): Promise<void> {
  const table = client.escapeIdentifier(history);
  const { rowCount } = await client.query(
    `select from pg_class c where c.oid = to_regclass($1)
      and not exists (select from pg_attribute where attrelid = c.oid and attname = 'version')`,
    [table],
  );
  if (rowCount === 1) await client.query(`alter table ${table} add column version text`);
}

/**
 * Applies the pending migrations of one history, each transaction under one advisory lock, so that any number of nodes may
 * start at once.
 * @returns the names of the migrations that were applied by this call
 * @throws UnknownMigrations, or the error of an `up` function
 */
export async function migrate(
  connection: DatabaseConnection,
  history: History,
  options: Options = {},
): Promise<string[]> {
  return await inMigrationSession(connection, (client) => apply(client, history, options));
}

/** A table may be large, and the unit of work must not wait long for readers while it holds locks. */
const LIMITS = {
  name: 'migrations-revert-limits',
  text: `select set_config('statement_timeout', '5min', true), set_config('lock_timeout', '10s', true)`,
};
const LOCK = { name: 'migrations-lock', text: 'select pg_advisory_xact_lock($1)' };

/**
 * Reverts all migrations of one history in a unit of work, the last first, and drops its history.
 * @throws UnknownMigrations, or the error of a `down` function
 */
export async function revert(uow: UnitOfWork, { table, migrations, release }: History): Promise<void> {
  await uow.query(LIMITS);
  await uow.query(LOCK, [MIGRATION_LOCK]);
  const applied = await readHistory((text) => uow.query({ name: undefined, text }), table);
  demandKnown(applied, migrations, release);
  const knex = await uow.knex();
  for (const { name } of applied.toReversed()) await migrations[name]!.down(knex);
  await knex.schema.dropTableIfExists(table);
  // Former versions used it.
  await knex.schema.dropTableIfExists(`${table}_lock`);
}

/** This version of Lintel, with its commit where it is known. */
const LINTEL: Release = {
  name: 'Lintel',
  version: RELEASE.version + (RELEASE.commit === undefined ? '' : `+${RELEASE.commit.slice(0, 12)}`),
};

/**
 * Checks the server's version and settings, then migrates the core's schema.
 * @param log receives who holds the lock of migrations while it is waited for, and that the server is a standby
 * @param signal ends the wait while the server is a standby; when absent, that is an error
 * @throws UnknownMigrations where a newer version has migrated it
 */
export async function migrateCore(
  connection: DatabaseConnection,
  { log, signal }: { log?: Log; signal?: AbortSignal } = {},
): Promise<void> {
  const core: History = { table: 'lintel_migrations', migrations: CORE, release: LINTEL, nameOf: currentName };
  try {
    await inMigrationSession(connection, async (client) => {
      await demandServer(client);
      await demandOwnSession(client, connection);
      await apply(client, core, { division: 'one each', ...(log && { log }) });
    });
  } catch (error) {
    if (!log || !signal || !(error instanceof NotWritable)) throw error;
    await waitForWrites(connection, error, { log, signal });
    await migrateCore(connection, { log, signal });
  }
}

/** @throws where the version, the encoding or the available extensions of the server do not suffice */
async function demandServer(client: pg.Client): Promise<void> {
  const {
    rows: [server],
  } = await client.query<{ version: number; encoding: string; missing: string[] }>(`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      array(select e from unnest(array['pg_trgm', 'btree_gin']) e where not (exists (select from pg_extension where extname = e)
        or exists (select from pg_available_extensions where name = e))) as missing`);
  if (server!.version < 150_000) throw new Error(`PostgreSQL 15 or later is needed, this is ${server!.version}`);
  if (server!.encoding !== 'UTF8')
    throw new Error(`the database must be encoded in UTF8, this one is in ${server!.encoding}`);
  if (server!.missing.length > 0)
    throw new Error(`the PostgreSQL extensions ${server!.missing.join(', ')} are not available on this server`);
}
