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
 * Runs one statement directly on a separate connection, to check stored data.
 * @throws the error of PostgreSQL, with its `code`
 */
export async function sql<R extends pg.QueryResultRow = Record<string, unknown>>(
  database: DatabaseConnection,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({ ...database, application_name: 'lintel test' });
  await client.connect();
  try {
    return (await client.query<R>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** The cluster of this run, as the runner passes it to each test file. */
function server(): DatabaseConnection {
  const json = process.env.TEST_PG;
  if (!json) throw new Error('TEST_PG is not set: run test files by `npm test -- <part of the path>`.');
  return JSON.parse(json) as DatabaseConnection;
}

const copies: string[] = [];

/**
 * A migrated, otherwise empty database for one test file, dropped at the end of the file.
 * @returns how to connect to it
 */
export async function createDatabase(): Promise<DatabaseConnection> {
  const name = `${COPY_PREFIX}${process.pid}_${randomBytes(4).toString('hex')}`;
  // A copy of files takes a third of the time of one through the log, and a checkpoint, which costs little without fsync.
  const strategy = 'connectionString' in server() ? 'wal_log' : 'file_copy';
  await sql(server(), `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY ${strategy}`);
  if (copies.push(name) === 1)
    process.once('beforeExit', () => {
      void dropCopies();
    });
  return withDatabase(server(), name);
}

/** Removes the databases that were made until now. */
export async function dropCopies(): Promise<void> {
  for (const name of copies.splice(0)) await sql(server(), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}
