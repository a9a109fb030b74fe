import { randomBytes } from 'node:crypto';
import { chown, link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';

const NAME = 'secret.key';
/** The new key during a rotation: in use only once the stored secrets are encrypted with it. */
const NEXT = 'secret.key.next';

/**
 * The key in the data folder; created when there is none.
 * @param dataDir folder of the service's own files
 * @returns the text of the key
 */
export async function keyFile(dataDir: string): Promise<string> {
  return (await readIfThere(path.join(dataDir, NAME))) ?? (await makeKey(dataDir, NAME));
}

/** The new key of an interrupted rotation; undefined if there is none. */
export async function nextKeyFile(dataDir: string): Promise<string | undefined> {
  return await readIfThere(path.join(dataDir, NEXT));
}

/** Creates the new key for a rotation; reuses the one of an interrupted rotation. */
export async function beginKey(dataDir: string): Promise<string> {
  const text = (await nextKeyFile(dataDir)) ?? (await makeKey(dataDir, NEXT));
  // If root runs the rotation, the file must still belong to the service's account, and only root can change the owner.
  const { uid, gid } = await stat(path.join(dataDir, NAME));
  await chown(path.join(dataDir, NEXT), uid, gid);
  return text;
}

/** Replaces the key by the next key, atomically. */
export async function promoteKey(dataDir: string): Promise<void> {
  await rename(path.join(dataDir, NEXT), path.join(dataDir, NAME)).catch(unlessGone);
  await syncFolder(dataDir);
}

/** Deletes a next key that no secret is encrypted with. */
export async function discardKey(dataDir: string): Promise<void> {
  await unlink(path.join(dataDir, NEXT)).catch(unlessGone);
}

/**
 * Creates the file atomically: it is written under a temporary name and linked to its final name. Only one of several
 * processes succeeds; the others use its file.
 */
async function makeKey(dataDir: string, name: string): Promise<string> {
  const file = path.join(dataDir, name);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`;
  try {
    await writeNew(draft, `${randomBytes(32).toString('base64')}\n`);
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await unlink(draft).catch(() => undefined);
  }
  await syncFolder(dataDir);
  return await readFile(file, 'utf8');
}

/** Another process has already done this. */
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeNew(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Without an fsync of the folder a power failure could lose the key but not the data encrypted with it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch {
    // Some file systems do not support fsync on folders.
  } finally {
    await handle.close();
  }
}
