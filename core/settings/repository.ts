import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';
import type { SettingsPatch } from './schemas.js';

/** What was set, without the defaults. */
export interface StoredSettings {
  value: SettingsPatch;
  version: number;
}

const GENERAL = 'general';
const SEED = { name: 'settings-seed', text: `insert into settings (key, value) values ('${GENERAL}', '{}') on conflict (key) do nothing` };
const READ = { name: 'settings-read', text: `select value, version from settings where key = '${GENERAL}'` };
const LOCK = { name: 'settings-lock', text: `${READ.text} for update` };
const WRITE = {
  name: 'settings-write',
  text: `update settings set value = $1, version = version + 1,
      updated_at = greatest(updated_at + interval '1 ms', date_trunc('milliseconds', clock_timestamp()))
    where key = '${GENERAL}' returning version`,
};

/** Makes the row a change can lock. */
export async function seedSettings(db: Database): Promise<void> {
  await db.query(SEED);
}

export async function readSettings(db: Database): Promise<StoredSettings> {
  return (await db.query<StoredSettings & Record<string, unknown>>(READ))[0]!;
}

export async function lockSettings(uow: UnitOfWork): Promise<StoredSettings> {
  return (await uow.query<StoredSettings & Record<string, unknown>>(LOCK))[0]!;
}

/** @returns the new version */
export async function writeSettings(uow: UnitOfWork, value: SettingsPatch): Promise<number> {
  return (await uow.query<{ version: number }>(WRITE, [JSON.stringify(value)]))[0]!.version;
}
