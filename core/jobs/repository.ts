import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';

/** How long a claim holds without a heartbeat. */
export const LEASE_MS = 15_000;

export interface ClaimedJob {
  id: string;
  type: string;
  payload: unknown;
  origin: string;
  fence: string;
  attempts: number;
  max_attempts: number;
}

export interface NewJob {
  id: string;
  type: string;
  payload: unknown;
  origin: string;
  maxAttempts: number;
  /** From when it may run; null for now. */
  runAt: Date | null;
  createdBy: string | null;
}

const INSERT = {
  name: 'job-insert',
  text: `insert into jobs (id, type, payload, origin, max_attempts, run_at, created_by)
    values ($1, $2, $3, $4, $5, coalesce($6, clock_timestamp()), $7)`,
};
/**
 * Due jobs and those whose node is gone. Types take turns: the types this node runs fewest of come first. Rows are
 * locked FOR UPDATE, against which a guarded transaction of the former owner holds its key lock: its job is left
 * alone until that transaction has ended.
 */
const CLAIM = {
  name: 'job-claim',
  text: `with candidates as (
      select j.id, row_number() over (partition by t.type order by j.run_at, j.id) + t.busy as turn, j.run_at
      from unnest($1::text[], $2::int[]) as t(type, busy) cross join lateral (
        select id, run_at from jobs
        where type = t.type and ((state = 'queued' and run_at <= clock_timestamp()) or (state = 'running' and lease_until < clock_timestamp()))
        order by run_at, id limit $3 for update skip locked) j),
    chosen as (select id from candidates order by turn, run_at, id limit $3)
    update jobs set state = 'running', version = version + 1, fence = fence + 1, attempts = attempts + 1, error = null,
      lease_until = clock_timestamp() + $4 * interval '1 ms'
    from chosen where jobs.id = chosen.id
    returning jobs.id, type, payload, origin, fence::text, attempts, max_attempts`,
};
const RENEW = {
  name: 'job-renew',
  text: `update jobs set lease_until = clock_timestamp() + $3 * interval '1 ms'
    from unnest($1::uuid[], $2::bigint[]) as held(id, fence)
    where jobs.id = held.id and jobs.fence = held.fence and state = 'running' returning jobs.id`,
};
const HELD = {
  name: 'job-held',
  text: `select jobs.id from unnest($1::uuid[], $2::bigint[]) as held(id, fence)
    join jobs on jobs.id = held.id and jobs.fence = held.fence where state = 'running'`,
};
const PROGRESS = {
  name: 'job-progress',
  text: `update jobs set progress = $3 where id = $1 and fence = $2 and state = 'running' returning 1`,
};
// A key lock lets heartbeats through and keeps every claim out.
const GUARD = {
  name: 'job-guard',
  text: `select 1 from jobs where id = $1 and fence = $2 and state = 'running' and lease_until > clock_timestamp() for key share`,
};
const SETTLE = {
  name: 'job-settle',
  text: `update jobs set state = $3, version = version + 1, result = $4, error = $5, lease_until = null,
      run_at = case when $3 = 'queued' then clock_timestamp() + $6 * interval '1 ms' else run_at end,
      finished_at = case when $3 = 'queued' then null else clock_timestamp() end
    where id = $1 and fence = $2 and state = 'running' returning 1`,
};
const GIVE_BACK = {
  name: 'job-give-back',
  text: `update jobs set state = 'queued', version = version + 1, lease_until = null, attempts = attempts - 1
    from unnest($1::uuid[], $2::bigint[]) as held(id, fence)
    where jobs.id = held.id and jobs.fence = held.fence and state = 'running'`,
};
const TAKE_SLOT = { name: 'cron-take-slot', text: 'insert into cron_slots (job, slot) values ($1, $2) on conflict do nothing returning 1' };
const LATEST_SLOT = { name: 'cron-latest-slot', text: 'select max(slot) as slot from cron_slots where job = $1' };
const CLEAN_SLOTS = {
  name: 'cron-clean-slots',
  text: `delete from cron_slots s where taken_at < clock_timestamp() - interval '30 days'
    and slot < (select max(slot) from cron_slots m where m.job = s.job) returning 1`,
};
const CLEAN_KEYS = {
  name: 'idempotency-clean',
  text: `delete from idempotency_keys where created_at < clock_timestamp() - interval '24 hours' returning 1`,
};

