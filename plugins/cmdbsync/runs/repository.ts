import type { ListParams, ModuleServices, PageResult, UnitOfWork } from '@lintel/sdk';
import { NOW } from '../basics.js';
import type { Run } from './definition.js';
import type { RunView } from './schemas.js';

type Db = Pick<ModuleServices['db'], 'query'>;
type Row<T> = T & Record<string, unknown>;

const COLUMNS = `r.id, r.mapping_id, m.name as mapping, r.state, r.direction, r.is_full, r.dry_run, r.auto_apply, r.started_by, r.slot, r.pages,
  r.total, r.guard_tripped, r.counts, r.error, r.created_at, r.started_at, r.finished_at, r.version`;
const JOIN = 'join cmdbsync_mappings m on m.id = r.mapping_id';
const SPEC = {
  table: 'cmdbsync_runs r',
  id: 'r.id',
  sorts: { created_at: { sql: 'r.created_at', type: 'timestamptz' } },
  defaultSort: 'created_at',
  defaultDir: 'desc',
} as const;

const FIND = { name: 'cmdbsync-run', text: `select ${COLUMNS} from cmdbsync_runs r ${JOIN} where r.id = $1` };
const LOCK = {
  name: 'cmdbsync-run-lock',
  text: `select r.id, r.mapping_id, r.state, r.dry_run, r.version, r.counts, m.runs_as, m.direction as mapping_direction
    from cmdbsync_runs r ${JOIN} where r.id = $1 for no key update of r`,
};
const INSERT = {
  name: 'cmdbsync-run-insert',
  text: `insert into cmdbsync_runs (id, mapping_id, state, direction, is_full, dry_run, auto_apply, started_by, slot, since, mapping_version)
    select $1, m.id, 'queued', $3, $4, $5, $6, $7, $8, $9, m.version from cmdbsync_mappings m where m.id = $2`,
};
const SET_JOB = { name: 'cmdbsync-run-job', text: 'update cmdbsync_runs set job_id = $2 where id = $1' };
const SET_STATE = {
  name: 'cmdbsync-run-state',
  text: `update cmdbsync_runs set state = $2, version = version + 1,
      finished_at = case when $2 in ('done', 'failed', 'cancelled') then ${NOW} end where id = $1`,
};
const SUPERSEDE = {
  name: 'cmdbsync-records-supersede',
  text: `update cmdbsync_records c set state = 'superseded' from cmdbsync_runs r
    where r.id = c.run_id and r.mapping_id = $1 and r.state = 'review' and c.state in ('pending', 'approved')`,
};
const END_REVIEWS = {
  name: 'cmdbsync-runs-end-reviews',
  text: `update cmdbsync_runs set state = 'done', version = version + 1, finished_at = ${NOW}
    where mapping_id = $1 and state = 'review' returning id, counts`,
};
const CANCEL_RECORDS = {
  name: 'cmdbsync-records-cancel',
  text: `update cmdbsync_records set state = 'superseded' where run_id = $1 and state in ('pending', 'approved')`,
};
const CARRY_SENT = {
  name: 'cmdbsync-records-carry-sent',
  text: `update cmdbsync_records c set run_id = $2 from cmdbsync_runs r
    where r.id = c.run_id and r.mapping_id = $1 and r.id <> $2 and c.state = 'sent'`,
};
const ACTIVE = {
  name: 'cmdbsync-run-active',
  text: `select id from cmdbsync_runs where mapping_id = $1 and state in ('queued', 'reading', 'applying')`,
};
const DELETE_OLD = {
  name: 'cmdbsync-runs-delete-old',
  text: `delete from cmdbsync_runs r where r.id in (
      select o.id from cmdbsync_runs o where o.finished_at < now() - $1 * interval '1 day'
        and not exists (select from cmdbsync_records s where s.run_id = o.id and s.state = 'sent')
        and exists (select from cmdbsync_runs l where l.mapping_id = o.mapping_id and (l.created_at, l.id) > (o.created_at, o.id))
      order by o.finished_at limit 100) returning id`,
};

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;
interface Stored extends Omit<RunView, 'slot' | 'created_at' | 'started_at' | 'finished_at'> {
  slot: Date | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}
