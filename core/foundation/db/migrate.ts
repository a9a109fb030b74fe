import type { Knex } from 'knex';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
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
import { boundKnex } from './bound-knex.js';
import type { DatabaseConnection } from './connection.js';
import { databaseProblem } from './constraints.js';
import { NotWritable, writableClient } from './hosts.js';
import { waitForWrites, type StandbyWait } from './standby-wait.js';
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

/**
 * Held while migrations of the core or of a module run. PostgreSQL releases the lock when the session ends, for any
 * reason.
 */
const MIGRATION_LOCK = 7_315_001;

function migratorOf(history: string, migrations: Record<string, Migration>): Knex.MigratorConfig {
  const migrationSource: Knex.MigrationSource<string> = {
    getMigrations: () => Promise.resolve(Object.keys(migrations).sort()),
    getMigrationName: (name) => name,
    getMigration: (name) => Promise.resolve(migrations[name]!),
  };
  return { migrationSource, tableName: history };
}

/** Names of the applied migrations of a history, sorted; none where it does not exist. */
async function applied(client: pg.Client, history: string): Promise<string[]> {
  const table = client.escapeIdentifier(history);
  const {
    rows: [found],
  } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  if (!found!.there) return [];
  const { rows } = await client.query<{ name: string }>(`select name from ${table} order by name collate "C"`);
  return rows.map(({ name }) => name);
}

/** How the pending migrations of one call are divided into transactions. */
export type Division = 'all in one' | 'one each';

async function apply(
  client: pg.Client,
  history: string,
  migrations: Record<string, Migration>,
  division: Division,
): Promise<string[]> {
  const before = await applied(client, history);
  // At most starts there is nothing to do. Other differences, such as an unknown name, are left to the migrator.
  if (isDeepStrictEqual(before, Object.keys(migrations).sort())) return [];
  const knex = await boundKnex(client);
  const migrator = migratorOf(history, migrations);
  // Knex marks a running migration in a row, which remains after a crash. This process holds the advisory lock, so no
  // other migration can be running.
  await knex.migrate.forceFreeMigrationsLock(migrator);
  try {
    // The first migrations of a history have no rows to rewrite: one transaction leaves nothing behind if it fails.
    if (division === 'all in one' || before.length === 0) {
      const [, done] = (await knex.migrate.latest(migrator)) as [number, string[]];
      return done;
    }
    const all: string[] = [];
    for (;;) {
      const [, done] = (await knex.migrate.up(migrator)) as [number, string[]];
      if (done.length === 0) return all;
      all.push(...done);
    }
  } catch (error) {
    // The error to report is the failed migration; an error of this clean-up is ignored.
    await dropEmptyHistory(client, history).catch(() => undefined);
    throw error;
  }
}

/** Where the very first migrations failed, removes the history tables too, so that nothing is left behind. */
async function dropEmptyHistory(client: pg.Client, history: string): Promise<void> {
  const [table, lock] = [history, `${history}_lock`].map((name) => client.escapeIdentifier(name));
  const {
    rows: [row],
  } = await client.query<{ empty: boolean }>(`select not exists (select from ${table}) as empty`);
  if (row!.empty) await client.query(`drop table ${table}, ${lock}`);
}

/**
 * Applies the pending migrations of one history under one session advisory lock, so that any number of nodes may start at
 * once.
 * @param history table that records the applied migrations; one per module
 * @param migrations by name without extension, run in name order
 * @param division `one each`: where the history is not empty, each migration is committed before the next one begins, so that
 *   an interruption repeats only the running one, and space that it freed can be used by the next
 * @returns the names of the migrations that were applied by this call
 */
export async function migrate(
  connection: DatabaseConnection,
  history: string,
  migrations: Record<string, Migration>,
  division: Division = 'all in one',
): Promise<string[]> {
  return await withLock(connection, (client) => apply(client, history, migrations, division));
}

/** Migrations were applied that this version does not contain. */
export class UnknownMigrations extends Error {
  constructor(readonly names: readonly string[]) {
    super(`this version does not contain the migrations ${names.join(', ')}, which were applied by another one`);
  }
}

/** @throws UnknownMigrations if a name is not among those of the migrations */
export function demandKnown(names: readonly string[], migrations: Record<string, Migration>): void {
  const unknown = names.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) throw new UnknownMigrations(unknown);
}

/** A table may be large, and the unit of work must not wait long for readers while it holds locks. */
const LIMITS = {
  name: 'migrations-revert-limits',
  text: `select set_config('statement_timeout', '5min', true), set_config('lock_timeout', '10s', true)`,
};
const LOCK = { name: 'migrations-lock', text: 'select pg_advisory_xact_lock($1)' };

/**
 * Reverts all migrations of one history in a unit of work, the last first, and drops its history.
 * @param history as for `migrate`
 * @throws UnknownMigrations, or the error of a `down` function
 */
export async function revert(uow: UnitOfWork, history: string, migrations: Record<string, Migration>): Promise<void> {
  await uow.query(LIMITS);
  await uow.query(LOCK, [MIGRATION_LOCK]);
  const knex = await uow.knex();
  if (!(await knex.schema.hasTable(history))) return;
  const rows = await knex<{ name: string }>(history).select('name').orderByRaw('name collate "C" desc');
  const names = rows.map(({ name }) => name);
  demandKnown(names, migrations);
  for (const name of names) await migrations[name]!.down(knex);
  await knex.schema.dropTable(history);
  await knex.schema.dropTable(`${history}_lock`);
}

/**
 * Maximum number of attempts, and the pause between them in ms, if the session is lost, as all sessions are when a
 * PostgreSQL backend crashes.
 */
const ATTEMPTS = 20;
const AGAIN_MS = 500;

/**
 * Runs `work` on a dedicated connection while holding the migration lock. The lock ends with its session; if the
 * session is lost, the lock is taken again and `work` repeated: applied migrations are not repeated.
 */
async function withLock<T>(connection: DatabaseConnection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  for (let attempt = 1, wasConnected = false; ; attempt++) {
    const client = new (writableClient(connection))({ application_name: 'lintel-migrate', keepAlive: true });
    client.on('error', () => undefined);
    try {
      await client.connect();
      wasConnected = true;
      await client.query('set client_min_messages = warning');
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      return await work(client);
    } catch (error) {
      if (!wasConnected || attempt >= ATTEMPTS || databaseProblem(error)?.code !== 'unavailable') throw error;
      await delay(AGAIN_MS);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/**
 * Checks the server's version and settings, then migrates the core's schema.
 * @param wait how to wait while the server is a standby; when absent, that is an error
 */
export async function migrateCore(connection: DatabaseConnection, wait?: StandbyWait): Promise<void> {
  try {
    await withLock(connection, async (client) => {
      await demandServer(client);
      await apply(client, 'lintel_migrations', CORE, 'one each');
    });
  } catch (error) {
    if (!wait || !(error instanceof NotWritable)) throw error;
    await waitForWrites(connection, error, wait);
    await migrateCore(connection, wait);
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
