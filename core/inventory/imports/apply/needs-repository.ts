import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';

/** What pending rows write: cards or relations of one type, and a cost they set or the type of a card at an end. */
export interface RowsDue {
  kind: 'card' | 'relation';
  verdict: 'create' | 'update';
  type: string;
  cost: string | null;
  end_type: string | null;
}

/**
 * Types of the cards at the ends of a relation in row `r`, as far as known. The ends are in the row's place key, as ids
 * or row numbers of the file; for a relation given by its id, in the stored relation.
 */
const END_TYPES = `array(
    select c.type from unnest(string_to_array(r.place_key, E'\\n')) with ordinality e (id, at) join cards c on c.id = case when e.at > 1 and e.id not like 'row %' then e.id::uuid end
    union select c.type from relations x join cards c on c.id in (x.source_id, x.target_id) where x.id = r.target_id
    union select s.type from import_rows s where s.import_id = r.import_id and s.n in (r.source_row, r.target_row) and s.type is not null)`;

const DUE = `r.import_id = $1 and r.verdict in ('create', 'update') and r.applied_at is null`;
const NEEDS = {
  name: 'import-needs',
  text: `select distinct r.kind, r.verdict, r.type, null as cost, null as end_type from import_rows r where ${DUE}
    union all select distinct r.kind, r.verdict, r.type, d->>'field', null from import_rows r cross join lateral jsonb_array_elements(r.diff) d
      where ${DUE} and d->>'field' = any($2::text[]) and d->>'set_by' is null
    union all select distinct r.kind, r.verdict, r.type, null, e.type from import_rows r cross join lateral unnest(${END_TYPES}) e (type)
      where ${DUE} and r.kind = 'relation'`,
};

/**
 * The distinct kinds of writes of an import's pending rows.
 * @param costs cost fields of any type, in the notation of diffs
 */
export async function rowsDue(uow: UnitOfWork, importId: string, costs: readonly string[]): Promise<RowsDue[]> {
  return await uow.query<RowsDue & Record<string, unknown>>(NEEDS, [importId, costs]);
}
