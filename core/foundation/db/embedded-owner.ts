import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { USER } from './embedded-cluster.js';
import { EmbeddedError, type Place } from './embedded-place.js';
import { PORT } from './embedded-process.js';

/**
 * Key of the session advisory lock in the database `postgres`, held by the process that owns an embedded cluster.
 * PostgreSQL releases it when that process ends; a lock file could be left behind.
 */
export const EMBEDDED_LOCK = 7_315_000;

const POLL_MS = 50;
/**
 * Time for which a server without a lock holder is tolerated: its owner may not have taken the lock yet, or may just
 * have ended.
 */
const OWNED_MS = 250;
const ORPHAN_MS = 1_000;
const CONNECT_MS = 2_000;
/**
 * Lines of `postmaster.pid`. The recorded socket folder may differ from the expected one, because the temporary folder
 * depends on the environment.
 */
const PID_LINE = 0;
const SOCKET_LINE = 4;

/** `silent`: no answer on the socket. `busy`: the server answers but is starting, stopping or out of connections. */
type Running = 'silent' | 'busy' | 'owned' | 'orphan';

/**
 * A connection to the cluster's `postgres` database, outside every pool. Connection errors are not thrown: listen for
 * `end`.
 */
export async function connectOwner({ socket }: Place): Promise<pg.Client> {
  const client = new pg.Client({
    host: socket,
    port: PORT,
    user: USER,
    database: 'postgres',
    application_name: 'lintel-owner',
    connectionTimeoutMillis: CONNECT_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** @returns false where another process holds it */
export async function takeLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1::bigint) as taken', [
    EMBEDDED_LOCK,
  ]);
  return rows[0]?.taken === true;
}

/**
 * Returns once no PostgreSQL runs on the cluster, usually at once. Waits for a PostgreSQL that is shutting down, and
 * stops one whose owning process was killed together with its watchdog.
 * @param deadline in ms since the epoch
 * @throws EmbeddedError where another service uses the cluster, or PostgreSQL does not end by the deadline
 */
export async function untilFree(place: Place, deadline: number, log: (text: string) => void): Promise<void> {
  let state: Running | undefined;
  let since = 0;
  let stopping = false;
  while (existsSync(pidFile(place))) {
    const now = await running(place);
    if (now === 'silent') return;
    if (now !== state) [state, since] = [now, Date.now()];
    const lasted = Date.now() - since;
    if (state === 'owned' && lasted >= OWNED_MS) throw inUse(place);
    if (state === 'orphan' && lasted >= ORPHAN_MS && !stopping) {
      log('a PostgreSQL left by a killed process is being stopped');
      await stopOrphan(place);
      stopping = true;
    }
    if (Date.now() > deadline)
      throw new EmbeddedError(`a PostgreSQL runs on ${place.cluster} and does not end: stop it`);
    await sleep(POLL_MS);
  }
}

export function inUse({ dataDir }: Place): EmbeddedError {
  return new EmbeddedError(`another Lintel runs on ${dataDir}: stop it, or give this one another DATA_DIR`);
}

const pidFile = ({ cluster }: Place): string => path.join(cluster, 'postmaster.pid');

async function running(place: Place): Promise<Running> {
  let client: pg.Client | undefined;
  try {
    client = await connectOwner(recorded(place));
    const { rows } = await client.query<{ folder: string; owned: boolean }>(
      `
      select current_setting('data_directory') as folder, exists (
        select from pg_locks where locktype = 'advisory' and objsubid = 1 and classid = 0 and objid = $1 and granted
          and database = (select oid from pg_database where datname = current_database())) as owned`,
      [EMBEDDED_LOCK],
    );
    const [found] = rows;
    if (!found || realpathSync(found.folder) !== realpathSync(place.cluster)) return 'silent';
    return found.owned ? 'owned' : 'orphan';
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'EACCES')
      throw new EmbeddedError(`${place.socket} belongs to another user, who may be running Lintel there`, {
        cause: error,
      });
    return ['ENOENT', 'ECONNREFUSED'].includes(code) ? 'silent' : 'busy';
  } finally {
    await client?.end().catch(() => undefined);
  }
}

/** Holds the lock during the shutdown, so that only one of several starting processes performs it. */
async function stopOrphan(place: Place): Promise<void> {
  let client: pg.Client | undefined;
  try {
    client = await connectOwner(recorded(place));
    if (!(await takeLock(client))) throw inUse(place);
  } catch (error) {
    await client?.end().catch(() => undefined);
    if (error instanceof EmbeddedError) throw error;
    return;
  }
  if (!signalPostmaster(place, 'SIGINT'))
    throw new EmbeddedError(`a PostgreSQL that could not be identified runs on ${place.cluster}: stop it`);
}

/**
 * Sends a signal to the PostgreSQL recorded in the cluster, after verifying that the process is a PostgreSQL on that
 * cluster.
 * @returns false where this could not be verified
 */
export function signalPostmaster(place: Place, signal: NodeJS.Signals): boolean {
  const pid = recordedPid(place);
  if (pid === undefined || identify(pid, place) !== 'postmaster') return false;
  process.kill(pid, signal);
  return true;
}

/** Whether the PostgreSQL recorded in the cluster is running, as far as can be determined. */
export function postmasterAlive(place: Place): boolean {
  const pid = recordedPid(place);
  return pid !== undefined && identify(pid, place) === 'postmaster';
}

/**
 * After a system crash, or in a recreated container, the recorded process id may belong to another process, and
 * PostgreSQL would then refuse to start permanently. Replaces it with the id of this process, which PostgreSQL ignores
 * because it is its grandparent; the rest of the file remains, so that PostgreSQL still checks for processes using the
 * old shared memory.
 * @returns whether an id was replaced
 */
export function clearStalePid(place: Place): boolean {
  const pid = recordedPid(place);
  if (pid === undefined || identify(pid, place) !== 'other') return false;
  const file = pidFile(place);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(process.pid)));
  rmSync(path.join(place.socket, `.s.PGSQL.${PORT}.lock`), { force: true });
  return true;
}

/** The place with the socket folder that PostgreSQL has recorded. */
function recorded(place: Place): Place {
  return { ...place, socket: recordedLine(place, SOCKET_LINE) ?? place.socket };
}

function recordedPid(place: Place): number | undefined {
  const pid = Number(recordedLine(place, PID_LINE));
  return pid > 1 ? pid : undefined;
}

/** A line of `postmaster.pid`; undefined while it does not exist. */
function recordedLine(place: Place, line: number): string | undefined {
  if (!existsSync(pidFile(place))) return undefined;
  return readFileSync(pidFile(place), 'utf8').split('\n')[line]?.trim() || undefined;
}

/** Identifies a process by its program and its working folder (the cluster's), never by its process id alone. */
function identify(pid: number, { cluster }: Place): 'postmaster' | 'other' | 'gone' | 'unknown' {
  try {
    if (process.platform !== 'linux') {
      const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
      return command.includes('postgres') && command.includes(` -D ${cluster} `) ? 'postmaster' : 'other';
    }
    const program = path.basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ''));
    return program === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
      ? 'postmaster'
      : 'other';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'unknown';
  }
}
