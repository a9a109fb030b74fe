import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';
import type { JobEnd } from './definition.js';

/** Jobs read at a time. */
const CHUNK = 20;

const DUE = {
  name: 'job-ends-due',
  text: `select id, type, origin from jobs where end_due_at <= statement_timestamp() and type = any($1::text[]) order by end_due_at limit ${CHUNK}`,
};
// FOR UPDATE conflicts with the key share lock of a guarded transaction: the job is skipped until the last one has ended.
const TAKE = {
  name: 'job-end-take',
  text: `update jobs set end_due_at = null
    where id = any(array(select id from jobs where id = $1 and end_due_at <= statement_timestamp() for update skip locked))
    returning id, payload, state, result, error, created_by as "queuedBy"`,
};
// The delay is the time since the end of the job, so that it doubles.
const POSTPONE = {
  name: 'job-end-postpone',
  text: `update jobs set end_due_at = clock_timestamp() + least(greatest(clock_timestamp() - finished_at, interval '2 s'), interval '10 min')
    where id = $1 and end_due_at is not null`,
};

export interface DueEnd {
  id: string;
  type: string;
  origin: string;
}

/** The jobs of these types whose call of `ended` is due now, the longest due first; at most 20. */
export async function dueEnds(db: Database, types: readonly string[]): Promise<DueEnd[]> {
  return await db.query<DueEnd & Record<string, unknown>>(DUE, [types]);
}

/** Stores that `ended` was called. @returns the job; undefined where the call was made, is being made, or is not due any more */
export async function takeEnd(uow: UnitOfWork, id: string): Promise<Omit<JobEnd, 'uow'> | undefined> {
  return (await uow.query<Omit<JobEnd, 'uow'> & Record<string, unknown>>(TAKE, [id]))[0];
}

/** Repeats the call later: after 2 s, then with delays that double up to 10 minutes. */
export async function postponeEnd(db: Database, id: string): Promise<void> {
  await db.query(POSTPONE, [id]);
}
