import type { UnitOfWork } from '../db/unit-of-work.js';
import { uuidv7 } from '../ids.js';

export interface OnceOptions {
  type: string;
  /** Origin of the jobs' changes in the event log. */
  origin: string;
  /** Minimum delay from now, in milliseconds. */
  delayMs: number;
  maxAttempts: number;
}

/**
 * A queued job with the same payload is locked until the unit of work ends, so that it is not claimed before this
 * transaction's changes are visible. If such a job is being claimed right now, this waits, and then treats it as
 * running.
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
 * Queues a job for each payload that has no queued job yet, in a unit of work and one statement. A running job does not
 * count: it may already have read the data that this transaction changes.
 * @param payloads must be distinct
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
