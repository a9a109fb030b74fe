import type { Config } from '../../config/schema.js';
import type { Database } from '../db/database.js';
import { open, readKey, seal } from './cipher.js';
import { keyFile } from './key-file.js';
import { createSecret, readAllSecrets, readSecret, replaceSecret, writeSecret } from './repository.js';

/** Secrets of the service, encrypted in the database under a key that is not in the database. */
export class Secrets {
  private key: Buffer | undefined;
  private previous: Buffer | undefined;

  constructor(private readonly db: Database, private readonly config: Config) {}

  /**
   * Takes the key from the configuration, else from the data folder, and tries it on every stored secret. What only
   * the previous key opens is encrypted again under the current one, so that the previous may be dropped.
   * @throws when a stored secret opens under neither key
   */
  async start(): Promise<void> {
    const { secretKey, secretKeyPrevious, dataDir } = this.config;
    this.key = readKey(secretKey ?? await keyFile(dataDir));
    this.previous = secretKeyPrevious === undefined ? undefined : readKey(secretKeyPrevious);
    const closed: string[] = [];
    for (const { name, ciphertext } of await readAllSecrets(this.db)) {
      if (open(this.key, name, ciphertext)) continue;
      const value = this.previous && open(this.previous, name, ciphertext);
      if (value) await replaceSecret(this.db, name, ciphertext, seal(this.key, name, value));
      else closed.push(name);
    }
    if (closed.length > 0) throw new Error(this.wrongKey(closed));
  }

  /**
   * @returns the value, undefined where there is none of the name
   * @throws when neither key opens it
   */
  async get(name: string): Promise<Buffer | undefined> {
    const ciphertext = await readSecret(this.db, name);
    if (!ciphertext) return undefined;
    const value = open(this.currentKey(), name, ciphertext) ?? (this.previous && open(this.previous, name, ciphertext));
    if (!value) throw new Error(this.wrongKey([name]));
    return value;
  }

  async set(name: string, value: Buffer): Promise<void> {
    await writeSecret(this.db, name, seal(this.currentKey(), name, value));
  }

  /** The secret of the name, made by whichever node is first; all nodes get the same. */
  async getOrCreate(name: string, make: () => Buffer): Promise<Buffer> {
    const before = await this.get(name);
    if (before) return before;
    await createSecret(this.db, name, seal(this.currentKey(), name, make()));
    return (await this.get(name))!;
  }

  private currentKey(): Buffer {
    if (!this.key) throw new Error('secrets are used before they are started');
    return this.key;
  }

  private wrongKey(names: string[]): string {
    const source = this.config.secretKey === undefined ? `${this.config.dataDir}/secret.key` : 'LINTEL_SECRET_KEY';
    return `the key of ${source} does not open the stored secrets ${names.join(', ')}: give the key they were stored under, `
      + 'or give it as LINTEL_SECRET_KEY_PREVIOUS beside a new one';
  }
}
