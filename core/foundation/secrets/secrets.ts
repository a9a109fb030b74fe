import type { Config } from '../../../config/schema.js';
import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';
import { open, readKey, seal } from './cipher.js';
import { discardKey, keyFile, nextKeyFile, promoteKey } from './key-file.js';
import {
  createSecret,
  presentSecrets,
  readAllSecrets,
  readSecret,
  readSecrets,
  removeSecret,
  replaceSecret,
  writeSecret,
} from './repository.js';

type Stored = readonly { name: string; ciphertext: Buffer }[];

/** Secrets of the service, encrypted in the database under a key that is not in the database. */
export class Secrets {
  private key: Buffer | undefined;
  private previous: Buffer | undefined;

  constructor(
    private readonly db: Database,
    private readonly config: Config,
  ) {}

  /**
   * Takes the key from the configuration, else from the data folder, and tries it on every stored secret. What only
   * the previous key opens is encrypted again under the current one, so that the previous may be dropped.
   * @throws when a stored secret opens under neither key
   */
  async start(): Promise<void> {
    const { secretKey, secretKeyPrevious } = this.config;
    const stored = await readAllSecrets(this.db);
    this.previous = secretKeyPrevious === undefined ? undefined : readKey(secretKeyPrevious);
    if (secretKey === undefined) await this.takeKeyFile(stored);
    else this.key = readKey(secretKey);
    const key = this.currentKey();
    const closed: string[] = [];
    for (const { name, ciphertext } of stored) {
      if (open(key, name, ciphertext)) continue;
      const value = this.previous && open(this.previous, name, ciphertext);
      if (value) await replaceSecret(this.db, name, ciphertext, seal(key, name, value));
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
    return ciphertext && this.opened(name, ciphertext);
  }

  /** The values of those of the names there are. @throws when neither key opens one of them */
  async getAll(names: readonly string[]): Promise<Map<string, Buffer>> {
    if (names.length === 0) return new Map();
    return new Map(
      (await readSecrets(this.db, names)).map(({ name, ciphertext }) => [name, this.opened(name, ciphertext)]),
    );
  }

  /** @param uow stores it as part of this */
  async set(name: string, value: Buffer, uow?: UnitOfWork): Promise<void> {
    await writeSecret(uow ?? this.db, name, seal(this.currentKey(), name, value));
  }

  /** Deletes a secret; one that is gone already is no fault. @param uow deletes it as part of this */
  async remove(name: string, uow?: UnitOfWork): Promise<void> {
    await removeSecret(uow ?? this.db, name);
  }

  /** Which of the names have a secret. @param at reads within this */
  async present(names: readonly string[], at: Database | UnitOfWork = this.db): Promise<Set<string>> {
    return await presentSecrets(at, names);
  }

  /** The secret of the name, made by whichever node is first; all nodes get the same. */
  async getOrCreate(name: string, make: () => Buffer): Promise<Buffer> {
    const before = await this.get(name);
    if (before) return before;
    await createSecret(this.db, name, seal(this.currentKey(), name, make()));
    return (await this.get(name))!;
  }

  /**
   * Takes the key of the data folder. Where a rotation was interrupted, the stored secrets tell how far it came: they
   * were encrypted anew all at once, or not at all.
   */
  private async takeKeyFile(stored: Stored): Promise<void> {
    const { dataDir } = this.config;
    // The next key first: where it is gone, whoever promoted it has put it in the place that is read then.
    const text = await nextKeyFile(dataDir);
    this.key = readKey(await keyFile(dataDir));
    if (text === undefined) return;
    const next = readKey(text);
    if (!stored.some(({ name, ciphertext }) => open(next, name, ciphertext))) return await discardKey(dataDir);
    await promoteKey(dataDir);
    this.previous = this.key;
    this.key = next;
  }

  private opened(name: string, ciphertext: Buffer): Buffer {
    const value = open(this.currentKey(), name, ciphertext) ?? (this.previous && open(this.previous, name, ciphertext));
    if (!value) throw new Error(this.wrongKey([name]));
    return value;
  }

  private currentKey(): Buffer {
    if (!this.key) throw new Error('secrets are used before they are started');
    return this.key;
  }

  private wrongKey(names: string[]): string {
    const source = this.config.secretKey === undefined ? `${this.config.dataDir}/secret.key` : 'LINTEL_SECRET_KEY';
    return (
      `the key of ${source} does not open the stored secrets ${names.join(', ')}: give the key they were stored under, ` +
      'or give it as LINTEL_SECRET_KEY_PREVIOUS beside a new one'
    );
  }
}
