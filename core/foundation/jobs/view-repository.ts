import type { Database } from '../db/database.js';
import { readPage } from '../db/list.js';
import { Bindings, type ListSpec, type Page } from '../db/list-query.js';
import type { UnitOfWork } from '../db/unit-of-work.js';
import type { JobProblem } from './definition.js';
import type { JobQuery, JobState } from './schemas.js';

export interface JobRow {
  id: string;
  type: string;
  state: JobState;
  payload: unknown;
  origin: string;
  progress: unknown;
  result: unknown;
  error: string | null;
  failures: { attempt: number; at: string; error: string }[];
  attempts: number;
  max_attempts: number;
  run_at: Date;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  created_by: { id: string; display_name: string } | null;
  on_behalf: boolean;
  version: number;
}

/** A job as its user may read it. */
export interface OwnJobRow
  extends Pick<
    JobRow,
    | 'id'
    | 'type'
    | 'state'
    | 'progress'
    | 'result'
    | 'attempts'
    | 'max_attempts'
    | 'created_at'
    | 'started_at'
    | 'finished_at'
    | 'version'
  > {
  problem: JobProblem | null;
  created_by: string | null;
  token_id: string | null;
}

const SPEC: ListSpec = {
  table: 'jobs j',
  id: 'j.id',
  defaultSort: 'created_at',
  defaultDir: 'desc',
  sorts: {
    created_at: { sql: 'j.created_at', type: 'timestamptz' },
    run_at: { sql: 'j.run_at', type: 'timestamptz' },
    finished_at: { sql: 'j.finished_at', type: 'timestamptz', nullable: true },
    type: { sql: 'j.type', type: 'text', collate: '"C"' },
    state: { sql: 'j.state', type: 'text', collate: '"C"' },
  },
};
const COLUMNS = `j.id, j.type, j.state, j.payload, j.origin, j.progress, j.result, j.error, j.failures, j.attempts, j.max_attempts, j.run_at, j.created_at, j.started_at, j.finished_at, j.on_behalf, j.version,
  case when u.id is null then null else jsonb_build_object('id', u.id, 'display_name', u.display_name) end as created_by`;
const JOINS = 'left join users u on u.id = j.created_by';
const READ = { name: 'job-read', text: `select ${COLUMNS} from jobs j ${JOINS} where j.id = $1` };
const READ_OWN = {
  name: 'job-read-own',
  text: 'select id, type, state, progress, result, problem, attempts, max_attempts, created_at, started_at, finished_at, created_by, token_id, version from jobs where id = $1',
};
// A guarded transaction of the running job holds a key share lock, which does not conflict with this one: it may
// complete.
const LOCK = {
  name: 'job-lock',
  text: 'select id, type, state, version, created_by, token_id, on_behalf from jobs where id = $1 for no key update',
};
const CANCEL = {
  name: 'job-cancel',
  text: `update jobs set state = 'cancelled', version = version + 1, lease_until = null, finished_at = clock_timestamp(), problem = null,
      end_due_at = case when $2 then clock_timestamp() end where id = $1 returning version`,
};
const REQUEUE = `state = 'queued', version = version + 1, attempts = 0, error = null, problem = null, result = null, started_at = null, end_due_at = null, run_at = date_trunc('milliseconds', clock_timestamp()), finished_at = null`;
const RETRY = { name: 'job-retry', text: `update jobs set ${REQUEUE} where id = $1 returning version` };
const ofType = (bound: string): string =>
  `(${bound}::text is null or case when right(${bound}, 1) = '.' then starts_with(type, ${bound}) else type = ${bound} end)`;
