import type { Database, Statement } from './database.js';

/** Rows a statement deletes at most, so that none holds many locks or takes long. */
const STEP = 5_000;
/** What is left after so many statements waits for the next time. */
const STEPS = 200;

/**
 * Deletes in steps, each a transaction of its own.
 * @param statement deletes as many rows as `$1` says at most, and returns a row for each
 */
export async function deleteInSteps(db: Database, statement: Statement): Promise<void> {
  for (let n = 0; n < STEPS; n++) if ((await db.query(statement, [STEP])).length < STEP) return;
}
