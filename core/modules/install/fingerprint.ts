import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * A digest of a folder of code, from names, sizes and times of its files; its dependencies are not included.
 * @returns a short digest
 */
export async function fingerprint(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const look = async (at: string): Promise<void> => {
    const entries = await readdir(at, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = path.join(at, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) await look(file);
      } else {
        // An asynchronous call takes several times the processor time, and each start looks at some 1,000 files.
        const { size, mtimeMs } = statSync(file);
        hash.update(`${path.relative(folder, file)}\0${size}\0${mtimeMs}\0`);
      }
    }
  };
  // A folder that changes during the scan gets another digest in the next scan.
  await look(folder).catch((error: unknown) => hash.update(String(error)));
  return hash.digest('hex').slice(0, 16);
}
