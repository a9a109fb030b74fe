import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';

/** The migrated database of which every test database is a copy. */
export const TEMPLATE = 'lintel_template';
/** A copy of it on which the app was started once: what databases of `testApp` are copies of. */
export const STARTED_TEMPLATE = 'lintel_template_started';
/** Prefix of the names of the copies, so that databases left by a killed run can be dropped. */
export const COPY_PREFIX = 'lintel_test_';

/** @returns the connection to another database of the same server */
export function withDatabase(connection: DatabaseConnection, database: string): DatabaseConnection {
  if (!('connectionString' in connection)) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

/** @returns the connection as a URL for the environment of a service */
export function urlOf(connection: DatabaseConnection): string {
  if ('connectionString' in connection) return connection.connectionString;
  const { user, host, port, database } = connection;
  // The host may be the folder of a socket, which is not allowed as the host of a URL.
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/**
 * Runs one statement on a session that is not of the service and not used concurrently, to check stored data.
 * @throws the error of PostgreSQL, with its `code`
 */
export async function sql<R extends pg.QueryResultRow = Record<string, unknown>>(
  database: DatabaseConnection,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const key = JSON.stringify(database);
  const client = takeIdle(key) ?? (await connect(database, key));
  try {
    const { rows } = await client.query<R>(text, values);
    if ((copies.has(key) || key === process.env.TEST_PG) && !idle.has(key)) keepIdle(key, client);
    else await client.end();
    return rows;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** @returns the number of sessions of the database that wait for a lock */
export async function lockWaiters(database: DatabaseConnection): Promise<number> {
  const [row] = await sql<{ n: number }>(
    database,
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row!.n;
}

/**
 * An idle session for each database of `createDatabase`, and for the one from which these are created, because opening one
 * takes ten times as long as a statement.
 */
const idle = new Map<string, Session>();

/** The types of pg lack these two methods. */
interface Session extends pg.Client {
  ref(): void;
  unref(): void;
}

async function connect(database: DatabaseConnection, key: string): Promise<Session> {
  const client = new pg.Client({ ...database, application_name: 'lintel test' }) as Session;
  // Emitted for a session that the server ends while it is idle; one that ends in a query rejects the query.
  client.on('error', () => {
    if (idle.get(key) === client) idle.delete(key);
  });
  await client.connect();
  return client;
}

function takeIdle(key: string): Session | undefined {
  const client = idle.get(key);
  idle.delete(key);
  client?.ref();
  return client;
}

/** Keeps a session for the next statement; it does not keep the process running. */
function keepIdle(key: string, client: Session): void {
  client.unref();
  idle.set(key, client);
}

/** The cluster of this run, which the runner passes by TEST_PG. */
function server(): DatabaseConnection {
  const json = process.env.TEST_PG;
  if (!json) throw new Error('TEST_PG is not set: run test files by `npm test -- <part of the path>`.');
  return JSON.parse(json) as DatabaseConnection;
}

/** Names of the databases of `createDatabase`, by their connections as JSON. */
const copies = new Map<string, string>();

async function copy(template: string, name: string): Promise<void> {
  // Copying files takes a third of the time of copying by the log; it needs a checkpoint, which is cheap without fsync.
  const strategy = 'connectionString' in server() ? 'wal_log' : 'file_copy';
  await sql(server(), `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY ${strategy}`);
}

/** Held while a process makes a template, so that the others wait for it. */
const TEMPLATE_LOCK = 0x11_7e2;

/**
 * Makes STARTED_TEMPLATE, unless another process of the run has made it.
 * @param start starts and stops the app on a migrated database
 */
export async function makeStartedTemplate(start: (database: DatabaseConnection) => Promise<void>): Promise<void> {
  const client = await connect(server(), '');
  try {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [STARTED_TEMPLATE]);
    if (rows.length > 0) return;
    const unfinished = `${STARTED_TEMPLATE}_new`;
    await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
    await copy(TEMPLATE, unfinished);
    await start(withDatabase(server(), unfinished));
    await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${STARTED_TEMPLATE}`);
  } finally {
    await client.end();
  }
}

/**
 * A database for one test file, dropped at the end of the file.
 * @param template the database to copy; default: a migrated, otherwise empty one
 * @returns its connection
 */
export async function createDatabase(template = TEMPLATE): Promise<DatabaseConnection> {
  const name = `${COPY_PREFIX}${process.pid}_${randomBytes(4).toString('hex')}`;
  await copy(template, name);
  const database = withDatabase(server(), name);
  if (copies.size === 0)
    process.once('beforeExit', () => {
      void dropCopies();
    });
  copies.set(JSON.stringify(database), name);
  return database;
}

/** Drops all databases of `createDatabase`. */
export async function dropCopies(): Promise<void> {
  for (const [key, name] of [...copies]) {
    copies.delete(key);
    await takeIdle(key)?.end();
    await sql(server(), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}
