import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { binaries } from './embedded-binaries.js';
import { USER, ensureCluster } from './embedded-cluster.js';
import { EmbeddedKeeper, openOwner, type Owner } from './embedded-keeper.js';
import { clearStalePid, inUse, takeLock, untilFree } from './embedded-owner.js';
import { EmbeddedError, locate, unusable, type Place } from './embedded-place.js';
import { PORT, startPostmaster, type EmbeddedLog, type Postmaster } from './embedded-process.js';

export { EMBEDDED_LOCK } from './embedded-owner.js';
export { EmbeddedError } from './embedded-place.js';
export type { EmbeddedLog, EmbeddedLogLevel } from './embedded-process.js';

const DATABASE = 'lintel';
/** Maximum time for a PostgreSQL that is shutting down to end, in ms. */
const TAKEOVER_MS = 30_000;
const RETRY_MS = 100;
const PROGRESS_MS = 10_000;
const STOP_MS = 30_000;

interface EmbeddedOptions {
  /** Absolute path; created when it does not exist. */
  dataDir: string;
  log?: EmbeddedLog;
  /** Further arguments of `postgres`, such as `-c`, `fsync=off`. */
  flags?: string[];
}

export interface EmbeddedDatabase {
  connection: { host: string; port: number; user: string; database: string; folder: string };
  /** Resolves with the reason if the database ends, or another process takes it over, before `stop` is called. */
  lost: Promise<EmbeddedError>;
  /**
   * Stops the database and returns when it has ended. May be called more than once.
   * @param withinMs time after which an immediate shutdown is forced; the next start then runs recovery, and nothing
   *   committed is lost
   */
  stop(withinMs?: number): Promise<void>;
}

/**
 * Starts the bundled PostgreSQL on a data folder that this process owns exclusively until it stops or ends. Creates the
 * database when there is none.
 * @throws EmbeddedError where another process uses the folder, or PostgreSQL cannot run here; no process is left
 *   running
 */
export async function startEmbedded({
  dataDir,
  log = () => undefined,
  flags = [],
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const info = (text: string): void => log(text, 'info');
  try {
    const place = locate(dataDir, info);
    const native = binaries(place);
    await ensureCluster(place, native);
    const open = async (begun?: (postmaster: Postmaster) => void) => {
      const postmaster = await start(place, native, flags, log, begun);
      return { postmaster, owner: await own(place, postmaster) };
    };
    const keeper = new EmbeddedKeeper(place, await open(), open, log);
    return {
      // A restored copy of the folder has another inode.
      connection: { host: place.socket, port: PORT, user: USER, database: DATABASE, folder: identityOf(place.cluster) },
      lost: keeper.lost,
      stop: (withinMs = STOP_MS) => keeper.stop(withinMs),
    };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof EmbeddedError) throw error;
    throw unusable(`the embedded database cannot use ${dataDir} (${code ?? 'error'}): ${message}`, { cause: error });
  }
}

function identityOf(folder: string): string {
  const { ino, birthtimeMs } = statSync(folder);
  return `${ino} ${birthtimeMs}`;
}

/** If two processes both find the folder free, PostgreSQL's own lock file decides which one starts. */
async function start(
  place: Place,
  native: string,
  flags: string[],
  log: EmbeddedLog,
  begun?: (postmaster: Postmaster) => void,
): Promise<Postmaster> {
  const deadline = Date.now() + TAKEOVER_MS;
  for (let refused = 0; ; refused += 1) {
    await untilFree(place, deadline, (text) => log(text, 'warn'));
    const postmaster = startPostmaster(place, native, flags, log);
    begun?.(postmaster);
    const progress = setInterval(
      () => log('PostgreSQL is still starting, possibly recovering from a crash', 'info'),
      PROGRESS_MS,
    );
    try {
      await postmaster.ready;
      return postmaster;
    } catch (error) {
      const { text } = await postmaster.ended;
      const taken = /lock file ".*" (already exists|is empty)|pre-existing shared memory block/.test(text);
      if (!taken || Date.now() > deadline) throw error;
      // The first refusal may be caused by another start that does not answer yet.
      if (refused > 0 && clearStalePid(place)) log('a stale process id was removed from the data folder', 'warn');
      await sleep(RETRY_MS);
    } finally {
      clearInterval(progress);
    }
  }
}

/** Takes the lock of the cluster for this process and checks the database. */
async function own(place: Place, postmaster: Postmaster): Promise<Owner> {
  let owner: Owner | undefined;
  try {
    owner = await openOwner(place);
    const { client } = owner;
    if (!(await takeLock(client))) throw inUse(place);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
    return owner;
  } catch (error) {
    await owner?.client.end().catch(() => undefined);
    postmaster.signal('INT');
    await postmaster.ended;
    throw error;
  }
}
