import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';

/** Values that several rows have, which are few: rows are not sorted to find them. */
const several = (column: string): string =>
  `select ${column}, min(n) as first from due where ${column} is not null group by ${column} having count(*) > 1`;
/** Rows of one file with the same card or relation: the first is used. */
const DUPLICATES = {
  name: 'import-rows-duplicates',
  text: `with due as (select n, target_id, ext_key, place_key from import_rows
      where import_id = $1 and kind = $2 and verdict in ('create', 'update', 'unchanged', 'archived')),
    targets as (${several('target_id')}), exts as (${several('ext_key')}), places as (${several('place_key')}),
    again as (select due.n, case when targets.first < due.n then targets.first when exts.first < due.n then exts.first end as first,
        case when places.first < due.n then places.first end as place
      from due left join targets using (target_id) left join exts using (ext_key) left join places using (place_key))
    update import_rows r set diff = null,
      verdict = case when a.first is null and r.ext_key is not null and p.ext_key is not null then 'invalid' else 'duplicate' end,
      errors = jsonb_build_array(jsonb_build_object('field', case when a.first is null and r.kind = 'card' then 'name' else '' end,
        'reason', case when a.first is null and r.kind = 'card' then 'has the same position as row ' else 'is the same as row ' end || coalesce(a.first, a.place)))
    from again a left join import_rows p on p.import_id = $1 and p.n = a.place
    where r.import_id = $1 and r.n = a.n and coalesce(a.first, a.place) is not null`,
};

const DUE = `verdict in ('create', 'update')`;
/** Condition that another row moves or renames the card, or changes its external id. */
const leaves = (
  column: string,
  fields: string,
) => `exists (select from import_rows h where h.import_id = $1 and h.target_id = r.${column} and h.verdict = 'update'
  and h.diff @? '$[*] ? (${fields})')`;
const LEAVES_PLACE = leaves('holder_id', '@.field == "name" || @.field == "parent_id"');
const LEAVES_KEY = leaves('key_holder_id', '@.field == "external_id"');
/**
 * Rows that set a value which a card keeps, or a parent that is not stored; and, recursively, rows that depend on a
 * value such rows would have released, or on a card they would have created.
 */
const STUCK = {
  name: 'import-rows-stuck',
  text: `with recursive stuck as (
      select r.n, 'name' as why from import_rows r where r.import_id = $1 and r.holder_id is not null and r.${DUE} and not ${LEAVES_PLACE}
      union select r.n, 'external_id' from import_rows r where r.import_id = $1 and r.key_holder_id is not null and r.${DUE} and not ${LEAVES_KEY}
      union select r.n, 'parent' from import_rows r join import_rows p on p.import_id = $1 and p.n = r.parent_row
        where r.import_id = $1 and r.kind = 'card' and r.${DUE} and p.target_id is null and p.verdict <> 'create'
      union select v.n, x.why from stuck s join import_rows h on h.import_id = $1 and h.n = s.n
        cross join lateral (
          select r.n, 'name' as why from import_rows r where r.import_id = $1 and r.holder_id = h.target_id
          union all select r.n, 'external_id' from import_rows r where r.import_id = $1 and r.key_holder_id = h.target_id
          union all select r.n, 'parent' from import_rows r where r.import_id = $1 and r.parent_row = h.n and h.verdict = 'create') x
        join import_rows v on v.import_id = $1 and v.n = x.n and v.${DUE})
    update import_rows r set verdict = 'invalid', diff = null, errors = jsonb_build_array(jsonb_build_object('field', s.why, 'reason',
      case s.why when 'name' then 'is taken by an active sibling' when 'external_id' then 'is taken by another card of the type'
        else 'names row ' || r.parent_row || ', which cannot be imported' end))
    from (select n, min(why) as why from stuck group by n) s where r.import_id = $1 and r.n = s.n returning 1`,
};

const RELATIONS_DUE = `select n, split_part(place_key, E'\\n', 1) as type, split_part(place_key, E'\\n', 2) as source, split_part(place_key, E'\\n', 3) as target
  from import_rows where import_id = $1 and kind = 'relation' and verdict = 'create'`;
/** Ends that may have only one relation of a type and already have one. */
const CROWDED = {
  name: 'import-rows-crowded',
  text: `with due as materialized (${RELATIONS_DUE}),
    full_ends as (
      select d.n, 'target' as field from due d join relations x on x.type = d.type and x.target_id = case when d.target not like 'row %' then d.target::uuid end and not x.hidden where d.type = any($2::text[])
      union all
      select d.n, 'source' from due d join relations x on x.type = d.type and x.source_id = case when d.source not like 'row %' then d.source::uuid end and not x.hidden where d.type = any($3::text[]))
    update import_rows r set verdict = 'invalid', diff = null, errors = f.errors
    from (select n, jsonb_agg(jsonb_build_object('field', field, 'reason', 'has a relation of this type, and may have one')) as errors from full_ends group by n) f
    where r.import_id = $1 and r.n = f.n`,
};
/** Of the rows for the same such end the first is used, unless it is rejected for its other end. */
const RIVALS = {
  name: 'import-rows-rivals',
  text: `with due as materialized (${RELATIONS_DUE}),
    wanted as (
      select n, 'target' as field, min(n) over (partition by type, target) as first from due where type = any($2::text[])
      union all select n, 'source', min(n) over (partition by type, source) from due where type = any($3::text[])),
    certain as (select n from wanted group by n having bool_and(first = n)),
    late as (select w.n, min(w.field) as field, min(w.first) as first from wanted w join certain c on c.n = w.first where w.first < w.n group by w.n)
    update import_rows r set verdict = 'invalid', diff = null,
      errors = jsonb_build_array(jsonb_build_object('field', l.field, 'reason', 'gets a relation of this type by row ' || l.first || ', and may have one'))
    from late l where r.import_id = $1 and r.n = l.n returning 1`,
};

/** Relation types by the end that may have only one relation. */
export interface Cardinality {
  oneSource: readonly string[];
  oneTarget: readonly string[];
}

/** Determines which of several equal rows is used. */
export async function markDuplicates(uow: UnitOfWork, importId: string, kind: 'card' | 'relation'): Promise<void> {
  await uow.query(DUPLICATES, [importId, kind]);
}

/**
 * Rejects rows with names and external ids already in use, and children of rejected rows. @returns the number of
 * rejected rows
 */
export async function markStuck(uow: UnitOfWork, importId: string): Promise<number> {
  return (await uow.query(STUCK, [importId])).length;
}

/** Rejects rows for ends that may have only one relation of a type. */
export async function markCrowded(
  uow: UnitOfWork,
  importId: string,
  { oneSource, oneTarget }: Cardinality,
): Promise<void> {
  if (oneSource.length + oneTarget.length === 0) return;
  await uow.query(CROWDED, [importId, oneSource, oneTarget]);
  while ((await uow.query(RIVALS, [importId, oneSource, oneTarget])).length > 0);
}
