import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LEFT_ROLES } from './catalogue-repository.js';
import { platform, type Connection, type Platform } from './platform.js';

/** Data of tests need not survive a crash. */
const FLAGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'].flatMap(
  (setting) => ['-c', setting],
);
/** Held while a template is created, because test files may run concurrently. */
const TEMPLATE_LOCK = 7_315_100;
/** Milliseconds an unused server keeps running, so that it does not have to restart between two checks. */
const LINGER_MS = 1_000;

/** An empty database with the core's schema, used by one test only. */
export interface TestDatabase {
  connection: Connection;
  /** Runs one SQL statement directly. */
  query<R>(text: string, values?: unknown[]): Promise<R[]>;
  /** Drops it. */
  remove(): Promise<void>;
}

interface Server {
  connection: Connection;
  stop(): Promise<void>;
}

let folder: string | undefined;
let running: Promise<Server> | undefined;
let stopping: Promise<void> = Promise.resolve();
let users = 0;
let lingering: NodeJS.Timeout | undefined;

function onDatabase(connection: Connection, database: string): Connection {
  if (!('connectionString' in connection)) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

/** Runs one statement on a separate connection. */
export async function query<R>(
  { pg }: Platform,
  connection: Connection,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({ ...connection, application_name: 'lintel testing' });
  await client.connect();
  try {
    return (await client.query<R>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Creates a database on the server of the environment, or on an embedded one that stops when its last database is dropped. */
export async function createDatabase(): Promise<TestDatabase> {
  const lintel = await platform();
  const server = await acquire(lintel);
  try {
    const name = `lintel_testing_${process.pid}_${randomBytes(4).toString('hex')}`;
    await query(
      lintel,
      server.connection,
      `create database ${name} template ${await templateOf(lintel, server.connection)} strategy wal_log`,
    );
    const connection = onDatabase(server.connection, name);
    let removed: Promise<void> | undefined;
    const remove = async (): Promise<void> => {
      await query(lintel, server.connection, `drop database if exists ${name} with (force)`);
      // The own server is removed with its roles.
      if (process.env['LINTEL_TEST_DATABASE_URL']) await dropRoles(lintel, server.connection);
      release(server);
    };
    return {
      connection,
      query: (text, values) => query(lintel, connection, text, values),
      remove: () => (removed ??= remove()),
    };
  } catch (error) {
    release(server);
    throw error;
  }
}

/** Test files may run concurrently, and drop the same roles. */
async function dropRoles(lintel: Platform, server: Connection): Promise<void> {
  for (const { rolname } of await query<{ rolname: string }>(lintel, server, LEFT_ROLES))
    await query(lintel, server, `drop role if exists "${rolname}"`);
}

async function acquire(lintel: Platform): Promise<Server> {
  users++;
  clearTimeout(lingering);
  const url = process.env['LINTEL_TEST_DATABASE_URL'];
  running ??= url
    ? Promise.resolve({ connection: { connectionString: url }, stop: async () => undefined })
    : stopping.then(() => startOwn(lintel));
  return await running;
}

function release(server: Server): void {
  if (--users > 0) return;
  // Its own connection keeps the process alive until then.
  lingering = setTimeout(() => {
    running = undefined;
    stopping = server.stop();
  }, LINGER_MS).unref();
}

/** The folder of the server is kept until the process ends, so that the next start is fast. */
async function startOwn({ startEmbedded }: Platform): Promise<Server> {
  if (folder === undefined) {
    const made = (folder = await mkdtemp(path.join(tmpdir(), 'lintel-testing-')));
    // If the process runs as root, PostgreSQL runs under another account, which needs access to its data.
    await chmod(made, 0o755);
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  }
  return await startEmbedded({ dataDir: path.join(folder, 'data'), flags: FLAGS });
}

/** Name of a migrated database, created once per server and schema. */
async function templateOf(lintel: Platform, server: Connection): Promise<string> {
  const name = `lintel_testing_template_${lintel.schema}`;
  const client = new lintel.pg.Client({ ...server, application_name: 'lintel testing' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rows } = await client.query('select from pg_database where datname = $1', [name]);
    if (rows.length > 0) return name;
    const making = `${name}_new`;
    await client.query(`drop database if exists ${making} with (force)`);
    await client.query(`create database ${making}`);
    await lintel.migrateCore(onDatabase(server, making));
    await client.query(`alter database ${making} rename to ${name}`);
    return name;
  } finally {
    await client.end();
  }
}
