import { CORE_MIGRATIONS } from './migrate.js';
import type { Database } from './database.js';

export interface DatabaseState {
  database: 'ok' | 'failed';
  /** `pending` while the schema is older than this build requires. */
  migrations: 'ok' | 'pending' | 'unknown';
}

const APPLIED = { name: 'readiness', text: 'select name from lintel_migrations' };

/** Checks whether the database answers and has the schema of this build; a newer schema is accepted. */
export async function databaseState(db: Database): Promise<DatabaseState> {
  try {
    const applied = new Set((await db.rows(APPLIED)).map(([name]) => name));
    return { database: 'ok', migrations: CORE_MIGRATIONS.every((name) => applied.has(name)) ? 'ok' : 'pending' };
  } catch {
    return { database: 'failed', migrations: 'unknown' };
  }
}
