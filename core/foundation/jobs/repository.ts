import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';
import type { JobProblem } from './definition.js';

/** Milliseconds after which the lease of a job ends unless it is renewed, for types that do not say otherwise. */
export const LEASE_MS = 15_000;
/** The shortest lease in milliseconds: leases are renewed at most once a second. */
export const SHORTEST_LEASE_MS = 3_000;
/** Number of failed attempts stored per job, and maximum length of each error text. */
const FAILURES = 10;
const FAILURE_CHARS = 500;

export interface ClaimedJob {
  id: string;
  type: string;
  payload: unknown;
  origin: string;
  fence: string;
  attempts: number;
  max_attempts: number;
  /** Milliseconds of its lease. */
  lease_ms: number;
  /** Whether it runs with the permissions of `created_by`. */
  on_behalf: boolean;
  created_by: string | null;
  /** The API token with which it was queued. */
  token_id: string | null;
}

interface NewJob {
  id: string;
  type: string;
  payload: unknown;
  origin: string;
  maxAttempts: number;
  /** Earliest start; null for now. */
  runAt: Date | null;
  createdBy: string | null;
  onBehalf: boolean;
  tokenId: string | null;
}

/** Truncated, not rounded: a job due now must not become due half a millisecond later. */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;
const withFailure = (
  attempt: string,
  error: string,
): string => `(case when jsonb_array_length(failures) < ${FAILURES} then failures else failures - 0 end)
  || jsonb_build_object('attempt', ${attempt}, 'at', ${NOW}, 'error', left(${error}, ${FAILURE_CHARS}))`;
export const NODE_LOST = 'its node was lost';

const INSERT = {
  name: 'job-insert',
  // The account may be deleted while its request is processed: the job then has no user.
  text: `insert into jobs (id, type, payload, origin, max_attempts, run_at, created_by, on_behalf, token_id)
    values ($1, $2, $3, $4, $5, greatest($6::timestamptz, ${NOW}), (select id from users where id = $7 for key share), $8, $9)`,
};
/** Milliseconds of the lease of a job by its type, of the parameters of `CLAIM`. */
const LEASE_OF_TYPE = '($2::int[])[array_position($1::text[], type)]';
/** The user in whose turn a job runs, as in the index: all jobs of the system have one. */
const SYSTEM = '00000000-0000-0000-0000-000000000000';
const OWNER = `coalesce(created_by, '${SYSTEM}')`;
const OPEN = `state in ('queued', 'running')`;
const DUE = `${OPEN} and run_at <= statement_timestamp() and (state = 'queued' or lease_until < statement_timestamp())`;
/**
 * Claims due jobs and jobs whose lease expired. Types share the slots fairly: types with the fewest running jobs on
 * this node come first. Within a type, the users with the fewest running jobs of the type come first. Reserved slots are
 * for the first job of a user in a type; some of them only for a type without running jobs, so that many users of one type
 * do not delay another type.
 *
 * Finds the users of each queue by one index probe each, and locks only the jobs at the heads of the users who come first:
 * the join with the lateral subquery ends at its limit. Rows are locked FOR UPDATE, which conflicts with the key share lock
 * of a former owner's guarded transaction: such a job is skipped until that transaction has ended. Compares with the
 * statement's timestamp, which allows an index scan: later jobs are not read. The chosen ids are passed as an array, which
 * the planner looks up by index; for a join it overestimates the rows and scans the table.
 */
