import { CORE_MIGRATIONS, currentName } from './migrate.js';
import type { Database } from './database.js';

export interface DatabaseState {
  database: 'ok' | 'failed';
  /**
   * `pending` while the schema is older than this build requires; `newer` where a newer version has migrated it: this node
   * serves until it is replaced, but would not start again.
   */
  migrations: 'ok' | 'newer' | 'pending' | 'unknown';
}

const APPLIED = { name: 'readiness', text: 'select name from lintel_migrations' };

/** Checks whether the database answers and has the schema of this build; a newer schema is accepted. */
export async function databaseState(db: Database): Promise<DatabaseState> {
  try {
    const applied = new Set((await db.rows(APPLIED)).map(([name]) => currentName(name!)));
    if (!CORE_MIGRATIONS.every((name) => applied.has(name))) return { database: 'ok', migrations: 'pending' };
    return { database: 'ok', migrations: applied.size > CORE_MIGRATIONS.length ? 'newer' : 'ok' };
  } catch {
    return { database: 'failed', migrations: 'unknown' };
  }
}