const viewOf = ({ slot, created_at, started_at, finished_at, ...row }: Stored): RunView => ({
  ...row,
  slot: iso(slot),
  created_at: created_at.toISOString(),
  started_at: iso(started_at),
  finished_at: iso(finished_at),
});

/** One page of the runs, the latest first. */
export async function listRuns(
  db: ModuleServices['db'],
  params: ListParams,
  { mapping_id, state }: { mapping_id?: string | undefined; state?: string | undefined },
): Promise<PageResult<RunView>> {
  const bindings = db.bindings();
  const where: string[] = [];
  if (mapping_id !== undefined) where.push(`r.mapping_id = ${bindings.add(mapping_id)}::uuid`);
  if (state !== undefined) where.push(`r.state = any(${bindings.add(state.split(','))}::text[])`);
  const scope = JSON.stringify([mapping_id, state]);
  const page = await db.readPage<Row<Stored>>({
    spec: SPEC,
    params,
    where,
    bindings,
    scope,
    columns: COLUMNS,
    joins: JOIN,
  });
  return { ...page, items: page.items.map(viewOf) };
}

export async function findRunView(db: Db, id: string): Promise<RunView | undefined> {
  const [row] = await db.query<Row<Stored>>(FIND, [id]);
  return row && viewOf(row);
}

/** A run that is locked until the transaction ends. */
export interface LockedRun extends Pick<Run, 'id' | 'mapping_id' | 'state' | 'dry_run' | 'counts'> {
  version: number;
  /** The service account of the mapping. */
  runs_as: string | null;
  mapping_direction: string;
}

export async function lockRun(uow: UnitOfWork, id: string): Promise<LockedRun | undefined> {
  return (await uow.query<Row<LockedRun>>(LOCK, [id]))[0];
}

export interface NewRun
  extends Pick<Run, 'id' | 'mapping_id' | 'direction' | 'is_full' | 'dry_run' | 'auto_apply' | 'since'> {
  started_by: string | null;
  slot: Date | null;
}

/** @throws cmdbsync_run_active by the index over active runs */
export async function insertRun(uow: UnitOfWork, run: NewRun): Promise<void> {
  const { id, mapping_id, direction, is_full, dry_run, auto_apply, started_by, slot, since } = run;
  await uow.query(INSERT, [id, mapping_id, direction, is_full, dry_run, auto_apply, started_by, slot, since]);
}

export async function setJob(uow: UnitOfWork, id: string, job: string): Promise<void> {
  await uow.query(SET_JOB, [id, job]);
}

export async function setState(uow: UnitOfWork, id: string, state: string): Promise<void> {
  await uow.query(SET_STATE, [id, state]);
}

/** Ends the runs of a mapping whose records wait, because a new run finds anew what is to be done. @returns these runs */
export async function endReviews(
  uow: UnitOfWork,
  mappingId: string,
): Promise<{ id: string; counts: Record<string, number> }[]> {
  await uow.query(SUPERSEDE, [mappingId]);
  return await uow.query(END_REVIEWS, [mappingId]);
}

export async function cancelRecords(uow: UnitOfWork, runId: string): Promise<void> {
  await uow.query(CANCEL_RECORDS, [runId]);
}

/** Moves creations whose outcome is not known from earlier runs of the mapping, all of which have ended, to a new one. */
export async function carrySent(uow: UnitOfWork, mappingId: string, runId: string): Promise<void> {
  await uow.query(CARRY_SENT, [mappingId, runId]);
}

export async function hasActiveRun(uow: UnitOfWork, mappingId: string): Promise<boolean> {
  return (await uow.query(ACTIVE, [mappingId])).length > 0;
}

/** Deletes up to 100 runs that ended before, except for the last one of each mapping. @returns their number */
export async function deleteOldRuns(uow: UnitOfWork, days: number): Promise<number> {
  return (await uow.query(DELETE_OLD, [days])).length;
}
