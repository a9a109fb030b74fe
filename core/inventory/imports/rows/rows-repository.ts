import type { Database } from '../../../foundation/db/database.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { ownKeys, soughtKeys, soughtRow } from '../parse/keys.js';
import type { RowChange } from './diff.js';
import type { Reference, RelationValues, RowError, StagedCard, StagedRow, Verdict } from '../types.js';

/** The stored content of a row from the file. */
export interface RowDoc {
  id?: string;
  input: StagedCard['input'] & RelationValues;
  parent?: Reference | null;
  source?: Reference;
  target?: Reference;
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

const CLEAR = { name: 'import-rows-clear', text: 'delete from import_rows where import_id = $1' };
const INSERT = {
  name: 'import-rows-insert',
  text: `insert into import_rows (import_id, n, kind, line, reference, type, name, doc, ext_key, path_key, name_key, parent_ext_key, parent_path_key,
      source_ext_key, source_path_key, target_ext_key, target_path_key, parent_row, source_row, target_row, verdict, errors)
    select $1, n, kind, line, reference, type, name, doc, ext_key, path_key, name_key, parent_ext_key, parent_path_key,
      source_ext_key, source_path_key, target_ext_key, target_path_key, parent_row, source_row, target_row, verdict, errors
    from jsonb_to_recordset($2::jsonb) as r(n int, kind text, line int, reference text, type text, name text, doc jsonb, ext_key text, path_key text, name_key text,
      parent_ext_key text, parent_path_key text, source_ext_key text, source_path_key text, target_ext_key text, target_path_key text,
      parent_row int, source_row int, target_row int, verdict text, errors jsonb)`,
};

/**
 * SQL of the row that a reference names: by external id, else by path, else by a name without path where one row alone has
 * it. Of several rows with the same key, or the same path, it is the first.
 */
const namedRow = (side: 'parent' | 'source' | 'target') =>
  `coalesce(r.${side}_row, ${side}_ext.n, ${side}_path.n, nullif(${side}_name.n, r.n))`;
const keysOf = (side: 'parent' | 'source' | 'target') => `
      left join exts ${side}_ext on ${side}_ext.ext_key = r.${side}_ext_key
      left join paths ${side}_path on ${side}_path.path_key = r.${side}_path_key
      left join names ${side}_name on ${side}_name.name_key = r.${side}_path_key`;
/** One statement, so that each row is written once. */
const LINK = {
  name: 'import-rows-link',
  text: `with exts as materialized (select ext_key, min(n) as n from import_rows where import_id = $1 and ext_key is not null group by ext_key),
      paths as materialized (select path_key, min(n) as n from import_rows where import_id = $1 and path_key is not null group by path_key),
      names as materialized (select name_key, min(n) as n from import_rows where import_id = $1 and name_key is not null group by name_key having count(*) = 1),
      linked as (select r.n, ${namedRow('parent')} as parent_row, ${namedRow('source')} as source_row, ${namedRow('target')} as target_row
        from import_rows r ${keysOf('parent')} ${keysOf('source')} ${keysOf('target')}
        where r.import_id = $1 and coalesce(r.parent_ext_key, r.parent_path_key, r.source_ext_key, r.source_path_key, r.target_ext_key, r.target_path_key) is not null)
    update import_rows r set parent_row = l.parent_row, source_row = l.source_row, target_row = l.target_row
    from linked l where r.import_id = $1 and r.n = l.n
      and (r.parent_row, r.source_row, r.target_row) is distinct from (l.parent_row, l.source_row, l.target_row)`,
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

export async function insertRows(uow: UnitOfWork, importId: string, rows: readonly StagedRow[]): Promise<void> {
  await uow.query(INSERT, [importId, JSON.stringify(rows.map(stored))]);
}

function stored(row: StagedRow): Record<string, unknown> {
  const { n, kind, line, reference, id, verdict, errors } = row;
  // Errors in the file itself do not depend on the workspace.
  const own = {
    n,
    kind,
    line,
    reference,
    verdict: verdict ?? (errors?.length ? 'invalid' : undefined),
    errors: errors?.length ? errors : undefined,
    type: row.input.type,
  };
  if (row.kind === 'relation') {
    const { input, source, target } = row;
    const [from, to] = [soughtKeys(source), soughtKeys(target)];
    const doc: RowDoc = {
      input,
      ...(id !== undefined && { id }),
      ...(source && { source }),
      ...(target && { target }),
    };
    return {
      ...own,
      doc,
      source_ext_key: from.ext,
      source_path_key: from.path,
      target_ext_key: to.ext,
      target_path_key: to.path,
      source_row: soughtRow(source),
      target_row: soughtRow(target),
    };
  }
  const { input, parent, byReferenceOnly } = row;
  const [keys, above] = [ownKeys(row), soughtKeys(parent)];
  const doc: RowDoc = {
    input,
    ...(id !== undefined && { id }),
    ...(parent !== undefined && { parent }),
    ...(byReferenceOnly && { byReferenceOnly }),
  };
  return {
    ...own,
    name: input.name?.slice(0, 500),
    doc,
    ext_key: keys.ext,
    path_key: keys.path,
    name_key: keys.name,
    parent_ext_key: above.ext,
    parent_path_key: above.path,
    parent_row: soughtRow(parent),
  };
}

/** Links rows that refer to each other, and assigns levels, so that parents come before children. */
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
