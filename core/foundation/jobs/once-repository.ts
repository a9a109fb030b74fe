import type { UnitOfWork } from '../db/unit-of-work.js';
import { uuidv7 } from '../ids.js';

export interface OnceOptions {
  type: string;
  /** What the event log says of what the jobs do. */
  origin: string;
  /** Milliseconds from now before which they do not run. */
  delayMs: number;
  maxAttempts: number;
}

/**
 * A job that waits is held until the unit of work ends: it is not claimed before it can see what was written here.
 * One that is being claimed right now is waited for, and then counts as one that runs.
 */
const QUEUE = {
  name: 'jobs-queue-once',
  text: `with wanted as (select * from jsonb_to_recordset($1::jsonb) as w(id uuid, payload jsonb)),
    held as materialized (select j.payload from jobs j
      where j.type = $2 and j.state = 'queued' and j.payload in (select payload from wanted) order by j.id for share of j)
    insert into jobs (id, type, payload, origin, max_attempts, run_at)
    select w.id, $2, w.payload, $3, $4, clock_timestamp() + $5 * interval '1 ms' from wanted w where w.payload not in (select payload from held)
    returning id`,
};

/**
 * Queues a job for each payload that none waits for already, in a unit of work and one statement. A job that runs
 * does not count: it may be past what it would have to see.
 * @param payloads different ones
 */
export async function queueOnce(
  uow: UnitOfWork,
  { type, origin, delayMs, maxAttempts }: OnceOptions,
  payloads: readonly object[],
): Promise<void> {
  const wanted = JSON.stringify(payloads.map((payload) => ({ id: uuidv7(), payload })));
  for (const { id } of await uow.query<{ id: string }>(QUEUE, [wanted, type, origin, maxAttempts, delayMs])) {
    uow.emit({ type: 'job.queued', subject: { kind: 'job', id, type, name: type } });
  }
}
