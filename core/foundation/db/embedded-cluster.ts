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
import { EmbeddedError, privateFolder, remember, unusable, type Account, type Place } from './embedded-place.js';

/** The superuser of the cluster; whoever may enter the socket's folder is it. */
export const USER = 'lintel';

const MAJOR = '18';
const DRAFT = /^pg\.new-/;
/** A draft of this age, in milliseconds, was left by a start that was killed. */
const ABANDONED_MS = 600_000;
/** PostgreSQL needs a locale of the system for what its built-in one does not cover; macOS may lack the first. */
const LOCALES = ['C.UTF-8', 'en_US.UTF-8'];

/**
 * Makes the cluster unless it is there: under another name first, so that it is there whole or not at all. Of several
 * starts at once the first to finish wins, and the others use what it made.
 * @throws EmbeddedError when it cannot be made, or is of another version
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
  remember(place);
}

function isCluster(folder: string): boolean {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return false;
  const version = path.join(folder, 'PG_VERSION');
  if (!existsSync(version)) throw new EmbeddedError(`${folder} is neither empty nor a database`);
  const major = readFileSync(version, 'utf8').trim();
  if (major !== MAJOR)
    throw new EmbeddedError(
      `the database in ${folder} is of PostgreSQL ${major}, and this release brings ${MAJOR}: move its contents by way of a dump`,
    );
  return true;
}

/** A folder put back from a backup may belong to root, or be open to all: PostgreSQL refuses both. */
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

/** initdb asks for the name of the user it runs as, and containers may run under a number without one. */
function checkNamed(account: Account): void {
  if (account) return;
  try {
    os.userInfo();
  } catch {
    throw unusable(
      `the service runs under the user id ${process.getuid?.()}, which has no entry in /etc/passwd, and PostgreSQL needs one to make a database: add it, or run as another user`,
    );
  }
}

/** @returns what went wrong; undefined when all went well */
async function initdb(native: string, folder: string, locale: string, account: Account): Promise<string | undefined> {
  // Text is folded and classified by PostgreSQL's own C.UTF-8, so that it does not change with the system.
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

/** Nothing of our own environment reaches PostgreSQL: it would read `PG*` and locale variables, and has no need of secrets. */
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
    // Some file systems do not sync folders.
  } finally {
    closeSync(handle);
  }
}
