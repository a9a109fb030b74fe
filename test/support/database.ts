import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';

/** The migrated database every test database is a copy of. */
export const TEMPLATE = 'lintel_template';
/** Prefix of the names of the copies, by which the remains of a killed run are found. */
export const COPY_PREFIX = 'lintel_test_';

/** The same server, another database. */
export function withDatabase(connection: DatabaseConnection, database: string): DatabaseConnection {
  if (!('connectionString' in connection)) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

/** A connection as a service takes it from its environment. */
export function urlOf(connection: DatabaseConnection): string {
  if ('connectionString' in connection) return connection.connectionString;
  const { user, host, port, database } = connection;
  // The host may be the folder of a socket, which has no place where a URL has its host.
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/**
 * Runs one statement on a session that nothing else uses at the time, past the service: for checks of what is stored.
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
    if (copies.has(key) && !idle.has(key)) keepIdle(key, client);
    else await client.end();
    return rows;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** An idle session for each database made here, because a new one takes PostgreSQL ten times the time of a statement. */
const idle = new Map<string, Session>();

/** The types of pg do not have these two methods. */
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

/** Keeps a session without keeping the process from its end. */
function keepIdle(key: string, client: Session): void {
  client.unref();
  idle.set(key, client);
}

/** The cluster of this run, as the runner passes it to each test file. */
function server(): DatabaseConnection {
  const json = process.env.TEST_PG;
  if (!json) throw new Error('TEST_PG is not set: run test files by `npm test -- <part of the path>`.');
  return JSON.parse(json) as DatabaseConnection;
}

/** Names of the databases made here, by their connections as text. */
const copies = new Map<string, string>();

/**
 * A migrated, otherwise empty database for one test file, dropped at the end of the file.
 * @returns how to connect to it
 */
export async function createDatabase(): Promise<DatabaseConnection> {
  const name = `${COPY_PREFIX}${process.pid}_${randomBytes(4).toString('hex')}`;
  // A copy of files takes a third of the time of one through the log, and a checkpoint, which costs little without fsync.
  const strategy = 'connectionString' in server() ? 'wal_log' : 'file_copy';
  await sql(server(), `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY ${strategy}`);
  const database = withDatabase(server(), name);
  if (copies.size === 0)
    process.once('beforeExit', () => {
      void dropCopies();
    });
  copies.set(JSON.stringify(database), name);
  return database;
}

/** Removes the databases that were made until now. */
export async function dropCopies(): Promise<void> {
  for (const [key, name] of [...copies]) {
    copies.delete(key);
    await takeIdle(key)?.end();
    await sql(server(), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}
