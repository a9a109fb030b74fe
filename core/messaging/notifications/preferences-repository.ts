import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { StoredPreferences } from './types.js';

const READ = {
  name: 'notification-preferences-read',
  text: 'select value, version from notification_preferences where user_id = $1',
};
const MAKE = {
  name: 'notification-preferences-make',
  text: 'insert into notification_preferences (user_id) values ($1) on conflict do nothing',
};
const LOCK = {
  name: 'notification-preferences-lock',
  text: 'select value, version from notification_preferences where user_id = $1 for update',
};
const WRITE = {
  name: 'notification-preferences-write',
  text: 'update notification_preferences set value = $2, version = version + 1, updated_at = clock_timestamp() where user_id = $1 returning version',
};

interface PreferencesRow {
  value: StoredPreferences;
  version: number;
}
type Row = PreferencesRow & Record<string, unknown>;

/** The preferences of a user; version 1 with an empty value where the user has never set any. */
export async function readPreferences(db: Database, userId: string): Promise<PreferencesRow> {
  return (await db.query<Row>(READ, [userId]))[0] ?? { value: {}, version: 1 };
}

/** The same with a row lock until the unit of work ends. */
export async function lockPreferences(uow: UnitOfWork, userId: string): Promise<PreferencesRow> {
  await uow.query(MAKE, [userId]);
  return (await uow.query<Row>(LOCK, [userId]))[0]!;
}

/** @returns the new version */
export async function writePreferences(uow: UnitOfWork, userId: string, value: StoredPreferences): Promise<number> {
  return (await uow.query<{ version: number }>(WRITE, [userId, JSON.stringify(value)]))[0]!.version;
}
