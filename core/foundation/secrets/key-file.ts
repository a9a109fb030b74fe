import { randomBytes } from 'node:crypto';
import { chown, link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';

const NAME = 'secret.key';
/** The key a rotation has under way: in use only once the stored secrets are encrypted under it. */
const NEXT = 'secret.key.next';

/**
 * The key kept in the data folder, made when there is none.
 * @param dataDir folder of the service's own files
 * @returns the text of the key
 */
export async function keyFile(dataDir: string): Promise<string> {
  return (await readIfThere(path.join(dataDir, NAME))) ?? (await makeKey(dataDir, NAME));
}

/** The key a rotation left under way; undefined for the most part. */
export async function nextKeyFile(dataDir: string): Promise<string | undefined> {
  return await readIfThere(path.join(dataDir, NEXT));
}

/** Makes the key to rotate to; one that an interrupted rotation left is taken up again. */
export async function beginKey(dataDir: string): Promise<string> {
  const text = (await nextKeyFile(dataDir)) ?? (await makeKey(dataDir, NEXT));
  // Rotated by root, it still belongs to the account of the service; nobody but root can give it away.
  const { uid, gid } = await stat(path.join(dataDir, NAME));
  await chown(path.join(dataDir, NEXT), uid, gid);
  return text;
}

/** Puts the next key in the place of the key, in one step. */
export async function promoteKey(dataDir: string): Promise<void> {
  await rename(path.join(dataDir, NEXT), path.join(dataDir, NAME)).catch(unlessGone);
  await syncFolder(dataDir);
}

/** Forgets a next key that nothing is encrypted under. */
export async function discardKey(dataDir: string): Promise<void> {
  await unlink(path.join(dataDir, NEXT)).catch(unlessGone);
}

/**
 * The file appears whole or not at all: it is written under another name and linked to its own, which only one of
 * several processes can do; the others take that one's.
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

/** Another process was first. */
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

/** What is encrypted under the key outlives a power cut only if the key does. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch {
    // Some file systems do not sync folders.
  } finally {
    await handle.close();
  }
}
