import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** The embedded database cannot be used or has ended; the message gives the reason and the remedy. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError';
}

/** The reason why the embedded database cannot run on this system at all; the message names the alternative. */
export function unusable(reason: string, options?: ErrorOptions): EmbeddedError {
  return new EmbeddedError(
    `${reason}. Or set DATABASE_URL to use a PostgreSQL server of your own (15 or newer)`,
    options,
  );
}

/** The account PostgreSQL runs under; undefined where it is that of this process. */
export type Account = { uid: number; gid: number } | undefined;

/** Paths and account of the embedded database of one data folder. */
export interface Place {
  dataDir: string;
  /**
   * The folder that contains the cluster: the data folder, or one under `/var/lib` where the account cannot reach the
   * data folder.
   */
  home: string;
  /** PostgreSQL's own data folder. */
  cluster: string;
  /** Folder of the Unix socket. Only the account may enter it; this is the access control of the database. */
  socket: string;
  account: Account;
}

const CLUSTER = 'pg';
const RUN = 'run';
/** File with the path of `home` where it is not the data folder. */
const POINTER = 'pg-location';
const OWN_NAMES = /^(pg|pg\.new-.*|run|pg-location|secret\.key.*|lintel-postgres-.*)$/;
/** `sun_path` has 104 bytes on macOS, of which `/.s.PGSQL.5432` needs a part. */
const SOCKET_FOLDER_BYTES = 88;

export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/**
 * Determines where the database of a data folder is, or will be, and creates its folders.
 * @param dataDir absolute path; created when it does not exist
 */
export function locate(dataDir: string, log: (text: string) => void): Place {
  const root = process.getuid?.() === 0;
  makeFolder(dataDir, root ? 0o711 : 0o700);
  const folder = realpathSync(dataDir);
  const pointer = path.join(folder, POINTER);
  const moved = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : undefined;
  if (moved !== undefined && !existsSync(path.join(moved, CLUSTER, 'PG_VERSION'))) {
    throw new EmbeddedError(
      `${pointer} says that the database is in ${moved}, where there is none: restore it, or remove that file to begin with an empty database`,
    );
  }
  const account = root ? servingAccount(path.join(moved ?? folder, CLUSTER)) : undefined;
  const home = moved ?? homeFor(folder, account);
  if (home !== folder) log(`the database of ${folder} is kept in ${home}, which the account it runs under can reach`);
  const place = { dataDir: folder, home, cluster: path.join(home, CLUSTER), account };
  return { ...place, socket: socketFolder(home, account) };
}

/**
 * Records a home outside the data folder, because later starts must find the cluster there. Called once the cluster is
 * complete.
 */
export function storeLocation({ dataDir, home }: Place): void {
  if (home !== dataDir) writeFileSync(path.join(dataDir, POINTER), `${home}\n`, { mode: 0o600 });
}

/** PostgreSQL refuses to run as root: uses the owner of existing data, else `postgres`, else `nobody`. */
function servingAccount(cluster: string): Account {
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody');
  if (!found)
    throw unusable(
      'PostgreSQL cannot run as root, and neither the account postgres nor the account nobody exists: add one, or start the service as another user',
    );
  return { uid: Number(found[2]) >>> 0, gid: Number(found[3]) >>> 0 };
}

function homeFor(folder: string, account: Account): string {
  const stats = statSync(folder);
  // A data folder that contains only the service's own entries may be made traversable; those entries have their own
  // modes. Folders with other content are not changed.
  if (!allows(stats, 1, account) && readdirSync(folder).every((name) => OWN_NAMES.test(name)))
    chmodSync(folder, (stats.mode & 0o777) | 0o011);
  if (reachable(folder, account)) return folder;
  if (existsSync(path.join(folder, CLUSTER, 'PG_VERSION'))) {
    throw new EmbeddedError(
      `the database in ${folder} cannot be reached by the account it runs under (uid ${account?.uid}): make the folders above it traversable (chmod o+x), or move it`,
    );
  }
  const home = path.join('/var/lib', `lintel-${shortHash(folder)}`);
  makeFolder(home, 0o711);
  return home;
}

function socketFolder(home: string, account: Account): string {
  const near = path.join(home, RUN);
  if (Buffer.byteLength(near) <= SOCKET_FOLDER_BYTES) return privateFolder(near, account);
  const name = `lintel-${shortHash(home)}`;
  const far = [os.tmpdir(), '/tmp'].find(
    (folder) => Buffer.byteLength(path.join(folder, name)) <= SOCKET_FOLDER_BYTES && reachable(folder, account),
  );
  if (far === undefined)
    throw new EmbeddedError(
      `the path of ${home} is too long for a socket, and so is that of the temporary folder: use a shorter DATA_DIR`,
    );
  return privateFolder(path.join(far, name), account);
}

/**
 * Creates one level at a time: Node's recursive mkdir reports a wrong reason for a folder that cannot be created, and
 * does not return at all under /proc.
 */
function makeFolder(folder: string, mode: number): void {
  if (existsSync(folder)) return;
  if (folder !== path.dirname(folder)) makeFolder(path.dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Creates a folder that only the account can enter, or verifies that an existing one is such a folder: in a shared
 * temporary folder another user may have created an entry of that name first.
 */
export function privateFolder(folder: string, account: Account): string {
  const self = process.getuid?.() ?? 0;
  makeFolder(folder, 0o700);
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || ![self, account?.uid ?? self].includes(stats.uid)) {
    throw new EmbeddedError(`${folder} does not belong to this service (owner uid ${stats.uid}): remove it`);
  }
  if (account && stats.uid !== account.uid) chownSync(folder, account.uid, account.gid);
  if ((stats.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
  return folder;
}

/**
 * Whether the account may traverse all folders down to this one. Decided by the mode bits: a real access test would
 * need another process.
 */
export function reachable(folder: string, account: Account): boolean {
  if (!account) return true;
  return [path.resolve(folder), realpathSync(folder)].every((start) => {
    for (let at = start; ; at = path.dirname(at)) {
      if (!allows(statSync(at), 1, account)) return false;
      if (at === path.dirname(at)) return true;
    }
  });
}

/** @param bits 4 to read, 2 to write, 1 to execute or traverse */
export function allows(stats: Stats, bits: number, account: Account): boolean {
  if (!account) return true;
  const shift = stats.uid === account.uid ? 6 : stats.gid === account.gid ? 3 : 0;
  return ((stats.mode >> shift) & bits) === bits;
}

/** Bytes free for unprivileged users on the file system of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
