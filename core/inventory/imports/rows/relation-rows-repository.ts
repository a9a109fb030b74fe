import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import type { StagedRelation } from '../types.js';
import type { RowVerdict } from './rows-repository.js';

const INSERT = {
  name: 'import-relation-rows-insert',
  text: `insert into import_rows (import_id, n, kind, line, reference, type, doc, source_row, target_row, target_id, place_key, base_version, verdict, diff, errors)
    select $1, n, 'relation', line, reference, type, coalesce(doc, '{}'), source_row, target_row, target_id, place_key, base_version, verdict, diff, errors
    from jsonb_to_recordset($2::jsonb) as r(n int, line int, reference text, type text, doc jsonb, source_row int, target_row int, target_id uuid, place_key text,
      base_version int, verdict text, diff jsonb, errors jsonb)`,
};

/** A row with a relation, its verdict, and the rows of the cards at its ends. */
export interface DecidedRelation {
  row: StagedRelation;
  verdict: RowVerdict;
  source_row: number | undefined;
  target_row: number | undefined;
}

export async function insertRelations(
  uow: UnitOfWork,
  importId: string,
  relations: readonly DecidedRelation[],
): Promise<void> {
  const rows = relations.map(({ row: { line, reference, input }, verdict, source_row, target_row }) => ({
    source_row,
    target_row,
    line,
    reference,
    type: input.type,
    // Only of a relation to create are all values written; of another one those in the diff.
    doc: verdict.verdict === 'create' ? { input } : undefined,
    ...verdict,
  }));
  await uow.query(INSERT, [importId, JSON.stringify(rows)]);
}