export const CLAIM = {
  name: 'job-claim',
  text: `with recursive owners as (
      select t.type, o.owner from unnest($1::text[]) as t(type) cross join lateral (
        select ${OWNER} as owner from jobs where type = t.type and ${OPEN} order by ${OWNER} limit 1) o
      union all
      select p.type, o.owner from owners p cross join lateral (
        select ${OWNER} as owner from jobs where type = p.type and ${OWNER} > p.owner and ${OPEN} order by ${OWNER} limit 1) o),
    running as (select type, coalesce(owner, '${SYSTEM}') as owner from unnest($3::text[], $4::uuid[]) as r(type, owner)),
    queues as (
      select o.type, o.owner, head.run_at, head.id,
        (select count(*) from running r where r.type = o.type and r.owner = o.owner) as busy,
        (select count(*) from running r where r.owner = o.owner and r.owner <> '${SYSTEM}') as held
      from owners o cross join lateral (
        select run_at, id from jobs where type = o.type and ${OWNER} = o.owner and ${DUE} order by run_at, id limit 1) head),
    candidates as (
      select c.*, row_number() over (partition by t.type order by c.own_turn, c.run_at, c.id) + (select count(*) from running r where r.type = t.type) as turn
      from (select distinct type from queues) t cross join lateral (
        select j.id, j.run_at, q.owner, q.held, q.own_turn from (
            select owner, held, busy + round as own_turn, round from queues cross join generate_series(1, greatest($5::int, 1)) as round
            where type = t.type and (round <= $5::int or busy = 0) and held + round <= $8::int
            order by own_turn, run_at, id) q
          cross join lateral (
            select id, run_at from jobs where type = t.type and ${OWNER} = q.owner and ${DUE}
            order by run_at, id offset q.round - 1 limit 1 for update skip locked) j
        limit $5::int + greatest($6::int - $7::int, 1)) c),
    counted as (
      select *, owner = '${SYSTEM}' or row_number() over (partition by owner order by turn, run_at, id) + held <= $8::int as has_share from candidates),
    placed as (select *, row_number() over (order by turn, run_at, id) as place from counted where has_share),
    reserved as (select id, turn, row_number() over (order by turn, run_at, id) as place from placed where place > $5::int and own_turn = 1),
    chosen as (
      select id from placed where place <= $5::int
      union all select id from reserved where place <= $6::int - case when turn = 1 then 0 else $7::int end)
    update jobs set state = 'running', version = version + 1, fence = fence + 1, attempts = attempts + 1, error = null, problem = null,
      started_at = coalesce(started_at, clock_timestamp()),
      failures = case when state = 'running' then ${withFailure('attempts', `'${NODE_LOST}'`)} else failures end,
      lease_until = clock_timestamp() + ${LEASE_OF_TYPE} * interval '1 ms'
    where id = any(array(select id from chosen))
     returning id, type, payload, origin, fence::text, attempts, max_attempts, ${LEASE_OF_TYPE} as lease_ms, on_behalf, created_by, token_id`,
};
const RENEW = {
  name: 'job-renew',
  text: `update jobs set lease_until = clock_timestamp() + held.lease_ms * interval '1 ms'
    from unnest($1::uuid[], $2::bigint[], $3::int[]) as held(id, fence, lease_ms)
    where jobs.id = held.id and jobs.fence = held.fence and state = 'running' returning jobs.id, jobs.fence::text`,
};
const HELD = {
  name: 'job-held',
  text: `select jobs.id, jobs.fence::text from unnest($1::uuid[], $2::bigint[]) as held(id, fence)
    join jobs on jobs.id = held.id and jobs.fence = held.fence where state = 'running'
    and (not on_behalf or (exists (select from users u where u.id = created_by and u.is_active)
      and (token_id is null or exists (select from api_tokens t where t.id = token_id and t.ended_at is null and t.expires_at > clock_timestamp()))))`,
};
const PROGRESS = {
  name: 'job-progress',
  text: `update jobs set progress = $3 where id = $1 and fence = $2 and state = 'running' returning 1`,
};
// A key share lock does not block lease renewals but blocks every claim.
const GUARD = {
  name: 'job-guard',
  text: `select 1 from jobs where id = $1 and fence = $2 and state = 'running' and lease_until > clock_timestamp() for key share`,
};
const SETTLE = {
  name: 'job-settle',
  text: `update jobs set state = $3, version = version + 1, result = $4, error = $5, problem = $7, lease_until = null,
      failures = case when $5::text is null then failures else ${withFailure('attempts', '$5::text')} end,
      run_at = case when $3 = 'queued' then ${NOW} + $6 * interval '1 ms' else run_at end,
      finished_at = case when $3 = 'queued' then null else clock_timestamp() end,
      end_due_at = case when $8 and $3 <> 'queued' then clock_timestamp() end
    where id = $1 and fence = $2 and state = 'running' returning 1`,
};
const GIVE_BACK = {
  name: 'job-give-back',
  text: `update jobs set state = 'queued', version = version + 1, lease_until = null, attempts = attempts - 1
    from unnest($1::uuid[], $2::bigint[]) as held(id, fence)
    where jobs.id = held.id and jobs.fence = held.fence and state = 'running'`,
};
// Jobs of a type that no node runs are shown as queued instead of running.
const UNCLAIMED = {
  name: 'job-unclaimed',
  text: `update jobs set state = 'queued', version = version + 1, lease_until = null, failures = ${withFailure('attempts', `'${NODE_LOST}'`)}
    where id = any(array(select id from jobs where state = 'running' and lease_until < now() - interval '5 minutes' for update skip locked)) returning 1`,
};

