import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EmbeddedError, privateFolder, storeLocation, unusable, type Account, type Place } from './embedded-place.js';

/** The superuser of the cluster. Any process that may enter the socket's folder can connect as this user. */
export const USER = 'lintel';

const MAJOR = '18';
const DRAFT = /^pg\.new-/;
/** A temporary folder of this age, in milliseconds, was left by a process that was killed during startup. */
const ABANDONED_MS = 600_000;
/** PostgreSQL needs a system locale for what its built-in locale does not cover; macOS may not have the first one. */
const LOCALES = ['C.UTF-8', 'en_US.UTF-8'];

/**
 * Creates the cluster if it does not exist: under a temporary name, then renamed, so that an incomplete cluster is
 * never used. If several processes start at once, the first to finish creates it and the others use that one.
 * @throws EmbeddedError when it cannot be created, or has another major version
 */
export async function ensureCluster(place: Place, native: string): Promise<void> {
  const { home, cluster, account } = place;
  if (isCluster(cluster)) return adopt(cluster, account);
  removeAbandoned(home);
  const draft = privateFolder(path.join(home, `pg.new-${process.pid}-${randomBytes(4).toString('hex')}`), account);
  try {
    await initialise(native, draft, account);
    renameSync(draft, cluster);
    syncFolder(home);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!isCluster(cluster)) throw error;
  }
  storeLocation(place);
}

function isCluster(folder: string): boolean {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return false;
  const version = path.join(folder, 'PG_VERSION');
  if (!existsSync(version)) throw new EmbeddedError(`${folder} is neither empty nor a database`);
  const major = readFileSync(version, 'utf8').trim();
  if (major !== MAJOR)
    throw new EmbeddedError(
      `the database in ${folder} is of PostgreSQL ${major}, and this release contains ${MAJOR}: move its contents with a dump`,
    );
  return true;
}

/** A folder restored from a backup may belong to root or have too open a mode: PostgreSQL rejects both. */
function adopt(cluster: string, account: Account): void {
  const stats = statSync(cluster);
  if (account && stats.uid !== account.uid) chownTree(cluster, account);
  if ((stats.mode & 0o777) !== 0o700) chmodSync(cluster, 0o700);
}

function chownTree(folder: string, { uid, gid }: NonNullable<Account>): void {
  chownSync(folder, uid, gid);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) chownTree(at, { uid, gid });
    else lchownSync(at, uid, gid);
  }
}

function removeAbandoned(home: string): void {
  for (const name of readdirSync(home).filter((entry) => DRAFT.test(entry))) {
    const at = path.join(home, name);
    const age = Date.now() - (statSync(at, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > ABANDONED_MS) rmSync(at, { recursive: true, force: true });
  }
}

async function initialise(native: string, draft: string, account: Account): Promise<void> {
  checkNamed(account);
  for (const locale of LOCALES) {
    const failure = await initdb(native, draft, locale, account);
    if (failure === undefined) return;
    if (!failure.includes('invalid locale name'))
      throw unusable(`the database could not be made in ${draft}: ${failure}`);
  }
  throw unusable(`the database could not be made: this system has none of the locales ${LOCALES.join(', ')}`);
}

/** initdb looks up the name of its user, and containers may run under a user id without a name. */
function checkNamed(account: Account): void {
  if (account) return;
  try {
    os.userInfo();
  } catch {
    throw unusable(
      `the service runs under the user id ${process.getuid?.()}, which has no entry in /etc/passwd, and PostgreSQL needs one to create a database: add it, or run as another user`,
    );
  }
}

/** @returns the error text; undefined on success */
async function initdb(native: string, folder: string, locale: string, account: Account): Promise<string | undefined> {
  // Case folding and character classes use PostgreSQL's built-in C.UTF-8, so that they do not change with the system's
  // locale.
  const args = [
    '-D',
    folder,
    '-U',
    USER,
    '-E',
    'UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    `--locale=${locale}`,
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
  ];
  const child = spawn(path.join(native, 'bin/initdb'), args, {
    ...account,
    cwd: '/',
    env: postgresEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-4000);
  });
  return await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) =>
      resolve(code === 0 ? undefined : text.trim() || `initdb ended with ${code ?? signal}`),
    );
  });
}

/**
 * The environment of this process is not passed to PostgreSQL: it would read `PG*` and locale variables, and it needs
 * no secrets.
 */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    PG_GRANDPARENT_PID: String(process.pid),
  };
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } catch {
    // Some file systems do not support fsync on folders.
  } finally {
    closeSync(handle);
  }
}
