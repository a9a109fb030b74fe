import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { startEmbedded } from '../../core/foundation/db/embedded.js';
import { migrate, migrateCore, type Migration } from '../../core/foundation/db/migrate.js';
import { COPY_PREFIX, STARTED_TEMPLATE, TEMPLATE, sql, withDatabase } from './database.js';

/** Settings that trade durability for speed; tests of crashes start a separate cluster. */
const FLAGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'].flatMap(
  (setting) => ['-c', setting],
);

/** Advisory lock of a run on a given server, so that a second run does not drop the databases of the first one. */
const RUN_LOCK = 0x11_7e1;

export interface TestCluster {
  /** The server, with a database that is used only to create others. */
  connection: DatabaseConnection;
  /** Stops an embedded server; on a given one drops the databases of the run. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that all test files share and creates the template of their databases.
 * @param url the server to use instead of an embedded one; its user must be allowed to create databases
 * @param log receives the output of the embedded server
 */
export async function startCluster(url: string | undefined, log: (text: string) => void): Promise<TestCluster> {
  const cluster = url ? await useServer({ connectionString: url }) : await startOwn(log);
  try {
    await sql(cluster.connection, `CREATE DATABASE ${TEMPLATE}`);
    const template = withDatabase(cluster.connection, TEMPLATE);
    await migrateCore(template);
    await migrateModules(template);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/**
 * Creates the tables of the bundled modules, which every app of a test has; creating them in each database takes longer
 * than copying them. The modules' rows are not stored: the first app installs the modules as on a new database.
 */
async function migrateModules(template: DatabaseConnection): Promise<void> {
  const folder = new URL('../../plugins/', import.meta.url);
  for (const name of readdirSync(folder)) {
    const entry = new URL(`${name}/index.js`, folder);
    if (name.startsWith('_') || !existsSync(entry)) continue;
    const { default: manifest } = (await import(entry.href)) as {
      default: { id: string; version: string; migrations?: Record<string, Migration> };
    };
    const { id, version, migrations = {} } = manifest;
    await migrate(template, { table: `${id}_migrations`, migrations, release: { name: id, version } });
  }
}

/** A file system in memory on Linux. */
const IN_MEMORY = '/dev/shm';
/** A run needs a quarter of it. In many containers the file system in memory is smaller. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * The folder for the data of the server. Each database of a test is 700 files that are created and soon deleted, which on
 * ext4 takes more processor time than the statements of most tests, because it searches for an inode that was not
 * deleted recently.
 */
async function clusterParent(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(IN_MEMORY);
    if (Math.min(bavail * bsize, process.availableMemory()) >= ENOUGH_BYTES) return IN_MEMORY;
  } catch {
    /* other systems do not have it */
  }
  return tmpdir();
}

async function startOwn(log: (text: string) => void): Promise<TestCluster> {
  const folder = await mkdtemp(join(await clusterParent(), 'lintel-test-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    // If root starts it, PostgreSQL runs under another account, which must be able to enter the folder.
    await chmod(folder, 0o755);
    const { connection, stop } = await startEmbedded({ dataDir: join(folder, 'data'), log, flags: FLAGS });
    const stopAndRemove = async (): Promise<void> => {
      try {
        await stop();
      } finally {
        await remove();
      }
    };
    let stopped: Promise<void> | undefined;
    return { connection, stop: () => (stopped ??= stopAndRemove()) };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function useServer(connection: DatabaseConnection): Promise<TestCluster> {
  const holder = new pg.Client({ ...connection, application_name: 'lintel test run' });
  holder.on('error', () => undefined);
  await holder.connect();
  try {
    const { rows } = await holder.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [RUN_LOCK]);
    if (!rows[0]?.free) throw new Error('Another test run uses this server.');
    await dropLeftovers(connection);
  } catch (error) {
    await holder.end();
    throw error;
  }
  const stop = async (): Promise<void> => {
    try {
      await dropLeftovers(connection);
    } finally {
      await holder.end();
    }
  };
  let stopped: Promise<void> | undefined;
  return { connection, stop: () => (stopped ??= stop()) };
}

async function dropLeftovers(connection: DatabaseConnection): Promise<void> {
  const names = await sql<{ datname: string }>(
    connection,
    'SELECT datname FROM pg_database WHERE datname = $1 OR starts_with(datname, $2) OR starts_with(datname, $3)',
    [TEMPLATE, STARTED_TEMPLATE, COPY_PREFIX],
  );
  for (const { datname } of names) await sql(connection, `DROP DATABASE IF EXISTS "${datname}" WITH (FORCE)`);
  // The roles of modules, whose names contain the oid of their database.
  const roles = await sql<{ rolname: string }>(
    connection,
    `SELECT rolname FROM pg_roles WHERE rolname ~ '^lintel_[0-9]+_' AND split_part(rolname, '_', 2) NOT IN (SELECT oid::text FROM pg_database)`,
  );
  for (const { rolname } of roles) await sql(connection, `DROP ROLE IF EXISTS "${rolname}"`);
}