export async function insertJob(uow: UnitOfWork, job: NewJob): Promise<void> {
  await uow.query(INSERT, [
    job.id,
    job.type,
    JSON.stringify(job.payload ?? {}),
    job.origin,
    job.maxAttempts,
    job.runAt,
    job.createdBy,
    job.onBehalf,
    job.tokenId,
  ]);
}

/** What of a node a claim may use. */
interface Places {
  /** Slots for any due job. */
  free: number;
  /** Further slots for the first job of a user in a type. */
  reserved: number;
  /** Those of the reserved ones that are only for types without running jobs. */
  forTypes: number;
  /** Maximum number of running jobs of one user. */
  perUser: number;
}

/**
 * Claims due jobs for this node.
 * @param leases milliseconds of the lease by type that this node may claim
 * @param running the running jobs of this node
 */
export async function claimJobs(
  db: Database,
  leases: ReadonlyMap<string, number>,
  running: readonly { readonly type: string; readonly createdBy: string | null }[],
  { free, reserved, forTypes, perUser }: Places,
): Promise<ClaimedJob[]> {
  return await db.query<ClaimedJob & Record<string, unknown>>(CLAIM, [
    [...leases.keys()],
    [...leases.values()],
    running.map(({ type }) => type),
    running.map(({ createdBy }) => createdBy),
    free,
    reserved,
    forTypes,
    perUser,
  ]);
}

/** A claim: the job and its fencing number, which differs for each claim of the same job. */
interface Claim {
  id: string;
  fence: string;
}
type Held = readonly Claim[];
const columns = (held: Held): [string[], string[]] => [held.map((j) => j.id), held.map((j) => j.fence)];
/** Unique key of a claim. */
export const claimKey = ({ id, fence }: Claim): string => `${id} ${fence}`;

/** Renews leases. @returns the keys of the claims that are still valid */
export async function renewLeases(
  db: Database,
  held: readonly (Claim & { readonly leaseMs: number })[],
): Promise<Set<string>> {
  const values = [...columns(held), held.map(({ leaseMs }) => leaseMs)];
  return new Set((await db.query<Claim & Record<string, unknown>>(RENEW, values)).map(claimKey));
}

/**
 * Read-only. A job on behalf of a user whose account was deleted or deactivated, or whose API token has ended, must not
 * continue either.
 * @returns the keys of the claims that are still valid
 */
export async function heldJobs(db: Database, held: Held): Promise<Set<string>> {
  return new Set((await db.query<Claim & Record<string, unknown>>(HELD, columns(held))).map(claimKey));
}

/** @returns whether the claim is still valid */
export async function writeProgress(db: Database, id: string, fence: string, progress: unknown): Promise<boolean> {
  return (await db.query(PROGRESS, [id, fence, JSON.stringify(progress ?? {})])).length > 0;
}

/** Prevents other nodes from claiming the job until the transaction ends. @returns whether the claim is still valid */
export async function lockHeld(uow: UnitOfWork, id: string, fence: string): Promise<boolean> {
  return (await uow.query(GUARD, [id, fence])).length > 0;
}

interface Failure {
  error: string;
  /** The error as the user of the job may read it. */
  problem: JobProblem;
}

export type Outcome =
  | { state: 'done'; result: unknown }
  | ({ state: 'failed' } & Failure)
  | ({ state: 'queued'; delayMs: number } & Failure);

/**
 * Stores the outcome of an attempt.
 * @param callsEnd whether a call of `ended` becomes due when the job has ended
 * @returns whether the claim was still valid
 */
export async function settleJob(
  uow: UnitOfWork,
  { id, fence }: Claim,
  outcome: Outcome,
  callsEnd: boolean,
): Promise<boolean> {
  const result = outcome.state === 'done' ? JSON.stringify(outcome.result ?? null) : null;
  const error = outcome.state === 'done' ? null : outcome.error;
  const delay = outcome.state === 'queued' ? outcome.delayMs : 0;
  const shown = outcome.state === 'done' ? null : JSON.stringify(outcome.problem);
  return (await uow.query(SETTLE, [id, fence, outcome.state, result, error, delay, shown, callsEnd])).length > 0;
}

/** Returns unfinished jobs to the queue for other nodes; the attempt does not count. */
export async function giveBack(db: Database, held: Held): Promise<void> {
  await db.query(GIVE_BACK, columns(held));
}

/** Sets jobs to queued that a lost node left running and no other node claimed for minutes. @returns their number */
export async function queueUnclaimed(db: Database): Promise<number> {
  return (await db.query(UNCLAIMED)).length;
}
