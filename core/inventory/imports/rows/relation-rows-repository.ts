import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { soughtKeys, soughtRow } from '../parse/keys.js';
import type { Reference, StagedRelation, Verdict } from '../types.js';
import type { RowVerdict } from './rows-repository.js';

const INSERT_PAGE = {
  name: 'import-page-insert',
  text: 'insert into import_pages (import_id, n, rows) values ($1, $2, $3)',
};
const PAGE = { name: 'import-page', text: 'select rows from import_pages where import_id = $1 and n = $2' };
const CLEAR_PAGES = { name: 'import-pages-clear', text: 'delete from import_pages where import_id = $1' };

/** The first row with a key, read from an index, because all rows of a file may have the same key. */
const first = (by: 'ext' | 'path', keys: string): string =>
  `select '${by}' as by, w.key, r.n, r.target_id as target, r.verdict, r.type from unnest(${keys}::text[]) as w(key)
    cross join lateral (select k.n, k.target_id, k.verdict, k.type from import_rows k where k.import_id = $1 and k.${by}_key = w.key order by k.n limit 1) r`;
const NAMED = {
  name: 'import-rows-named',
  text: `${first('ext', '$2')} union all ${first('path', '$3')}
    union all select 'name', w.key, r.n, r.target_id, r.verdict, r.type from unnest($3::text[]) as w(key)
      cross join lateral (select min(a.n) as n from (select k.n from import_rows k where k.import_id = $1 and k.name_key = w.key order by k.n limit 2) a having count(*) = 1) o
      join import_rows r on r.import_id = $1 and r.n = o.n
    union all select 'row', r.n::text, r.n, r.target_id, r.verdict, r.type from import_rows r where r.import_id = $1 and r.n = any($4::int[])`,
};
const INSERT = {
  name: 'import-relation-rows-insert',
  text: `insert into import_rows (import_id, n, kind, line, reference, type, doc, source_row, target_row, target_id, place_key, base_version, verdict, diff, errors)
    select $1, n, 'relation', line, reference, type, doc, source_row, target_row, target_id, place_key, base_version, verdict, diff, errors
    from jsonb_to_recordset($2::jsonb) as r(n int, line int, reference text, type text, doc jsonb, source_row int, target_row int, target_id uuid, place_key text,
      base_version int, verdict text, diff jsonb, errors jsonb)`,
};

/** Stores rows until the verdicts of all cards are known. @param rows JSON of an array of `StagedRelation` */
export async function insertPage(uow: UnitOfWork, importId: string, n: number, rows: string): Promise<void> {
  await uow.query(INSERT_PAGE, [importId, n, rows]);
}

export async function readPage(uow: UnitOfWork, importId: string, n: number): Promise<StagedRelation[]> {
  const [page] = await uow.query<{ rows: string }>(PAGE, [importId, n]);
  return JSON.parse(page!.rows) as StagedRelation[];
}

export async function clearPages(uow: UnitOfWork, importId: string): Promise<void> {
  await uow.query(CLEAR_PAGES, [importId]);
}

/** A row of a card that rows with relations name. */
export interface NamedRow {
  n: number;
  target: string | null;
  verdict: Verdict | null;
  type: string | null;
}

/**
 * The rows of a file that references name. By external id and by path it is the first, by a name alone the only one.
 * @returns rows by `ext`, `path`, `name` or `row`, a blank, and the key or number; see `soughtKeys` and `soughtRow`
 */
export async function findNamedRows(
  uow: UnitOfWork,
  importId: string,
  references: readonly Reference[],
): Promise<Map<string, NamedRow>> {
  if (references.length === 0) return new Map();
  const keys = references.map(soughtKeys);
  const found = await uow.query<NamedRow & { by: string; key: string }>(NAMED, [
    importId,
    [...new Set(keys.flatMap(({ ext }) => ext ?? []))],
    [...new Set(keys.flatMap(({ path }) => path ?? []))],
    [...new Set(references.flatMap((reference) => soughtRow(reference) ?? []))],
  ]);
  return new Map(found.map((row) => [`${row.by} ${row.key}`, row]));
}

/** A row with a relation, its verdict, and the rows of the cards at its ends. */
export interface DecidedRelation {
  row: StagedRelation;
  verdict: RowVerdict;
  source_row: number | null;
  target_row: number | null;
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
    doc: verdict.verdict === 'create' ? { input } : {},
    ...verdict,
  }));
  await uow.query(INSERT, [importId, JSON.stringify(rows)]);
}
