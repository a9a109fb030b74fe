import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';

const READ = { name: 'secret-read', text: 'select ciphertext from secrets where name = $1' };
const READ_ALL = { name: 'secrets-read-all', text: 'select name, ciphertext from secrets' };
const READ_SOME = { name: 'secrets-read-some', text: 'select name, ciphertext from secrets where name = any($1)' };
const READ_NEWEST = {
  name: 'secret-read-newest',
  text: 'select name, ciphertext from secrets order by updated_at desc, name limit 1',
};
const PRESENT = { name: 'secrets-present', text: 'select name from secrets where name = any($1)' };
const CREATE = {
  name: 'secret-create',
  text: 'insert into secrets (name, ciphertext) values ($1, $2) on conflict (name) do nothing',
};
const WRITE = {
  name: 'secret-write',
  text: `insert into secrets (name, ciphertext) values ($1, $2)
    on conflict (name) do update set ciphertext = excluded.ciphertext, updated_at = clock_timestamp()`,
};
const REMOVE = { name: 'secret-remove', text: 'delete from secrets where name = $1' };
const EXISTS = { name: 'secrets-exist', text: `select to_regclass('secrets') is not null as exist` };
// Blocks writers until the transaction ends, but not readers.
const LOCK = { name: 'secrets-lock', text: 'lock table secrets in share row exclusive mode' };
const REPLACE = {
  name: 'secret-replace',
  text: 'update secrets set ciphertext = $3 where name = $1 and ciphertext = $2',
};

export async function readSecret(db: Database, name: string): Promise<Buffer | undefined> {
  const [row] = await db.query<{ ciphertext: Buffer }>(READ, [name]);
  return row?.ciphertext;
}

export async function readAllSecrets(at: Database | UnitOfWork): Promise<{ name: string; ciphertext: Buffer }[]> {
  return await at.query<{ name: string; ciphertext: Buffer }>(READ_ALL);
}

/** The secret that was stored last; undefined if there is none. */
export async function readNewestSecret(db: Database): Promise<{ name: string; ciphertext: Buffer } | undefined> {
  return (await db.query<{ name: string; ciphertext: Buffer }>(READ_NEWEST))[0];
}

/** The secrets that exist among the names. */
export async function readSecrets(
  db: Database,
  names: readonly string[],
): Promise<{ name: string; ciphertext: Buffer }[]> {
  return await db.query<{ name: string; ciphertext: Buffer }>(READ_SOME, [names]);
}

/** The names that have a secret. */
export async function presentSecrets(at: Database | UnitOfWork, names: readonly string[]): Promise<Set<string>> {
  return new Set((await at.query<{ name: string }>(PRESENT, [names])).map(({ name }) => name));
}

/** Whether the table exists: it does not before the first start of a service. */
export async function secretsExist(db: Database): Promise<boolean> {
  return (await db.query<{ exist: boolean }>(EXISTS))[0]!.exist;
}

/** Blocks changes of all secrets until the transaction ends. */
export async function lockSecrets(uow: UnitOfWork): Promise<void> {
  await uow.query(LOCK);
}

/** Stores the secret unless the name exists. */
export async function createSecret(db: Database, name: string, ciphertext: Buffer): Promise<void> {
  await db.query(CREATE, [name, ciphertext]);
}

export async function writeSecret(at: Database | UnitOfWork, name: string, ciphertext: Buffer): Promise<void> {
  await at.query(WRITE, [name, ciphertext]);
}

export async function removeSecret(at: Database | UnitOfWork, name: string): Promise<void> {
  await at.query(REMOVE, [name]);
}

/** Replaces a ciphertext by another of the same value, unless the secret was changed in the meantime. */
export async function replaceSecret(
  at: Database | UnitOfWork,
  name: string,
  before: Buffer,
  ciphertext: Buffer,
): Promise<void> {
  await at.query(REPLACE, [name, before, ciphertext]);
}
