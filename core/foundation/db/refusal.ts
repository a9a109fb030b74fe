import { Problem } from '../errors.js';
import { databaseProblem } from './constraints.js';
import { mayRetry } from './unit-of-work.js';

/**
 * The problem of an error that what was sent causes, such as a violated constraint or a value that cannot be stored.
 * @returns undefined for errors after which the transaction runs again (no single row causes a deadlock), and for those
 * of the service or the database
 */
export function refusalOf(error: unknown): Problem | undefined {
  if (mayRetry(error)) return undefined;
  const refusal = error instanceof Problem ? error : databaseProblem(error);
  return refusal && refusal.status < 500 ? refusal : undefined;
}
