import type { ListParams, ModuleServices, PageResult, UnitOfWork } from '@lintel/sdk';
import { analysisOf } from '../analyses/index.js';
import { NOW } from '../basics.js';
import type { Run } from './definition.js';
import type { RunView } from './schemas.js';

type Db = Pick<ModuleServices['db'], 'query'>;
type Row<T> = T & Record<string, unknown>;

const COLUMNS = `r.id, r.kind, r.state, r.is_current, r.phase, r.percent, r.started_by, r.error, r.created_at, r.started_at, r.finished_at,
  r.version`;
const SPEC = {
  table: 'insightlens_runs r',
  id: 'r.id',
  sorts: { created_at: { sql: 'r.created_at', type: 'timestamptz' } },
  defaultSort: 'created_at',
  defaultDir: 'desc',
} as const;
const FIND = { name: 'insightlens-run', text: `select ${COLUMNS} from insightlens_runs r where r.id = $1` };
const WORK_COLUMNS = `id, kind, state, is_current, phase, position, percent, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day,
  started_by, job_id, version`;
const LOAD = { name: 'insightlens-run-load', text: `select ${WORK_COLUMNS} from insightlens_runs where id = $1` };
const LOCK = {
  name: 'insightlens-run-lock',
  text: `select ${WORK_COLUMNS} from insightlens_runs where id = $1 for no key update`,
};
const INSERT = {
  name: 'insightlens-run-insert',
  text: `insert into insightlens_runs (id, kind, state, started_by) values ($1, $2, 'queued', $3)`,
};
const SET_JOB = { name: 'insightlens-run-job', text: 'update insightlens_runs set job_id = $2 where id = $1' };
const ACTIVE = {
  name: 'insightlens-run-active',
  text: `select id from insightlens_runs where kind = $1 and state in ('queued', 'running')`,
};
const SAVE = {
  name: 'insightlens-run-save',
  text: `update insightlens_runs set state = $2, phase = $3, position = $4, percent = $5, is_current = $6, error = $7, version = version + 1,
      started_at = case when $2 in ('queued', 'cancelled') then started_at else coalesce(started_at, ${NOW}) end,
      finished_at = case when $2 in ('done', 'failed', 'cancelled') then coalesce(finished_at, ${NOW}) end
    where id = $1`,
};
const REPLACE_CURRENT = {
  name: 'insightlens-run-replace-current',
  text: 'update insightlens_runs set is_current = false, version = version + 1 where kind = $1 and is_current',
};

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;
interface Stored extends Omit<RunView, 'phase' | 'phases' | 'created_at' | 'started_at' | 'finished_at'> {
  phase: number;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}
function viewOf({ phase, created_at, started_at, finished_at, ...row }: Stored): RunView {
  const phases = analysisOf(row.kind)?.phases.map(({ key }) => key) ?? [];
  return {
    ...row,
    phase: row.state === 'running' ? (phases[phase] ?? null) : null,
    phases,
    created_at: created_at.toISOString(),
    started_at: iso(started_at),
    finished_at: iso(finished_at),
  };
}

/** One page of the runs, the latest first. */
export async function listRuns(
  db: ModuleServices['db'],
  params: ListParams,
  filters: { kind?: string | undefined; state?: string | undefined; is_current?: boolean | undefined },
): Promise<PageResult<RunView>> {
  const { kind, state, is_current } = filters;
  const bindings = db.bindings();
  const where: string[] = [];
  if (kind !== undefined) where.push(`r.kind = any(${bindings.add(kind.split(','))}::text[])`);
  if (state !== undefined) where.push(`r.state = any(${bindings.add(state.split(','))}::text[])`);
  if (is_current !== undefined) where.push(`r.is_current = ${bindings.add(is_current)}::boolean`);
  const scope = JSON.stringify([kind, state, is_current]);
  const page = await db.readPage<Row<Stored>>({ spec: SPEC, params, where, bindings, scope, columns: COLUMNS });
  return { ...page, items: page.items.map(viewOf) };
}

export async function findRunView(db: Db, id: string): Promise<RunView | undefined> {
  const [row] = await db.query<Row<Stored>>(FIND, [id]);
  return row && viewOf(row);
}

export async function findRun(db: Db, id: string): Promise<Run | undefined> {
  return (await db.query<Row<Run>>(LOAD, [id]))[0];
}

/** The run, locked until the transaction ends. */
export async function lockRun(uow: UnitOfWork, id: string): Promise<Run | undefined> {
  return (await uow.query<Row<Run>>(LOCK, [id]))[0];
}

/** @throws insightlens_run_active by the index over active runs */
export async function insertRun(
  uow: UnitOfWork,
  { id, kind, started_by }: Pick<Run, 'id' | 'kind' | 'started_by'>,
): Promise<void> {
  await uow.query(INSERT, [id, kind, started_by]);
}

export async function setJob(uow: UnitOfWork, id: string, job: string): Promise<void> {
  await uow.query(SET_JOB, [id, job]);
}

export async function hasActiveRun(uow: UnitOfWork, kind: string): Promise<boolean> {
  return (await uow.query(ACTIVE, [kind])).length > 0;
}

/** @param run locked */
export async function saveRun(
  uow: UnitOfWork,
  { id, state, phase, position, percent, is_current }: Run,
  error: { code: string; detail: string } | null = null,
): Promise<void> {
  const values = [position ?? null, error].map((value) => (value === null ? null : JSON.stringify(value)));
  await uow.query(SAVE, [id, state, phase, values[0], percent, is_current, values[1]]);
}

/** The results of the current run of an analysis are not shown any more. */
export async function replaceCurrent(uow: UnitOfWork, kind: string): Promise<void> {
  await uow.query(REPLACE_CURRENT, [kind]);
}
