import type { Database } from '../../foundation/db/database.js';
import { readPage } from '../../foundation/db/list.js';
import { Bindings, type ListParams, type ListSpec } from '../../foundation/db/list-query.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Page } from '../../foundation/http/respond.js';
import type { Counts } from './rows/rows-repository.js';
import type { ImportOptions, ImportState } from './types.js';

interface FileFault {
  line?: number;
  reason: string;
}

/** An import as stored. */
export interface StoredImport {
  id: string;
  state: ImportState;
  format: string;
  file_name: string;
  size: number;
  file_id: string | null;
  options: ImportOptions;
  counts: Counts;
  done: number;
  total: number;
  ignored_columns: string[];
  notes: string[];
  errors: FileFault[];
  created_by: { id: string; display_name: string } | null;
  applied_by: { id: string; display_name: string } | null;
  created_at: Date;
  updated_at: Date;
  applied_at: Date | null;
  version: number;
}

interface NewImport {
  id: string;
  format: string;
  fileName: string;
  size: number;
  fileId: string;
  options: ImportOptions;
  createdBy: string | null;
}

/** The changes made by a step; absent members remain unchanged. */
interface ImportChange {
  state: ImportState;
  counts?: Counts;
  done?: number;
  total?: number;
  ignoredColumns?: readonly string[];
  notes?: readonly string[];
  errors?: readonly FileFault[];
  jobId?: string;
  appliedBy?: string | null;
  isApplied?: boolean;
}

/** An import whose job failed, was cancelled or deleted is not in progress, whatever state is stored. */
const STATE = `case when i.state in ('uploaded', 'parsing', 'applying') and (j.state in ('failed', 'cancelled') or (i.job_id is not null and j.id is null)) then 'failed' else i.state end`;
const USER = (column: string) =>
  `(select json_build_object('id', u.id, 'display_name', u.display_name) from users u where u.id = i.${column})`;
const VIEW = `i.id, ${STATE} as state, i.format, i.file_name, i.size::float8 as size, i.file_id, i.options, i.counts, i.done, i.total, i.ignored_columns, i.notes, i.errors,
  ${USER('created_by')} as created_by, ${USER('applied_by')} as applied_by, i.created_at, i.updated_at, i.applied_at, i.version`;
const JOB = 'left join jobs j on j.id = i.job_id';

const INSERT = {
  name: 'import-insert',
  text: `insert into imports (id, state, format, file_name, size, file_id, options, created_by)
    select $1, 'uploaded', $2, $3, $4, $5, $6, $7::uuid
    where (select count(*) from (select from imports where created_by = $7 and state in ('uploaded', 'parsing', 'ready', 'applying') limit $8) held) < $8 returning id`,
};
const READ = { name: 'import-read', text: `select ${VIEW} from imports i ${JOB} where i.id = $1` };
const LOCK = { name: 'import-lock', text: `${READ.text} for update of i` };
/** A key share lock conflicts with LOCK, but neither with another one nor with PROGRESS. */
const SHARE = { name: 'import-share', text: `${READ.text} for key share of i` };
const CHANGE = {
  name: 'import-change',
  text: `update imports set state = $2, counts = coalesce($3, counts), done = coalesce($4, done), total = coalesce($5, total), ignored_columns = coalesce($6, ignored_columns),
      notes = coalesce($7, notes), errors = coalesce($8, errors), job_id = coalesce($9, job_id), applied_by = coalesce($10, applied_by),
      applied_at = case when $11 then clock_timestamp() else applied_at end, version = version + 1,
      updated_at = greatest(updated_at + interval '1 ms', date_trunc('milliseconds', clock_timestamp()))
    where id = $1 returning version`,
};
const JOB_OF = { name: 'import-job', text: 'update imports set job_id = $2 where id = $1' };
const PROGRESS = {
  name: 'import-progress',
  text: 'update imports set done = $2 where id = $1 and state = $3 returning 1',
};
const MORE_DONE = {
  name: 'import-more-done',
  text: `update imports set done = done + $2 where id = $1`,
};
const STATE_OF = { name: 'import-state', text: 'select state from imports where id = $1' };
const EXPIRED = {
  name: 'import-expired',
  text: `select i.id, ${STATE} as state, i.file_name, i.file_id from imports i ${JOB}
    where i.updated_at < clock_timestamp() - make_interval(days => $1) and ${STATE} in ('ready', 'applied', 'failed', 'cancelled')
    order by i.updated_at limit 1 for update of i skip locked`,
};
const DELETE = {
  name: 'import-delete',
  text: 'with rows as (delete from import_rows where import_id = $1) delete from imports where id = $1',
};

