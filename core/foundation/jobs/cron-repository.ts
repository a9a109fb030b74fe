import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';

/** The origin of jobs that a schedule queued, and of their changes. */
export const CRON_ORIGIN = 'cron';

/**
 * Whether a schedule queued a job, not a user. No event is written when such a job is queued, and when its first attempt
 * succeeds: jobs that run every minute would otherwise write most of the event log of an idle service.
 */
export const isScheduled = (origin: string, queuedBy: string | null): boolean =>
  origin === CRON_ORIGIN && queuedBy === null;

const TAKE_SLOT = {
  name: 'cron-take-slot',
  text: 'insert into cron_slots (job, slot) values ($1, $2) on conflict do nothing returning 1',
};
// In the order of the jobs, so that nodes that start at the same time do not wait for each other.
const KNOW = {
  name: 'cron-know',
  text: `insert into cron_slots (job, slot, ran) select w.job, w.slot, false from unnest($1::text[], $2::timestamptz[]) as w(job, slot)
    where not exists (select from cron_slots s where s.job = w.job) order by w.job on conflict do nothing`,
};
const MISSED = {
  name: 'cron-missed',
  text: `select w.job from unnest($1::text[], $2::timestamptz[]) as w(job, slot)
    where exists (select from cron_slots s where s.job = w.job and s.slot < w.slot)
      and not exists (select from cron_slots s where s.job = w.job and s.slot = w.slot)`,
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

/** A slot of a recurring job. */
export interface JobSlot {
  job: string;
  slot: Date;
}

const columns = (slots: readonly JobSlot[]): [string[], Date[]] => [
  slots.map(({ job }) => job),
  slots.map(({ slot }) => slot),
];

/** Records the slots as the first ones at which their jobs are known, without running them; a job with a slot is left as it is. */
export async function noteKnown(db: Database, slots: readonly JobSlot[]): Promise<void> {
  await db.query(KNOW, columns(slots));
}

/** @returns the jobs of the slots that no node claimed although the job was known before the slot */
export async function missedJobs(db: Database, slots: readonly JobSlot[]): Promise<Set<string>> {
  const rows = await db.query<{ job: string }>(MISSED, columns(slots));
  return new Set(rows.map(({ job }) => job));
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
