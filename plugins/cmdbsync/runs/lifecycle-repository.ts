import type { UnitOfWork } from '@lintel/sdk';
import { NOW } from '../basics.js';
import type { Run } from './definition.js';

type Row<T> = T & Record<string, unknown>;
const COLUMNS = `id, mapping_id, job_id, state, direction, is_full, dry_run, auto_apply, since, watermark, cursor, pages, total, is_read,
  guard_tripped, counts`;
const FIND = { name: 'cmdbsync-run-load', text: `select ${COLUMNS} from cmdbsync_runs where id = $1` };
const LOCK = {
  name: 'cmdbsync-run-load-lock',
  text: `select ${COLUMNS} from cmdbsync_runs where id = $1 for no key update`,
};
const SAVE = {
  name: 'cmdbsync-run-save',
  text: `update cmdbsync_runs set state = $2, watermark = $3, cursor = $4, pages = $5, total = $6, is_read = $7, guard_tripped = $8,
      counts = $9, version = version + 1, started_at = coalesce(started_at, ${NOW}),
      finished_at = case when $2 in ('done', 'failed', 'cancelled') then coalesce(finished_at, ${NOW}) end, error = $10, is_full = $11,
      since = $12 where id = $1`,
};
const SUPERSEDE = {
  name: 'cmdbsync-run-supersede',
  text: `update cmdbsync_records set state = 'superseded' where run_id = $1 and state in ('pending', 'approved')`,
};
const OPEN = {
  name: 'cmdbsync-run-open',
  text: `select count(*) filter (where state = 'approved')::int as approved, count(*) filter (where state in ('pending', 'sent'))::int as waiting,
      count(*) filter (where state in ('failed', 'superseded'))::int as failed
    from cmdbsync_records where run_id = $1`,
};
const WATERMARK = {
  name: 'cmdbsync-mapping-watermark',
  text: `update cmdbsync_mappings m set watermark = r.watermark from cmdbsync_runs r
    where r.id = $1 and m.id = r.mapping_id and m.version = r.mapping_version`,
};

export async function findRun(
  db: { query<R extends Record<string, unknown>>(statement: typeof FIND, values: unknown[]): Promise<R[]> },
  id: string,
): Promise<Run | undefined> {
  return (await db.query<Row<Run>>(FIND, [id]))[0];
}

/** The run, locked until the transaction ends. */
export async function lockForWork(uow: UnitOfWork, id: string): Promise<Run | undefined> {
  return (await uow.query<Row<Run>>(LOCK, [id]))[0];
}

export async function saveRun(
  uow: UnitOfWork,
  run: Run,
  error: { code: string; detail: string } | null = null,
): Promise<void> {
  const { id, state, watermark, cursor, pages, total, is_read, guard_tripped, counts, is_full, since } = run;
  await uow.query(SAVE, [
    id,
    state,
    watermark,
    cursor,
    pages,
    total,
    is_read,
    guard_tripped,
    JSON.stringify(counts),
    error && JSON.stringify(error),
    is_full,
    since,
  ]);
}

/** Gives up the records of a run that were not applied. */
export async function supersedeRecords(uow: UnitOfWork, runId: string): Promise<void> {
  await uow.query(SUPERSEDE, [runId]);
}

/** Numbers of records of a run: to be applied, waiting for a person, and not applied for good. */
export async function openRecords(
  uow: UnitOfWork,
  runId: string,
): Promise<{ approved: number; waiting: number; failed: number }> {
  return (await uow.query<{ approved: number; waiting: number; failed: number }>(OPEN, [runId]))[0]!;
}

/** Takes over the watermark of a run, unless the mapping was changed since it began: the next run then reads everything. */
export async function setWatermark(uow: UnitOfWork, runId: string): Promise<void> {
  await uow.query(WATERMARK, [runId]);
}