const LIST: ListSpec = {
  table: 'imports i',
  id: 'i.id',
  defaultSort: 'created_at',
  defaultDir: 'desc',
  sorts: {
    created_at: { sql: 'i.created_at', type: 'timestamptz' },
    file_name: { sql: 'i.file_name', type: 'text', collate: '"C"' },
    state: { sql: 'i.state', type: 'text', collate: '"C"' },
  },
};

/** @returns whether the user had fewer than `most` imports that are neither applied nor cancelled */
export async function insertImport(uow: UnitOfWork, i: NewImport, most: number): Promise<boolean> {
  return (
    (
      await uow.query(INSERT, [
        i.id,
        i.format,
        i.fileName,
        i.size,
        i.fileId,
        JSON.stringify(i.options),
        i.createdBy,
        most,
      ])
    ).length > 0
  );
}

export async function setJob(uow: UnitOfWork, id: string, jobId: string): Promise<void> {
  await uow.query(JOB_OF, [id, jobId]);
}

export async function readImport(db: Database, id: string): Promise<StoredImport | undefined> {
  return (await db.query<StoredImport & Record<string, unknown>>(READ, [id]))[0];
}

/** Locks the import until the transaction ends. */
export async function lockImport(uow: UnitOfWork, id: string): Promise<StoredImport | undefined> {
  return (await uow.query<StoredImport & Record<string, unknown>>(LOCK, [id]))[0];
}

/** Reads the import, which can be neither cancelled nor deleted until the transaction ends. */
export async function holdImport(uow: UnitOfWork, id: string): Promise<StoredImport | undefined> {
  return (await uow.query<StoredImport & Record<string, unknown>>(SHARE, [id]))[0];
}

/** @returns the new version */
export async function changeImport(uow: UnitOfWork, id: string, c: ImportChange): Promise<number> {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const values = [
    id,
    c.state,
    json(c.counts),
    c.done ?? null,
    c.total ?? null,
    json(c.ignoredColumns),
    json(c.notes),
    json(c.errors),
    c.jobId ?? null,
    c.appliedBy ?? null,
    c.isApplied ?? false,
  ];
  return (await uow.query<{ version: number }>(CHANGE, values))[0]!.version;
}

/** Stores the progress of a step, without a new version. @returns false where the import is no longer in the state */
export async function noteProgress(uow: UnitOfWork, id: string, done: number, state: ImportState): Promise<boolean> {
  return (await uow.query(PROGRESS, [id, done, state])).length > 0;
}

/** Adds rows to the progress of an import that is held. Others that hold it wait until the transaction ends. */
export async function addProgress(uow: UnitOfWork, id: string, done: number): Promise<void> {
  await uow.query(MORE_DONE, [id, done]);
}

/** @returns the stored state; undefined where the import does not exist */
export async function readState(uow: UnitOfWork, id: string): Promise<ImportState | undefined> {
  return (await uow.query<{ state: ImportState }>(STATE_OF, [id]))[0]?.state;
}

/** Finds and locks an import without running work that has not changed for this many days. */
export async function lockExpired(
  uow: UnitOfWork,
  days: number,
): Promise<Pick<StoredImport, 'id' | 'state' | 'file_name' | 'file_id'> | undefined> {
  return (
    await uow.query<Pick<StoredImport, 'id' | 'state' | 'file_name' | 'file_id'> & Record<string, unknown>>(EXPIRED, [
      days,
    ])
  )[0];
}

/** Deletes an import with its rows. It must be locked, so that no rows are added concurrently. */
export async function deleteImport(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(DELETE, [id]);
}

interface ImportFilters {
  state?: string | undefined;
  format?: string | undefined;
}

export async function listImports(db: Database, query: ListParams & ImportFilters): Promise<Page<StoredImport>> {
  const bindings = new Bindings();
  const where: string[] = [];
  if (query.state !== undefined) where.push(`i.state = any(${bindings.add(query.state.split(','))}::text[])`);
  if (query.format !== undefined) where.push(`i.format = any(${bindings.add(query.format.split(','))}::text[])`);
  const page = await readPage<StoredImport & Record<string, unknown>>(db, {
    spec: LIST,
    params: query,
    where,
    bindings,
    scope: JSON.stringify([query.state, query.format]),
    columns: VIEW,
    joins: JOB,
  });
  return page;
}
