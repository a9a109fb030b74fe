import { problem, type Problem } from '../errors.js';

/** What a violated constraint means to the caller, by its name. */
const CONSTRAINTS = new Map<string, () => Problem>();
/** Registers what a constraint answers as: the core's from `core/constraints.ts`, those of modules when they are mounted. */
export function registerConstraint(name: string, make: () => Problem): void {
  CONSTRAINTS.set(name, make);
}

const REFUSED_VALUE = new Set(['22003', '22007', '22008', '22009', '22P02', '54000']);
const AWAY = new Set([
  // No way to the server: it refuses, is cut off, or its name means nothing.
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
  '08P01',
  // It lets nobody in: stopping or starting, full, or with other accounts and databases than we know.
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  '28000',
  '28P01',
  '3D000',
  // It cannot write: no memory, or only a copy of the one that can.
  '53200',
  '25006',
]);
/** It cannot write: no space, or a device that fails. */
const FULL = new Set(['53100', '58030']);
const AWAY_TEXT =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Cannot use a pool after calling end|server closed the connection/i;

/**
 * The problem a database error answers as.
 * @returns undefined where the error is none of the caller's doing and the database is there
 */
export function databaseProblem(error: unknown): Problem | undefined {
  const { code, constraint, message } = error as { code?: string; constraint?: string; message?: string };
  const known = constraint ? CONSTRAINTS.get(constraint) : undefined;
  if (known) return known();
  if (code === '23505' || code === '23503' || code === '23P01') return problem('conflict', { cause: error });
  if (code === '23514' || code === '22P05' || code === '22021')
    return problem('validation_failed', { cause: error, errors: [] });
  // A value that passed its schema but not the type of its column: out of range, in no calendar, too big for an index.
  if (REFUSED_VALUE.has(code ?? ''))
    return problem('validation_failed', {
      detail: 'A value is out of the range that can be stored or compared.',
      cause: error,
      errors: [],
    });
  if (code === '40001' || code === '40P01' || code === '55P03')
    return problem('conflict', { detail: 'Others changed the same rows; try again.', headers: { 'retry-after': '1' } });
  // Cancelled for its length: what is asked for decides how long it takes.
  if (code === '57014') return problem('too_expensive', { cause: error });
  if (FULL.has(code ?? '')) return problem('storage_full', { headers: { 'retry-after': '10' }, cause: error });
  if (AWAY.has(code ?? '') || AWAY_TEXT.test(message ?? ''))
    return problem('unavailable', { headers: { 'retry-after': '5' }, cause: error });
  return undefined;
}
