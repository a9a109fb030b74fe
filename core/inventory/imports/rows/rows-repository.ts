import { jsonRows } from '../../../foundation/db/json-rows.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { extKey } from '../parse/keys.js';
import type { RowChange } from './diff.js';
import { UNPLACED, type CardRow } from './file-rows.js';
import type { RelationValues, RowError, StagedCard, Verdict } from '../types.js';

/** The content of a row that is to be created; of another one nothing is stored. */
export interface RowDoc {
  input: StagedCard['input'] & RelationValues;
}

/** The result for a row. */
export interface RowVerdict {
  n: number;
  verdict: Verdict;
  target_id?: string | null;
  place_key?: string | null;
  /** An existing card with the name at the position, and one with the external id. */
  holder_id?: string | null;
  key_holder_id?: string | null;
  /** The version of the card or relation to which the diff applies. */
  base_version?: number;
  diff?: readonly RowChange[];
  errors?: readonly RowError[];
}

const MANY = 10_000;

const CLEAR = {
  name: 'import-rows-clear',
  text: 'with pages as (delete from import_pages where import_id = $1) delete from import_rows where import_id = $1',
};
const INSERT = {
  name: 'import-rows-insert',
  text: `insert into import_rows (import_id, n, kind, line, reference, type, name, doc, ext_key, parent_row, level, target_id, place_key, holder_id, key_holder_id,
      base_version, verdict, diff, errors)
    select $1, n, 'card', line, reference, type, name, coalesce(doc, '{}'), ext_key, parent_row, level, target_id, place_key, holder_id, key_holder_id,
      base_version, verdict, diff, errors
    from jsonb_to_recordset($2::jsonb) as r(n int, line int, reference text, type text, name text, doc jsonb, ext_key text, parent_row int, level int, target_id uuid,
      place_key text, holder_id uuid, key_holder_id uuid, base_version int, verdict text, diff jsonb, errors jsonb)`,
};
const SET = {
  name: 'import-rows-set',
  text: `update import_rows r set verdict = v.verdict, target_id = coalesce(v.target_id, r.target_id), place_key = v.place_key, holder_id = v.holder_id,
      key_holder_id = v.key_holder_id, base_version = v.base_version, diff = v.diff, errors = v.errors
    from jsonb_to_recordset($2::jsonb) as v(n int, verdict text, target_id uuid, place_key text, holder_id uuid, key_holder_id uuid, base_version int, diff jsonb, errors jsonb)
    where r.import_id = $1 and r.n = v.n`,
};
const SET_BY_RULES = {
  name: 'import-rows-set-by-rules',
  text: `update import_rows r set diff = coalesce((select jsonb_agg(change order by at) from jsonb_array_elements(r.diff) with ordinality as d(change, at) where not change ? 'set_by'), '[]') || v.set
    from jsonb_to_recordset($2::jsonb) as v(n int, set jsonb) where r.import_id = $1 and r.n = v.n`,
};
/** Rows that were to be written, or have a card, until they were compared with other rows. */
const REJECTED = {
  name: 'import-rows-rejected',
  text: `select n, verdict from import_rows where import_id = $1 and n > $2 and kind = 'card' and verdict in ('invalid', 'duplicate') order by n limit ${MANY}`,
};
/** A tenth of the usual sample, which took a second for 400,000 rows: of these columns, rough shares of values suffice. */
const SAMPLE = {
  name: 'import-rows-sample',
  text: `select set_config('default_statistics_target', '10', true)`,
};
const ANALYSE = { name: 'import-rows-analyse', text: 'analyze import_rows' };
const COUNTS = {
  name: 'import-rows-counts',
  text: `select kind, verdict, count(*)::int as n from import_rows where import_id = $1 group by kind, verdict`,
};

/** Updates the statistics: without it, thousands of new rows would be planned like a few. */
export async function analyseRows(uow: UnitOfWork): Promise<void> {
  await uow.query(SAMPLE);
  await uow.query(ANALYSE);
}

export async function clearRows(uow: UnitOfWork, importId: string): Promise<void> {
  await uow.query(CLEAR, [importId]);
}

/** A row with a card, its place among the rows of the file, and its verdict. */
export interface DecidedCard {
  row: StagedCard;
  place: CardRow;
  verdict: RowVerdict;
}

/** Stores rows with cards. */
export async function insertCards(uow: UnitOfWork, importId: string, cards: readonly DecidedCard[]): Promise<void> {
  await uow.query(INSERT, [importId, await jsonRows(cards, stored)]);
}

function stored({
  row: { line, reference, input },
  place: { parent, level },
  verdict,
}: DecidedCard): Record<string, unknown> {
  return {
    line,
    reference,
    type: input.type,
    name: input.name?.slice(0, 500).toWellFormed(),
    // Only of a card to create are all values written; of another one those in the diff.
    doc: verdict.verdict === 'create' ? { input } : undefined,
    ext_key: extKey(input.type, input.external_id),
    parent_row: parent,
    level: level === UNPLACED ? 0 : level,
    n: verdict.n,
    verdict: verdict.verdict,
    target_id: verdict.target_id,
    place_key: verdict.place_key,
    holder_id: verdict.holder_id,
    key_holder_id: verdict.key_holder_id,
    base_version: verdict.base_version,
    diff: verdict.diff,
    errors: verdict.errors,
  };
}

/** Adds column headings to errors, where the file is a table. */
export function withHeadings(verdict: RowVerdict, headings: ReadonlyMap<string, string>): RowVerdict {
  if (!verdict.errors || headings.size === 0) return verdict;
  return {
    ...verdict,
    errors: verdict.errors.map((e) => {
      const column = e.column ?? headings.get(e.field);
      return column === undefined ? e : { ...e, column };
    }),
  };
}

export async function setVerdicts(uow: UnitOfWork, importId: string, verdicts: readonly RowVerdict[]): Promise<void> {
  await uow.query(SET, [importId, JSON.stringify(verdicts)]);
}

/** Values that rules of modules set in a row, with `set_by`. */
export interface SetByRules {
  n: number;
  set: readonly RowChange[];
}

/** Replaces the values in the diffs of rows that rules set before. */
export async function setByRules(uow: UnitOfWork, importId: string, rows: readonly SetByRules[]): Promise<void> {
  await uow.query(SET_BY_RULES, [importId, JSON.stringify(rows)]);
}

/** The rows with cards that are rejected, a part of them. @param after number of the row to continue after; 0 for the beginning */
export async function rejectedCards(
  uow: UnitOfWork,
  importId: string,
  after: number,
): Promise<{ n: number; verdict: Verdict }[]> {
  return await uow.query<{ n: number; verdict: Verdict }>(REJECTED, [importId, after]);
}

export interface Counts {
  card: Partial<Record<Verdict, number>>;
  relation: Partial<Record<Verdict, number>>;
}

export async function countRows(uow: UnitOfWork, importId: string): Promise<Counts> {
  const counts: Counts = { card: {}, relation: {} };
  for (const { kind, verdict, n } of await uow.query<{ kind: 'card' | 'relation'; verdict: Verdict; n: number }>(
    COUNTS,
    [importId],
  ))
    counts[kind][verdict] = n;
  return counts;
}
