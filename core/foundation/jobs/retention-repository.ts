import type { Database } from '../db/database.js';

/** Jobs per statement, so that no transaction locks many rows for long. */
const CHUNK = 5_000;

const CLEAN_JOBS = {
  name: 'job-clean',
  text: `delete from jobs where id = any(array(
      select id from jobs where (state in ('done', 'cancelled') and finished_at < now() - $1 * interval '1 day')
      union all select id from jobs where state = 'failed' and finished_at < now() - $2 * interval '1 day' limit $3))
    and state in ('done', 'cancelled', 'failed') returning 1`,
};
const CLEAN_SLOTS = {
  name: 'cron-clean-slots',
  text: `delete from cron_slots s where taken_at < clock_timestamp() - interval '30 days'
    and slot < (select max(slot) from cron_slots m where m.job = s.job) returning 1`,
};
const CLEAN_KEYS = {
  name: 'idempotency-clean',
  text: `delete from idempotency_keys where created_at < clock_timestamp() - interval '24 hours' returning 1`,
};

/** Days after its end until a job is deleted. */
const JOB_RETENTION = { finished: 30, failed: 90 };

/** Deletes expired jobs; their events remain. @returns their number */
export async function cleanJobs(db: Database): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { length } = await db.query(CLEAN_JOBS, [JOB_RETENTION.finished, JOB_RETENTION.failed, CHUNK]);
    deleted += length;
    if (length < CHUNK) return deleted;
  }
}

/** Deletes slots older than 30 days, except the latest of each job. @returns their number */
export async function cleanSlots(db: Database): Promise<number> {
  return (await db.query(CLEAN_SLOTS)).length;
}

/** Deletes Idempotency-Keys older than 24 hours. @returns their number */
export async function cleanIdempotencyKeys(db: Database): Promise<number> {
  return (await db.query(CLEAN_KEYS)).length;
}
