import type { Database } from '../db/database.js';
import { readPage } from '../db/list.js';
import { Bindings, type ListSpec } from '../db/list-query.js';
import type { UnitOfWork } from '../db/unit-of-work.js';
import type { Page } from '../http/respond.js';
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
  attempts: number;
  max_attempts: number;
  run_at: Date;
  created_at: Date;
  finished_at: Date | null;
  created_by: { id: string; display_name: string } | null;
  version: number;
}

const SPEC: ListSpec = {
  table: 'jobs j', id: 'j.id', defaultSort: 'created_at', defaultDir: 'desc',
  sorts: {
    created_at: { sql: 'j.created_at', type: 'timestamptz' },
    run_at: { sql: 'j.run_at', type: 'timestamptz' },
    finished_at: { sql: 'j.finished_at', type: 'timestamptz', nullable: true },
    type: { sql: 'j.type', type: 'text', collate: '"C"' },
    state: { sql: 'j.state', type: 'text', collate: '"C"' },
  },
};
const COLUMNS = `j.id, j.type, j.state, j.payload, j.origin, j.progress, j.result, j.error, j.attempts, j.max_attempts, j.run_at, j.created_at, j.finished_at, j.version,
  case when u.id is null then null else jsonb_build_object('id', u.id, 'display_name', u.display_name) end as created_by`;
const JOINS = 'left join users u on u.id = j.created_by';
const READ = { name: 'job-read', text: `select ${COLUMNS} from jobs j ${JOINS} where j.id = $1` };
// A guarded transaction of the running job holds a key lock, which does not keep this one out: it may end.
const LOCK = { name: 'job-lock', text: 'select id, type, state, version from jobs where id = $1 for no key update' };
const CANCEL = {
  name: 'job-cancel',
  text: `update jobs set state = 'cancelled', version = version + 1, lease_until = null, finished_at = clock_timestamp() where id = $1 returning version`,
};
const RETRY = {
  name: 'job-retry',
  text: `update jobs set state = 'queued', version = version + 1, attempts = 0, error = null, result = null, run_at = clock_timestamp(), finished_at = null
    where id = $1 returning version`,
};

export async function listJobs(db: Database, { state, type, since, ...params }: JobQuery): Promise<Page<JobRow>> {
  const bindings = new Bindings();
  const where: string[] = [];
  if (state !== undefined) where.push(`j.state = any(${bindings.add(state.split(','))}::text[])`);
  if (type !== undefined) where.push(type.endsWith('.') ? `starts_with(j.type, ${bindings.add(type)})` : `j.type = ${bindings.add(type)}`);
  if (since !== undefined) where.push(`j.created_at >= ${bindings.add(since)}::timestamptz`);
  const scope = JSON.stringify(['jobs', state, type, since]);
  return await readPage<JobRow & Record<string, unknown>>(db, { spec: SPEC, params, where, bindings, scope, columns: COLUMNS, joins: JOINS });
}

export async function readJob(db: Database, id: string): Promise<JobRow | undefined> {
  return (await db.query<JobRow & Record<string, unknown>>(READ, [id]))[0];
}

export type LockedJob = Pick<JobRow, 'id' | 'type' | 'state' | 'version'>;

export async function lockJob(uow: UnitOfWork, id: string): Promise<LockedJob | undefined> {
  return (await uow.query<LockedJob & Record<string, unknown>>(LOCK, [id]))[0];
}

/** Ends a job nobody finished: whoever runs it has lost it. @returns the new version */
export async function cancelJob(uow: UnitOfWork, id: string): Promise<number> {
  return (await uow.query<{ version: number }>(CANCEL, [id]))[0]!.version;
}

/** Queues a job anew, with all its attempts before it. @returns the new version */
export async function requeueJob(uow: UnitOfWork, id: string): Promise<number> {
  return (await uow.query<{ version: number }>(RETRY, [id]))[0]!.version;
}
