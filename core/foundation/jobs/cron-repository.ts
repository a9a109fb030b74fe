import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';

/** The origin of jobs that a schedule queued, and of their changes. */
export const CRON_ORIGIN = 'cron';

const TAKE_SLOT = {
  name: 'cron-take-slot',
  text: 'insert into cron_slots (job, slot) values ($1, $2) on conflict do nothing returning 1',
};
const KNOW = {
  name: 'cron-know',
  text: 'insert into cron_slots (job, slot, ran) select $1, $2, false where not exists (select from cron_slots where job = $1) on conflict do nothing',
};
const IS_MISSED = {
  name: 'cron-is-missed',
  text: `select exists (select from cron_slots where job = $1 and slot < $2) and not exists (select from cron_slots where job = $1 and slot = $2) as missed`,
};

// Concurrent requests for the same job wait for each other; a separate statement, because the next one must see what was
// committed before.
const LOCK = {
  name: 'cron-lock',
  text: `select pg_advisory_xact_lock(hashtextextended('cron ' || $1, 7))`,
};
const CURRENT = `select j.id from jobs j where j.type = w.type and j.origin = '${CRON_ORIGIN}' and j.state in ('queued', 'running') order by j.run_at, j.id limit 1`;
const RUNS = {
  name: 'cron-runs',
  text: `select w.job, (select max(s.slot) from cron_slots s where s.job = w.job and s.ran) as last_run_at, (${CURRENT}) as job_id
    from unnest($1::text[], $2::text[]) as w(job, type)`,
};

/** @returns whether this call claimed the slot */
export async function takeSlot(uow: UnitOfWork, job: string, slot: Date): Promise<boolean> {
  return (await uow.query(TAKE_SLOT, [job, slot])).length > 0;
}

/** Records the first slot at which a job is known, without running it; does nothing if the job already has a slot. */
export async function noteKnown(db: Database, job: string, slot: Date): Promise<void> {
  await db.query(KNOW, [job, slot]);
}

/** Whether no node claimed the slot although the job was known before it. */
export async function isMissed(db: Database, job: string, slot: Date): Promise<boolean> {
  return (await db.query<{ missed: boolean }>(IS_MISSED, [job, slot]))[0]!.missed;
}

/** Makes concurrent requests to run a recurring job wait until the unit of work ends. */
export async function lockCron(uow: UnitOfWork, job: string): Promise<void> {
  await uow.query(LOCK, [job]);
}

/** What is stored about a recurring job. */
export interface CronRuns {
  job: string;
  /** The last slot for which a job was queued. */
  last_run_at: Date | null;
  /** Its job that is queued or running. */
  job_id: string | null;
}

/** @param crons recurring jobs with the type of the jobs that they queue */
export async function readRuns(
  on: Pick<UnitOfWork, 'query'> | Pick<Database, 'query'>,
  crons: readonly { job: string; type: string }[],
): Promise<CronRuns[]> {
  return await on.query<CronRuns & Record<string, unknown>>(RUNS, [
    crons.map(({ job }) => job),
    crons.map(({ type }) => type),
  ]);
}
