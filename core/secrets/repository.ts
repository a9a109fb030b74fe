import type { Database } from '../db/database.js';

const READ = { name: 'secret-read', text: 'select ciphertext from secrets where name = $1' };
const READ_ALL = { name: 'secrets-read-all', text: 'select name, ciphertext from secrets' };
const CREATE = { name: 'secret-create', text: 'insert into secrets (name, ciphertext) values ($1, $2) on conflict (name) do nothing' };
const WRITE = {
  name: 'secret-write',
  text: `insert into secrets (name, ciphertext) values ($1, $2)
    on conflict (name) do update set ciphertext = excluded.ciphertext, updated_at = clock_timestamp()`,
};
const REPLACE = { name: 'secret-replace', text: 'update secrets set ciphertext = $3 where name = $1 and ciphertext = $2' };

export async function readSecret(db: Database, name: string): Promise<Buffer | undefined> {
  const [row] = await db.query<{ ciphertext: Buffer }>(READ, [name]);
  return row?.ciphertext;
}

export async function readAllSecrets(db: Database): Promise<{ name: string; ciphertext: Buffer }[]> {
  return await db.query<{ name: string; ciphertext: Buffer }>(READ_ALL);
}

/** Stores the secret unless there is one of the name. */
export async function createSecret(db: Database, name: string, ciphertext: Buffer): Promise<void> {
  await db.query(CREATE, [name, ciphertext]);
}

export async function writeSecret(db: Database, name: string, ciphertext: Buffer): Promise<void> {
  await db.query(WRITE, [name, ciphertext]);
}

/** Replaces a ciphertext by another of the same value, unless the secret was changed meanwhile. */
export async function replaceSecret(db: Database, name: string, before: Buffer, ciphertext: Buffer): Promise<void> {
  await db.query(REPLACE, [name, before, ciphertext]);
}
