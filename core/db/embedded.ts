import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { binaries } from './embedded-binaries.js';
import { USER, ensureCluster } from './embedded-cluster.js';
import { clearStalePid, connectOwner, inUse, postmasterAlive, signalPostmaster, takeLock, untilFree } from './embedded-owner.js';
import { EmbeddedError, locate, unusable, type Place } from './embedded-place.js';
import { PORT, startPostmaster, type EmbeddedLog, type Postmaster } from './embedded-process.js';

export { EMBEDDED_LOCK } from './embedded-owner.js';
export { EmbeddedError } from './embedded-place.js';
export type { EmbeddedLog, EmbeddedLogLevel } from './embedded-process.js';

const DATABASE = 'lintel';
/** How long a PostgreSQL that is going may take, in ms. */
const TAKEOVER_MS = 30_000;
const RETRY_MS = 100;
const PROGRESS_MS = 10_000;
const STOP_MS = 30_000;
const KILL_MS = 2_000;

export interface EmbeddedOptions {
  /** Absolute path; made when it is not there. */
  dataDir: string;
  log?: EmbeddedLog;
  /** More arguments of `postgres`, such as `-c`, `fsync=off`. */
  flags?: string[];
}

export interface EmbeddedDatabase {
  connection: { host: string; port: number; user: string; database: string };
  /** Resolves with the reason if the database goes, or stops being ours, before `stop` is called. */
  lost: Promise<EmbeddedError>;
  /**
   * Ends the database and returns when it has gone. May be called again.
   * @param withinMs after which it is ended at once, leaving recovery to the next start; nothing committed is lost
   */
  stop(withinMs?: number): Promise<void>;
}

/**
 * Starts the PostgreSQL that comes with the service, on a data folder that is this process's alone until it stops or
 * dies. Makes the database when there is none.
 * @throws EmbeddedError where another process uses the folder, or PostgreSQL cannot run here; nothing is left running
 */
export async function startEmbedded({ dataDir, log = () => undefined, flags = [] }: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const info = (text: string): void => log(text, 'info');
  try {
    const place = locate(dataDir, info);
    const native = binaries(place);
    await ensureCluster(place, native);
    const postmaster = await start(place, native, flags, log);
    const owner = await own(place, postmaster);
    return handle(place, postmaster, owner);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof EmbeddedError) throw error;
    throw unusable(`the embedded database cannot use ${dataDir} (${code ?? 'error'}): ${message}`, { cause: error });
  }
}

/** PostgreSQL's own lock file decides between two starts that both found the folder free. */
async function start(place: Place, native: string, flags: string[], log: EmbeddedLog): Promise<Postmaster> {
  const deadline = Date.now() + TAKEOVER_MS;
  for (let refused = 0; ; refused += 1) {
    await untilFree(place, deadline, (text) => log(text, 'warn'));
    const postmaster = startPostmaster(place, native, flags, log);
    const progress = setInterval(() => log('PostgreSQL is still starting, as after a crash it may', 'info'), PROGRESS_MS);
    try {
      await postmaster.ready;
      return postmaster;
    } catch (error) {
      const { text } = await postmaster.ended;
      const taken = /lock file ".*" (already exists|is empty)|pre-existing shared memory block/.test(text);
      if (!taken || Date.now() > deadline) throw error;
      // Once may be a start beside ours that does not answer yet.
      if (refused > 0 && clearStalePid(place)) log('a stale process number was removed from the data folder', 'warn');
      await sleep(RETRY_MS);
    } finally {
      clearInterval(progress);
    }
  }
}

/** Takes the lock that says whose the cluster is, and makes sure of the database. */
async function own(place: Place, postmaster: Postmaster): Promise<pg.Client> {
  let owner: pg.Client | undefined;
  try {
    owner = await connectOwner(place);
    if (!await takeLock(owner)) throw inUse(place);
    const { rowCount } = await owner.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await owner.query(`create database ${DATABASE}`);
    return owner;
  } catch (error) {
    await owner?.end().catch(() => undefined);
    postmaster.signal('INT');
    await postmaster.ended;
    throw error;
  }
}

function handle(place: Place, postmaster: Postmaster, owner: pg.Client): EmbeddedDatabase {
  let stopped: Promise<void> | undefined;
  const lost = new Promise<EmbeddedError>((resolve) => {
    const lose = (reason: string): void => {
      if (!stopped) resolve(new EmbeddedError(reason));
    };
    owner.once('end', () => lose('the connection that holds the embedded database has ended'));
    void postmaster.ended.then(({ unattended }) => lose(unattended ? 'the watchdog of the embedded database was killed' : 'the embedded database has ended'));
  });
  return {
    connection: { host: place.socket, port: PORT, user: USER, database: DATABASE },
    lost,
    stop: (withinMs = STOP_MS) => (stopped ??= stop(place, postmaster, owner, withinMs)),
  };
}

async function stop(place: Place, postmaster: Postmaster, owner: pg.Client, withinMs: number): Promise<void> {
  const gone = postmaster.ended.then(({ unattended }) => (unattended ? stopUnattended(place, withinMs) : undefined));
  postmaster.signal('INT');
  if (!await settles(gone, withinMs)) {
    postmaster.signal('QUIT');
    await settles(gone, KILL_MS);
  }
  await owner.end().catch(() => undefined);
}

async function stopUnattended(place: Place, withinMs: number): Promise<void> {
  signalPostmaster(place, 'SIGINT');
  for (const end = Date.now() + withinMs; postmasterAlive(place); await sleep(RETRY_MS)) {
    if (Date.now() > end) {
      signalPostmaster(place, 'SIGQUIT');
      return;
    }
  }
}

async function settles(promise: Promise<void>, ms: number): Promise<boolean> {
  const limit = new AbortController();
  try {
    return await Promise.race([promise.then(() => true), sleep(ms, false, { signal: limit.signal })]);
  } finally {
    limit.abort();
  }
}
