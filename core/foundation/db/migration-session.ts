import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../log.js';
import type { DatabaseConnection } from './connection.js';
import { databaseProblem } from './constraints.js';
import { writableClient } from './hosts.js';
import { nativeError } from './native-error.js';

/**
 * Held while migrations of the core or of a module run, in the transaction of the migrations: PostgreSQL releases it with
 * the transaction, also where a pooler gives the session to another client.
 */
export const MIGRATION_LOCK = 7_315_001;

/**
 * Maximum number of attempts, and the pause between them in ms, if the session is lost, as all sessions are when a
 * PostgreSQL backend crashes.
 */
const ATTEMPTS = 20;
const AGAIN_MS = 500;

/** @param limits timeouts of its statements */
function sessionOf(connection: DatabaseConnection, limits: pg.ClientConfig = {}): pg.Client {
  const client = new (writableClient(connection))({ application_name: 'lintel-migrate', keepAlive: true, ...limits });
  client.on('error', () => undefined);
  return client;
}

/**
 * Runs `work` on a dedicated connection. If the session is lost, `work` is repeated on another one: applied migrations are
 * not repeated.
 */
export async function inMigrationSession<T>(
  connection: DatabaseConnection,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  for (let attempt = 1, wasConnected = false; ; attempt++) {
    const client = sessionOf(connection);
    try {
      await client.connect();
      wasConnected = true;
      return await work(client);
    } catch (error) {
      if (!wasConnected || attempt >= ATTEMPTS || databaseProblem(error)?.code !== 'unavailable') throw error;
      await delay(AGAIN_MS);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** Time in ms after which a node logs that it waits for the lock, and after which it logs it again. */
const WAIT_MS = 2_000;
const WAIT_AGAIN_MS = 60_000;
const NOT_AVAILABLE = '55P03';

/**
 * Runs `work` in a transaction that holds the lock of migrations; commits it, or rolls it back if `work` fails. Settings of
 * the role that limit the time of statements do not apply.
 * @param log where it waits for the lock, receives who holds it
 */
export async function withMigrationLock<T>(
  client: pg.Client,
  work: () => Promise<T>,
  log: Pick<Log, 'warn'> | undefined,
): Promise<T> {
  try {
    for (let wait = WAIT_MS; !(await begin(client, wait)); wait = WAIT_AGAIN_MS) await logHolder(client, log);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // The error to report is that of the work.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** @returns whether the lock was free within the time; if not, no transaction is open */
async function begin(client: pg.Client, waitMs: number): Promise<boolean> {
  await client.query(`begin; set local client_min_messages = warning; set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0; set local lock_timeout = ${waitMs}`);
  try {
    await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK}); set local lock_timeout = 0`);
    return true;
  } catch (error) {
    if (nativeError(error).code !== NOT_AVAILABLE) throw error;
    await client.query('rollback');
    return false;
  }
}

interface Holder {
  pid: number;
  application_name: string | null;
  client_addr: string | null;
  since: Date | null;
}

// Releases before 0.1.0 held the lock by their session.
const HOLDERS = `select l.pid, a.application_name, host(a.client_addr) as client_addr, coalesce(a.xact_start, a.backend_start) as since
  from pg_locks l left join pg_stat_activity a using (pid)
  where l.locktype = 'advisory' and l.classid = 0 and l.objid = ${MIGRATION_LOCK} and l.objsubid = 1 and l.granted
    and l.database = (select oid from pg_database where datname = current_database())`;

async function logHolder(client: pg.Client, log: Pick<Log, 'warn'> | undefined): Promise<void> {
  const [holder] = (await client.query<Holder>(HOLDERS)).rows;
  if (!holder) return;
  const { pid, application_name, client_addr, since } = holder;
  const program = application_name || 'a program without a name';
  const place = client_addr ?? 'a local socket or an address that is not shown';
  log?.warn(
    { holder },
    `waiting for the lock of migrations, which process ${pid} of PostgreSQL (${program}, from ${place}) holds in a transaction since ${since?.toISOString() ?? 'an unknown time'}`,
  );
}

const PID = 'select pg_backend_pid() as pid';
const pidOf = async (client: pg.Client): Promise<number> => (await client.query<{ pid: number }>(PID)).rows[0]!.pid;
/** Number of transactions in which a session must be the same. */
const TIMES = 4;
/** A pooler in session mode whose sessions are all in use lets a connection wait. */
const OTHER_MS = 5_000;

/**
 * Checks that the connection keeps its session between transactions, before anything is written: prepared statements, LISTEN
 * and the locks of sessions need it, and a lock would stay in a session that the pooler gives to other clients.
 * @throws where a pooler gives each transaction any of its sessions
 */
export async function demandOwnSession(client: pg.Client, connection: DatabaseConnection): Promise<void> {
  const pid = await pidOf(client);
  // A pooler gives its clients a key of its own for the cancellation of statements, where a server gives its process id.
  if (pid === (client as pg.Client & { processID: number | null }).processID) return;
  const other = sessionOf(connection, { query_timeout: OTHER_MS });
  try {
    await other.connect();
    const isOthers = await isGivenTo(other, pid);
    let keeps = !isOthers;
    // A pooler may give its sessions in turn, so that one of them comes back.
    for (let n = 0; keeps && n < TIMES; n++) keeps = (await pidOf(client)) === pid;
    if (keeps) return;
  } finally {
    await other.end().catch(() => undefined);
  }
  throw new Error(
    'the database gives the transactions of one connection to several sessions: a pooler in transaction or statement mode (such as ' +
      'PgBouncer with pool_mode = transaction) is between Lintel and PostgreSQL. Let DATABASE_URL lead to PostgreSQL itself, or to ' +
      'a pooler in session mode',
  );
}

/** Whether another connection gets the same session, which stays its own while its transaction is open. */
async function isGivenTo(other: pg.Client, pid: number): Promise<boolean> {
  try {
    await other.query('begin');
    return (await pidOf(other)) === pid;
  } catch {
    // It has no session yet: the first connection keeps its own.
    return false;
  }
}