export async function insertJob(uow: UnitOfWork, job: NewJob): Promise<void> {
  await uow.query(INSERT, [job.id, job.type, JSON.stringify(job.payload ?? {}), job.origin, job.maxAttempts, job.runAt, job.createdBy]);
}

/**
 * @param types registered here, with how many of each run here now
 * @param free at most so many
 */
export async function claimJobs(db: Database, types: ReadonlyMap<string, number>, free: number): Promise<ClaimedJob[]> {
  return await db.query<ClaimedJob & Record<string, unknown>>(CLAIM, [[...types.keys()], [...types.values()], free, LEASE_MS]);
}

type Held = readonly { id: string; fence: string }[];
const columns = (held: Held): [string[], string[]] => [held.map((j) => j.id), held.map((j) => j.fence)];

/** Prolongs leases. @returns the ids that are still held */
export async function renewLeases(db: Database, held: Held): Promise<Set<string>> {
  return new Set((await db.query<{ id: string }>(RENEW, [...columns(held), LEASE_MS])).map(({ id }) => id));
}

/** @returns the ids that are still held; nothing is written */
export async function heldJobs(db: Database, held: Held): Promise<Set<string>> {
  return new Set((await db.query<{ id: string }>(HELD, columns(held))).map(({ id }) => id));
}

/** @returns whether the job is still held */
export async function writeProgress(db: Database, id: string, fence: string, progress: unknown): Promise<boolean> {
  return (await db.query(PROGRESS, [id, fence, JSON.stringify(progress ?? {})])).length > 0;
}

/** Keeps the job from being claimed by others until the transaction ends. @returns whether it is still held */
export async function lockHeld(uow: UnitOfWork, id: string, fence: string): Promise<boolean> {
  return (await uow.query(GUARD, [id, fence])).length > 0;
}

export type Outcome =
  | { state: 'done'; result: unknown }
  | { state: 'failed'; error: string }
  | { state: 'queued'; error: string; delayMs: number };

/** Ends an attempt. @returns whether the job was still held */
export async function settleJob(uow: UnitOfWork, id: string, fence: string, outcome: Outcome): Promise<boolean> {
  const result = outcome.state === 'done' ? JSON.stringify(outcome.result ?? null) : null;
  const error = outcome.state === 'done' ? null : outcome.error;
  const delay = outcome.state === 'queued' ? outcome.delayMs : 0;
  return (await uow.query(SETTLE, [id, fence, outcome.state, result, error, delay])).length > 0;
}

/** Lets others run what this node did not finish; the attempt does not count. */
export async function giveBack(db: Database, held: Held): Promise<void> {
  await db.query(GIVE_BACK, columns(held));
}

/** @returns whether this call took the slot */
export async function takeSlot(uow: UnitOfWork, job: string, slot: Date): Promise<boolean> {
  return (await uow.query(TAKE_SLOT, [job, slot])).length > 0;
}

/** The latest slot anybody took; null where the job never ran. */
export async function latestSlot(db: Database, job: string): Promise<Date | null> {
  return (await db.query<{ slot: Date | null }>(LATEST_SLOT, [job]))[0]!.slot;
}

/** Deletes slots older than 30 days, but of each job the latest. @returns how many */
export async function cleanSlots(db: Database): Promise<number> {
  return (await db.query(CLEAN_SLOTS)).length;
}

/** Deletes Idempotency-Keys older than 24 hours. @returns how many */
export async function cleanIdempotencyKeys(db: Database): Promise<number> {
  return (await db.query(CLEAN_KEYS)).length;
}
