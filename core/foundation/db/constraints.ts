import type { FieldError } from '@lintel/sdk';
import { problem, type Problem } from '../errors.js';
import { nativeError } from './native-error.js';

/** Maps the name of a violated constraint to the problem the client receives. */
const CONSTRAINTS = new Map<string, () => Problem>();
/**
 * Registers the problem for a constraint. The core registers its own in `core/constraints.ts`, modules when they are
 * mounted.
 */
export function registerConstraint(name: string, make: () => Problem): void {
  CONSTRAINTS.set(name, make);
}

/** The value passed its schema but not a rule of its table, or is a text that cannot be stored. */
const REFUSED_BY_RULE = new Set(['23514', '22P05', '22021']);
/** The value passed its schema but not its column type: out of range, not a calendar date, or too large for an index. */
const REFUSED_VALUE = new Set(['22003', '22007', '22008', '22009', '22P02', '54000']);
/** Cancelled, as by the statement timeout. */
const TIMEOUT = '57014';
const AWAY = new Set([
  // The server cannot be reached: connection refused, connection lost, or the host name does not resolve.
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  // The server accepts no connection: it is starting or stopping, all connections are in use, or the account or
  // database does not exist.
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  '28000',
  '28P01',
  '3D000',
  // The server cannot write: it is out of memory, or it is a read-only standby.
  '53200',
  '25006',
]);
/** The server cannot write: the disk is full, or the storage device reports errors. */
const FULL = new Set(['53100', '58030']);
/**
 * A fatal protocol violation ends the connection: so does PgBouncer when it has no connection to the server. As a plain error,
 * it is a statement of ours, for instance one that does not use a value that was bound.
 */
const PROTOCOL_VIOLATION = '08P01';
const AWAY_TEXT =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Cannot use a pool after calling end|server closed the connection/i;

/**
 * Maps a database error to the problem the client receives.
 * @param part of the request that has the values
 * @returns undefined where the client did not cause the error and the database is reachable
 */
export function databaseProblem(error: unknown, part: FieldError['in'] = 'body'): Problem | undefined {
  const { code, constraint, message, severity } = nativeError(error);
  const known = constraint ? CONSTRAINTS.get(constraint) : undefined;
  if (known) return known();
  if (code === '23505' || code === '23503' || code === '23P01') return problem('conflict', { cause: error });
  if (REFUSED_BY_RULE.has(code ?? '')) return refusedValue(error, 'has a value that cannot be stored', part);
  if (REFUSED_VALUE.has(code ?? ''))
    return refusedValue(error, 'has a value that is out of the range that can be stored or compared', part);
  if (code === '40001' || code === '40P01' || code === '55P03')
    return problem('conflict', {
      detail: 'Another request changed the same rows; try again.',
      headers: { 'retry-after': '1' },
    });
  // Cancelled by a timeout, or because of the size of its rows: the request itself is too expensive, so a retry would not help.
  if (code === TIMEOUT)
    return problem('too_expensive', {
      detail: 'The request took too long, or what it reads is too large; narrow it, such as by a smaller page_size.',
      cause: error,
    });
  if (FULL.has(code ?? '')) return problem('storage_full', { headers: { 'retry-after': '10' }, cause: error });
  const isAway = AWAY.has(code ?? '') || (code === PROTOCOL_VIOLATION && severity === 'FATAL');
  if (isAway || AWAY_TEXT.test(message ?? ''))
    return problem('unavailable', { headers: { 'retry-after': '5' }, cause: error });
  return undefined;
}

/** Names the field where PostgreSQL names a column, or the constraint of one: `<table>_<column>_check`; otherwise the whole part of the request. */
function refusedValue(error: unknown, reason: string, part: FieldError['in']): Problem {
  const { table, column, constraint } = nativeError(error);
  const [, checked] = constraint?.startsWith(`${table}_`)
    ? (/^_(.+)_check$/.exec(constraint.slice(table!.length)) ?? [])
    : [];
  const name = column ?? checked;
  const field = name === undefined ? '' : `/${name}`;
  return problem('validation_failed', {
    detail: '1 invalid field',
    errors: [{ field, reason, in: part }],
    cause: error,
  });
}

/**
 * Runs work that the client cannot make smaller: a statement of it that exceeds its time is an error of the service.
 * @returns the result of the work
 * @throws unavailable for such a statement
 */
export async function ofFixedExtent<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (nativeError(error).code !== TIMEOUT) throw error;
    throw problem('unavailable', { headers: { 'retry-after': '5' }, cause: error });
  }
}
