import type { Database } from '../foundation/db/database.js';
import type { UnitOfWork } from '../foundation/db/unit-of-work.js';

/** Each is a row of the settings table: the values that were set, without the defaults. */
export type SectionKey = 'general' | 'logo' | 'smtp' | 'ai' | 'sso';
const KEYS: readonly SectionKey[] = ['general', 'logo', 'smtp', 'ai', 'sso'];

interface StoredSection<V = Record<string, unknown>> {
  value: V;
  version: number;
}

const SEED = {
  name: 'settings-seed',
  text: `insert into settings (key, value) select key, '{}' from unnest($1::text[]) key on conflict (key) do nothing`,
};
const READ = { name: 'settings-read', text: `select value, version from settings where key = $1` };
const LOCK = { name: 'settings-lock', text: `${READ.text} for update` };
const SHARE = { name: 'settings-share', text: `${READ.text} for share` };
const WRITE = {
  name: 'settings-write',
  text: `update settings set value = $2, version = version + 1,
      updated_at = greatest(updated_at + interval '1 ms', date_trunc('milliseconds', clock_timestamp()))
    where key = $1 returning version`,
};

/** Creates the rows, so that a change can lock them. */
export async function seedSettings(db: Database): Promise<void> {
  await db.query(SEED, [KEYS]);
}

export async function readSection<V>(db: Database, key: SectionKey): Promise<StoredSection<V>> {
  return (await db.query<StoredSection<V> & Record<string, unknown>>(READ, [key]))[0]!;
}

export async function lockSection<V>(uow: UnitOfWork, key: SectionKey): Promise<StoredSection<V>> {
  return (await uow.query<StoredSection<V> & Record<string, unknown>>(LOCK, [key]))[0]!;
}

/** Reads a section that no other transaction can change until the unit of work ends. */
export async function shareSection<V>(uow: UnitOfWork, key: SectionKey): Promise<StoredSection<V>> {
  return (await uow.query<StoredSection<V> & Record<string, unknown>>(SHARE, [key]))[0]!;
}

/** @returns the new version */
export async function writeSection(uow: UnitOfWork, key: SectionKey, value: object): Promise<number> {
  return (await uow.query<{ version: number }>(WRITE, [key, JSON.stringify(value)]))[0]!.version;
}
