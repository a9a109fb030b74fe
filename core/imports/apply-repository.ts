import type { UnitOfWork } from '../db/unit-of-work.js';
import type { CardChange } from './card-verdict.js';
import type { RowDoc } from './rows-repository.js';
import type { RowError } from './types.js';

/** Rows that are written in one transaction. */
export const CHUNK = 1_000;

interface DueRow {
  n: number;
  verdict: 'create' | 'update';
  doc: RowDoc;
  target_id: string | null;
  diff: CardChange[];
}

export interface DueCard extends DueRow {
  parent_row: number | null;
  parent_target: string | null;
}

export interface DueRelation extends DueRow {
  source_row: number | null;
  source_target: string | null;
  target_row: number | null;
  target_target: string | null;
}

export interface Applied {
  n: number;
  verdict: 'create' | 'update' | 'failed';
  target_id: string | null;
  errors?: readonly RowError[];
}

const DUE = `r.import_id = $1 and r.verdict in ('create', 'update') and r.applied_at is null`;
const DUE_CARDS = {
  name: 'import-due-cards',
  text: `select r.n, r.verdict, r.doc, r.target_id, r.diff, r.parent_row, p.target_id as parent_target
    from import_rows r left join import_rows p on p.import_id = r.import_id and p.n = r.parent_row
    where ${DUE} and r.kind = 'card' order by r.level, r.n limit ${CHUNK}`,
};
const DUE_RELATIONS = {
  name: 'import-due-relations',
  text: `select r.n, r.verdict, r.doc, r.target_id, r.diff, r.source_row, s.target_id as source_target, r.target_row, t.target_id as target_target
    from import_rows r left join import_rows s on s.import_id = r.import_id and s.n = r.source_row
      left join import_rows t on t.import_id = r.import_id and t.n = r.target_row
    where ${DUE} and r.kind = 'relation' order by r.n limit ${CHUNK}`,
};
const MARK = {
  name: 'import-mark',
  text: `update import_rows r set verdict = v.verdict, target_id = coalesce(v.target_id, r.target_id), errors = coalesce(v.errors, r.errors), applied_at = clock_timestamp()
    from jsonb_to_recordset($2::jsonb) as v(n int, verdict text, target_id uuid, errors jsonb) where r.import_id = $1 and r.n = v.n`,
};

/** The next rows to write, parents before children. */
export async function dueCards(uow: UnitOfWork, importId: string): Promise<DueCard[]> {
  return await uow.query<DueCard & Record<string, unknown>>(DUE_CARDS, [importId]);
}

export async function dueRelations(uow: UnitOfWork, importId: string): Promise<DueRelation[]> {
  return await uow.query<DueRelation & Record<string, unknown>>(DUE_RELATIONS, [importId]);
}

/** Notes what became of rows, in the transaction that wrote them: no row is written twice. */
export async function markApplied(uow: UnitOfWork, importId: string, rows: readonly Applied[]): Promise<void> {
  await uow.query(MARK, [importId, JSON.stringify(rows)]);
}
