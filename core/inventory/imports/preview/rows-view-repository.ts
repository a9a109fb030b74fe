import type { Database } from '../../../foundation/db/database.js';
import { readPage } from '../../../foundation/db/list.js';
import { Bindings, type ListParams, type ListSpec } from '../../../foundation/db/list-query.js';
import type { Page } from '../../../foundation/http/respond.js';
import type { RowChange } from '../rows/diff.js';
import type { RowError, Verdict } from '../types.js';

/** A stored row as needed for its view. */
export interface StoredRow {
  n: number;
  kind: 'card' | 'relation';
  line: number;
  reference: string | null;
  type: string | null;
  name: string | null;
  parent_row: number | null;
  source_row: number | null;
  target_row: number | null;
  target_id: string | null;
  verdict: Verdict;
  diff: RowChange[] | null;
  errors: RowError[] | null;
  applied_at: Date | null;
  /** The cards at the ends of a relation and their types, where known. */
  source_id: string | null;
  target_card_id: string | null;
  source_type: string | null;
  target_type: string | null;
}

interface RowFilters {
  verdict?: string | undefined;
  kind?: string | undefined;
}

const ROWS: ListSpec = {
  table: 'import_rows r',
  id: 'r.n',
  idType: 'integer',
  defaultSort: 'row',
  sorts: { row: { sql: 'r.n', type: 'integer' } },
};
/**
 * The ends of a row's relation: those of the stored relation, else from its place key, which contains ids or row
 * numbers.
 */
const END = {
  id: (side: string, part: number) =>
    `case when r.kind = 'relation' then coalesce((select x.${side}_id::text from relations x where x.id = r.target_id), split_part(r.place_key, E'\\n', ${part})) end`,
  type: (side: string) =>
    `case when r.kind = 'relation' then coalesce((select x.${side}_type from relations x where x.id = r.target_id), (select x.type from import_rows x where x.import_id = r.import_id and x.n = r.${side}_row)) end`,
};
const COLUMNS = `r.n, r.kind, r.line, r.reference, r.type, r.name, r.parent_row, r.source_row, r.target_row, r.target_id, r.verdict, r.diff, r.errors, r.applied_at,
  ${END.id('source', 2)} as source_id, ${END.id('target', 3)} as target_card_id, ${END.type('source')} as source_type, ${END.type('target')} as target_type`;

/** The rows of an import that have a verdict. */
export async function listRows(
  db: Database,
  importId: string,
  query: ListParams & RowFilters,
): Promise<Page<StoredRow>> {
  const bindings = new Bindings();
  const ofImport = `r.import_id = ${bindings.add(importId)}`;
  const where = [
    ofImport,
    query.verdict === undefined
      ? 'r.verdict is not null'
      : `r.verdict = any(${bindings.add(query.verdict.split(','))}::text[])`,
  ];
  if (query.kind !== undefined) where.push(`r.kind = ${bindings.add(query.kind)}`);
  return await readPage<StoredRow & Record<string, unknown>>(db, {
    spec: ROWS,
    params: query,
    where,
    bindings,
    scope: JSON.stringify([importId, query.verdict, query.kind]),
    columns: COLUMNS,
    // Row numbers are unique only within an import, so the join condition must include it.
    joins: `and ${ofImport}`,
  });
}
