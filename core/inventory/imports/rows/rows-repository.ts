import type { Database } from '../../../foundation/db/database.js';
import { jsonRows } from '../../../foundation/db/json-rows.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { ownKeys, soughtKeys, soughtRow } from '../parse/keys.js';
import type { RowChange } from './diff.js';
import type { Reference, RelationValues, RowError, StagedCard, StagedRow, Verdict } from '../types.js';

/** The stored content of a row from the file; of a row with a relation the input alone, and only if it is to be created. */
export interface RowDoc {
  id?: string;
  input: StagedCard['input'] & RelationValues;
  parent?: Reference | null;
  byReferenceOnly?: boolean;
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

const CLEAR = {
  name: 'import-rows-clear',
  text: 'with pages as (delete from import_pages where import_id = $1) delete from import_rows where import_id = $1',
};
const INSERT = {
  name: 'import-rows-insert',
  text: `insert into import_rows (import_id, n, kind, line, reference, type, name, doc, ext_key, path_key, name_key, parent_ext_key, parent_path_key,
      parent_row, verdict, errors)
    select $1, n, 'card', line, reference, type, name, doc, ext_key, path_key, name_key, parent_ext_key, parent_path_key, parent_row, verdict, errors
    from jsonb_to_recordset($2::jsonb) as r(n int, line int, reference text, type text, name text, doc jsonb, ext_key text, path_key text, name_key text,
      parent_ext_key text, parent_path_key text, parent_row int, verdict text, errors jsonb)`,
};

/**
 * One statement, so that each row is written once. A parent is named by external id, else by path, else by a name without
 * path where one row alone has it. Of several rows with the same key, or the same path, it is the first.
 */
const LINK = {
  name: 'import-rows-link',
  text: `with exts as materialized (select ext_key, min(n) as n from import_rows where import_id = $1 and ext_key is not null group by ext_key),
      paths as materialized (select path_key, min(n) as n from import_rows where import_id = $1 and path_key is not null group by path_key),
      names as materialized (select name_key, min(n) as n from import_rows where import_id = $1 and name_key is not null group by name_key having count(*) = 1),
      linked as (select r.n, coalesce(r.parent_row, exts.n, paths.n, nullif(names.n, r.n)) as parent_row
        from import_rows r left join exts on exts.ext_key = r.parent_ext_key left join paths on paths.path_key = r.parent_path_key
          left join names on names.name_key = r.parent_path_key
        where r.import_id = $1 and coalesce(r.parent_ext_key, r.parent_path_key) is not null)
    update import_rows r set parent_row = l.parent_row from linked l where r.import_id = $1 and r.n = l.n and r.parent_row is distinct from l.parent_row`,
};

const LEVELS = {
  name: 'import-rows-levels',
  text: `with recursive tree as (
      select n, 0 as level from import_rows where import_id = $1 and kind = 'card' and parent_row is null
      union all select r.n, t.level + 1 from tree t join import_rows r on r.import_id = $1 and r.parent_row = t.n where t.level < 100)
    update import_rows r set level = t.level from tree t where r.import_id = $1 and r.n = t.n and t.level > 0`,
};
/** A row with a parent that was not reached from a root is part of a cycle. */
const CYCLES = {
  name: 'import-rows-cycles',
  text: `update import_rows set verdict = 'invalid', errors = '[{"field": "parent", "reason": "would put the card below itself, or deeper than any tree may be"}]'
    where import_id = $1 and kind = 'card' and parent_row is not null and level = 0 and verdict is null`,
};

const SET = {
  name: 'import-rows-set',
  text: `update import_rows r set verdict = v.verdict, target_id = coalesce(v.target_id, r.target_id), place_key = v.place_key, holder_id = v.holder_id,
      key_holder_id = v.key_holder_id, base_version = v.base_version, diff = v.diff, errors = v.errors
    from jsonb_to_recordset($2::jsonb) as v(n int, verdict text, target_id uuid, place_key text, holder_id uuid, key_holder_id uuid, base_version int, diff jsonb, errors jsonb)
    where r.import_id = $1 and r.n = v.n`,
};
const SET_DIFFS = {
  name: 'import-rows-set-diffs',
  text: `update import_rows r set diff = v.diff from jsonb_to_recordset($2::jsonb) as v(n int, diff jsonb) where r.import_id = $1 and r.n = v.n`,
};
const ANALYSE = { name: 'import-rows-analyse', text: 'analyze import_rows' };
const COUNTS = {
  name: 'import-rows-counts',
  text: `select kind, verdict, count(*)::int as n from import_rows where import_id = $1 group by kind, verdict`,
};

/** Updates the statistics: without it, thousands of new rows would be planned like a few. */
export async function analyseRows(db: Database): Promise<void> {
  await db.query(ANALYSE);
}

export async function clearRows(uow: UnitOfWork, importId: string): Promise<void> {
  await uow.query(CLEAR, [importId]);
}

/** Stores rows with cards, before they have verdicts. */
export async function insertCards(uow: UnitOfWork, importId: string, rows: readonly StagedCard[]): Promise<void> {
  await uow.query(INSERT, [importId, await jsonRows(rows, stored)]);
}

function stored(row: StagedCard): Record<string, unknown> {
  const { n, line, reference, id, errors, input, parent, byReferenceOnly } = row;
  const [keys, above] = [ownKeys(row), soughtKeys(parent)];
  const doc: RowDoc = {
    input,
    ...(id !== undefined && { id }),
    ...(parent !== undefined && { parent }),
    ...(byReferenceOnly && { byReferenceOnly }),
  };
  return {
    n,
    line,
    reference,
    verdict: verdictOf(row),
    errors: errors?.length ? errors : undefined,
    type: input.type,
    name: input.name?.slice(0, 500).toWellFormed(),
    doc,
    ext_key: keys.ext,
    path_key: keys.path,
    name_key: keys.name,
    parent_ext_key: above.ext,
    parent_path_key: above.path,
    parent_row: soughtRow(parent),
  };
}

/** The verdict that follows from the file alone, if any: errors in the file itself do not depend on the workspace. */
export const verdictOf = ({ verdict, errors }: StagedRow): Verdict | undefined =>
  verdict ?? (errors?.length ? 'invalid' : undefined);

/** Links rows to those of their parents, and assigns levels, so that parents come before children. */
export async function linkRows(uow: UnitOfWork, importId: string): Promise<void> {
  await uow.query(LINK, [importId]);
  await uow.query(LEVELS, [importId]);
  await uow.query(CYCLES, [importId]);
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

/** Replaces the diffs of rows whose verdicts remain. */
export async function setDiffs(
  uow: UnitOfWork,
  importId: string,
  diffs: readonly Required<Pick<RowVerdict, 'n' | 'diff'>>[],
): Promise<void> {
  await uow.query(SET_DIFFS, [importId, JSON.stringify(diffs)]);
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
