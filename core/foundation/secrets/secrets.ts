import type { Config } from '../../../config/schema.js';
import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';
import { open, readKey, seal } from './cipher.js';
import { discardKey, keyFile, nextKeyFile, promoteKey } from './key-file.js';
import {
  createSecret,
  presentSecrets,
  readAllSecrets,
  readNewestSecret,
  readSecret,
  readSecrets,
  removeSecret,
  replaceSecret,
  writeSecret,
} from './repository.js';

type Stored = readonly { name: string; ciphertext: Buffer }[];

/** Secrets of the service, encrypted in the database with a key that is not in the database. */
export class Secrets {
  private key: Buffer | undefined;
  private previous: Buffer | undefined;

  constructor(
    private readonly db: Database,
    private readonly config: Config,
  ) {}

  /**
   * Reads the key from the configuration, else from the data folder, and decrypts every stored secret with it. Secrets
   * that only the previous key decrypts are re-encrypted with the current one, so that the previous key can be removed.
   * @throws when neither key decrypts a stored secret
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
   * Whether the keys of this node decrypt the secret that was stored last. They do not after the secrets were encrypted with
   * another key, or a database of another key was restored: then this node would not start again.
   */
  async opensNewest(): Promise<boolean> {
    const newest = await readNewestSecret(this.db);
    return !newest || this.unseal(newest.name, newest.ciphertext) !== undefined;
  }

  /**
   * @returns the value; undefined where the name does not exist
   * @throws when neither key decrypts it
   */
  async get(name: string): Promise<Buffer | undefined> {
    const ciphertext = await readSecret(this.db, name);
    return ciphertext && this.opened(name, ciphertext);
  }

  /** The values of those names that exist. @throws when neither key decrypts one of them */
  async getAll(names: readonly string[]): Promise<Map<string, Buffer>> {
    if (names.length === 0) return new Map();
    return new Map(
      (await readSecrets(this.db, names)).map(({ name, ciphertext }) => [name, this.opened(name, ciphertext)]),
    );
  }

  /** @param uow stores it within this transaction */
  async set(name: string, value: Buffer, uow?: UnitOfWork): Promise<void> {
    await writeSecret(uow ?? this.db, name, seal(this.currentKey(), name, value));
  }

  /** Deletes a secret; a missing one is not an error. @param uow deletes it within this transaction */
  async remove(name: string, uow?: UnitOfWork): Promise<void> {
    await removeSecret(uow ?? this.db, name);
  }

  /** The names that have a secret. @param at reads with this database or transaction */
  async present(names: readonly string[], at: Database | UnitOfWork = this.db): Promise<Set<string>> {
    return await presentSecrets(at, names);
  }

  /** The secret of the name, created by the first node that needs it; all nodes get the same value. */
  async getOrCreate(name: string, make: () => Buffer): Promise<Buffer> {
    const before = await this.get(name);
    if (before) return before;
    await createSecret(this.db, name, seal(this.currentKey(), name, make()));
    return (await this.get(name))!;
  }

  /**
   * Encrypts a value that is stored elsewhere. It is lost when the key is replaced twice.
   * @param purpose authenticated with the value, so that it cannot serve for another one
   */
  seal(purpose: string, value: Buffer): Buffer {
    return seal(this.currentKey(), purpose, value);
  }

  /** @returns the value of `seal`; undefined where neither key decrypts it */
  unseal(purpose: string, sealed: Buffer): Buffer | undefined {
    return open(this.currentKey(), purpose, sealed) ?? (this.previous && open(this.previous, purpose, sealed));
  }

  /**
   * Reads the key from the data folder. After an interrupted rotation the stored secrets show its progress: either all
   * or none of them were re-encrypted.
   */
  private async takeKeyFile(stored: Stored): Promise<void> {
    const { dataDir } = this.config;
    // The next key must be read first: if it does not exist, another process has already moved it to the file read
    // second.
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
    const value = this.unseal(name, ciphertext);
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