// Rows that another transaction is retrying are skipped. The state is a literal, so that the planner can use the
// partial index.
const retryMany = (state: 'failed' | 'cancelled') => ({
  name: `job-retry-${state}`,
  text: `with picked as (select id from jobs where state = '${state}' and ${ofType('$2')} order by finished_at, id limit $1 for no key update skip locked)
    update jobs set ${REQUEUE} where id = any(array(select id from picked)) and state = '${state}' returning id, type`,
});
const countMany = (state: 'failed' | 'cancelled') => ({
  name: `job-count-${state}`,
  text: `select count(*)::int as n from jobs where state = '${state}' and ${ofType('$1')}`,
});
const MANY = {
  failed: { retry: retryMany('failed'), count: countMany('failed') },
  cancelled: { retry: retryMany('cancelled'), count: countMany('cancelled') },
};
// Of ended jobs only failed ones are counted: the number of the others is unbounded.
const SUMMARY = {
  name: 'job-summary',
  text: `select type, count(*) filter (where state = 'queued')::int as queued, count(*) filter (where due)::int as due,
      count(*) filter (where state = 'running')::int as running, count(*) filter (where state = 'failed')::int as failed,
      min(run_at) filter (where due) as oldest_due_at, coalesce(extract(epoch from now() - min(run_at) filter (where due)), 0)::float8 as waited
    from (select type, state, run_at, state = 'queued' and run_at <= now() as due from jobs where state in ('queued', 'running')
      union all select type, state, null, false from jobs where state = 'failed') j
    group by type`,
};

export async function listJobs(db: Database, { state, type, since, ...params }: JobQuery): Promise<Page<JobRow>> {
  const bindings = new Bindings();
  const where: string[] = [];
  if (state !== undefined) where.push(`j.state = any(${bindings.add(state.split(','))}::text[])`);
  if (type !== undefined)
    where.push(type.endsWith('.') ? `starts_with(j.type, ${bindings.add(type)})` : `j.type = ${bindings.add(type)}`);
  if (since !== undefined) where.push(`j.created_at >= ${bindings.add(since)}::timestamptz`);
  const scope = JSON.stringify(['jobs', state, type, since]);
  return await readPage<JobRow & Record<string, unknown>>(db, {
    spec: SPEC,
    params,
    where,
    bindings,
    scope,
    columns: COLUMNS,
    joins: JOINS,
  });
}

export async function readJob(db: Database, id: string): Promise<JobRow | undefined> {
  return (await db.query<JobRow & Record<string, unknown>>(READ, [id]))[0];
}

export async function readOwnJob(db: Database, id: string): Promise<OwnJobRow | undefined> {
  return (await db.query<OwnJobRow & Record<string, unknown>>(READ_OWN, [id]))[0];
}

export type LockedJob = Pick<JobRow, 'id' | 'type' | 'state' | 'version' | 'on_behalf'> & {
  created_by: string | null;
  token_id: string | null;
};

export async function lockJob(uow: UnitOfWork, id: string): Promise<LockedJob | undefined> {
  return (await uow.query<LockedJob & Record<string, unknown>>(LOCK, [id]))[0];
}

/**
 * Cancels a job that has not ended: its claim becomes invalid.
 * @param callsEnd whether a call of `ended` becomes due
 * @returns the new version
 */
export async function cancelJob(uow: UnitOfWork, id: string, callsEnd: boolean): Promise<number> {
  return (await uow.query<{ version: number }>(CANCEL, [id, callsEnd]))[0]!.version;
}

/** Queues a job again with its full number of attempts. @returns the new version */
export async function requeueJob(uow: UnitOfWork, id: string): Promise<number> {
  return (await uow.query<{ version: number }>(RETRY, [id]))[0]!.version;
}

export interface JobCounts {
  type: string;
  queued: number;
  due: number;
  running: number;
  failed: number;
  oldest_due_at: Date | null;
  /** Seconds since `oldest_due_at`; 0 where no job is due. */
  waited: number;
}

/** Counts the jobs of each type, except done and cancelled ones. */
export async function countJobs(db: Database): Promise<JobCounts[]> {
  return await db.query<JobCounts & Record<string, unknown>>(SUMMARY);
}

export interface ManyJobs {
  state: 'failed' | 'cancelled';
  type: string | undefined;
}

/** Queues jobs again in the order in which they ended. @param most maximum number of jobs */
export async function requeueMany(
  uow: UnitOfWork,
  { state, type }: ManyJobs,
  most: number,
): Promise<{ id: string; type: string }[]> {
  return await uow.query<{ id: string; type: string }>(MANY[state].retry, [most, type ?? null]);
}

export async function countMatching(uow: UnitOfWork, { state, type }: ManyJobs): Promise<number> {
  return (await uow.query<{ n: number }>(MANY[state].count, [type ?? null]))[0]!.n;
}
