import type { Database, Statement } from './database.js';

/** Maximum number of rows per DELETE statement, which bounds the number of row locks and the duration. */
const STEP = 5_000;
/** Maximum number of statements per call; the rest is deleted by the next call. */
const STEPS = 200;

/**
 * Deletes in batches, each in its own transaction.
 * @param statement deletes at most `$1` rows and returns one row for each
 */
export async function deleteInSteps(db: Database, statement: Statement): Promise<void> {
  for (let n = 0; n < STEPS; n++) if ((await db.query(statement, [STEP])).length < STEP) return;
}
