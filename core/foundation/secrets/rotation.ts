import type { Config } from '../../../config/schema.js';
import { systemContext } from '../context.js';
import type { Database } from '../db/database.js';
import { UnitOfWork } from '../db/unit-of-work.js';
import { open, readKey, seal } from './cipher.js';
import { beginKey, keyFile, promoteKey } from './key-file.js';
import { lockSecrets, readAllSecrets, replaceSecret, secretsExist } from './repository.js';

interface Rotated {
  /** Number of re-encrypted secrets. */
  changed: number;
  total: number;
}

/** The rotation was not performed, and nothing was changed; the message says what to do. */
export class RotationError extends Error {
  override readonly name = 'RotationError';
}

/**
 * Re-encrypts every stored secret with another key. A key from the environment is rotated from
 * `LINTEL_SECRET_KEY_PREVIOUS` to `LINTEL_SECRET_KEY`; a key file gets a new key, which replaces it at the end. If the
 * process is killed at any moment, the next start of the service or of the rotation completes the work.
 * @param say called after each completed step
 * @throws RotationError
 */
export async function rotateSecrets(db: Database, config: Config, say: (text: string) => void): Promise<Rotated> {
  if (!(await secretsExist(db)))
    throw new RotationError('there is nothing to rotate: no service has ever been started on this database');
  const { secretKey, secretKeyPrevious, dataDir } = config;
  if (secretKey !== undefined) {
    if (secretKeyPrevious === undefined)
      throw new RotationError('set LINTEL_SECRET_KEY to the new key and LINTEL_SECRET_KEY_PREVIOUS to the current one');
    const rotated = await reseal(db, readKey(secretKeyPrevious), readKey(secretKey));
    say(`${rotated.changed} of ${rotated.total} secrets were re-encrypted with LINTEL_SECRET_KEY`);
    return rotated;
  }
  const current = readKey(await keyFile(dataDir));
  const next = readKey(await beginKey(dataDir));
  say('a new key was created');
  const rotated = await reseal(db, current, next);
  say(`${rotated.changed} of ${rotated.total} secrets were re-encrypted`);
  await promoteKey(dataDir);
  say(`${dataDir}/secret.key is the new key`);
  return rotated;
}

/** Re-encrypts all secrets in one transaction: concurrent writes wait, and no reader sees a partial state. */
async function reseal(db: Database, from: Buffer, to: Buffer): Promise<Rotated> {
  const client = await db.pool.connect();
  const uow = new UnitOfWork(systemContext('rotation'), () => Promise.resolve(client));
  try {
    await lockSecrets(uow);
    const stored = await readAllSecrets(uow);
    const closed: string[] = [];
    let changed = 0;
    for (const { name, ciphertext } of stored) {
      if (open(to, name, ciphertext)) continue;
      const value = open(from, name, ciphertext);
      if (!value) closed.push(name);
      else await replaceSecret(uow, name, ciphertext, seal(to, name, value));
      changed++;
    }
    if (closed.length > 0)
      throw new RotationError(
        `neither key opens the stored secrets ${closed.join(', ')}: give the key they were stored under as the one in use`,
      );
    if (changed > 0)
      uow.emit({
        type: 'secrets.rotated',
        subject: { kind: 'secret', id: 'all', name: 'Stored secrets' },
        data: { changed },
      });
    await uow.commit(null);
    return { changed, total: stored.length };
  } catch (error) {
    await uow.rollback().catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
