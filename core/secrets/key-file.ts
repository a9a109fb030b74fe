import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';

const NAME = 'secret.key';

/**
 * The key kept in the data folder, made when there is none. The file appears whole or not at all: it is written
 * under another name and linked to its own, which only one of several processes can do.
 * @param dataDir folder of the service's own files
 * @returns the text of the key
 */
export async function keyFile(dataDir: string): Promise<string> {
  const file = path.join(dataDir, NAME);
  const before = await readIfThere(file);
  if (before !== undefined) return before;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`;
  try {
    await writeNew(draft, `${randomBytes(32).toString('base64')}\n`);
    await link(draft, file).catch((error: NodeJS.ErrnoException) => { if (error.code !== 'EEXIST') throw error; });
  } finally {
    await unlink(draft).catch(() => undefined);
  }
  await syncFolder(dataDir);
  return await readFile(file, 'utf8');
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
