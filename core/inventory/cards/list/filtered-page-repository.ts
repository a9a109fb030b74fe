import type { ListQuery } from '../../../foundation/db/list-query.js';
import { COUNTED_HITS, countLimit, pageOfKeys, rowsWith, type PageSource } from '../page-source-repository.js';
import type { Range } from './attribute-filters-repository.js';

/** Maximum number of rows read in list order to find a page of frequent hits. */
const LONGEST_WALK = 3_000;
/** Pages beyond this number of hits are not searched in this way. */
const WALKED_HITS = 600;

const all = (conditions: readonly string[]): string => (conditions.length === 0 ? 'true' : conditions.join(' and '));

/** A filtered list for which the maintained counters cannot give the total. */
interface FilteredPage {
  keys: ListQuery;
  /** Conditions without the cursor. */
  narrow: readonly string[];
  /** Those not covered by the counters. */
  byRow: readonly string[];
  columns: string;
  /** Those for which attribute indexes can be used. */
  ranges: readonly Range[];
  /** Whether all hits are counted. */
  exact: boolean;
  /** Whether an index provides the order of the list. */
  isIndexed: boolean;
}

/** SQL of all hits with their sort value `v`. */
function hitsOf({ keys: { value }, narrow, ranges }: FilteredPage): string {
  const others = narrow.filter((condition) => !ranges.some((range) => range.condition === condition));
  // One subquery per type: for several types in one condition the planner would also scan an index over all types.
  const types = [...(ranges[0]?.byType.keys() ?? [])].filter((type) => ranges.every(({ byType }) => byType.has(type)));
  const byType = types.map((type) => [...others, ...ranges.map((range) => range.byType.get(type)!)]);
  const none = ranges.length > 0 ? [...narrow, 'false'] : narrow;
  return (byType.length === 0 ? [none] : byType)
    .map((where) => `select c.id, ${value} as v from ${rowsWith(value, ...where)} where ${all(where)}`)
    .join(' union all ');
}

/**
 * A page of a list whose hits are found by attribute indexes, or which is sorted by an attribute and filtered by
 * conditions without counters. The hits are read first, up to the counting limit. If these are all, the page is sorted
 * from them. If there are more, hits are frequent: if an index provides the order of the list, the page is found by
 * scanning in that order over a bounded number of rows; only if that is not enough are all hits read.
 * @returns the source of the page; its total is at most one more than `COUNTED_HITS`, unless all hits had to be read
 */
export function filteredSource(page: FilteredPage): PageSource {
  const {
    keys: { value, order, limit, conditions, offset, page_size },
    narrow,
    byRow,
    columns,
    exact,
    isIndexed,
  } = page;
  const need = offset + page_size + 1;
  const hits = hitsOf(page);
  const ofHits = (sql: string): string => sql.replaceAll(value, 'c.v');
  const behind = conditions.slice(narrow.length).map(ofHits);
  const sorted = `select c.id, c.v::text as sort_value from hits c where ${all(behind)} order by ${ofHits(order)} ${limit}`;
  const keysOf = (rows: string): string =>
    `keys as materialized (select k.*, row_number() over () as place from (${rows}) k), ${pageOfKeys(columns)}`;
  if (exact || !isIndexed || need > WALKED_HITS)
    return { with: `hits as materialized (${hits}), ${keysOf(sorted)}`, total: '(select count(*) from hits)' };
  const isMany = `(select count(*) > ${COUNTED_HITS} from few)`;
  const inOrder = `select c.* from card_rows c where ${all(conditions.filter((condition) => !byRow.includes(condition)))} and ${isMany} order by ${order} limit ${LONGEST_WALK}`;
  // The scanned rows suffice if they contain enough hits or are the rest of the list.
  const isFound = `(case when not ${isMany} then false when (select count(*) = ${need} from walked) then true
    else (select count(*) < ${LONGEST_WALK} from (${inOrder}) c) end)`;
  return {
    with: `few as materialized (select * from (${hits}) h${countLimit(false)}),
    walked as materialized (select c.id, (${value})::text as sort_value, c.place from (select c.*, row_number() over () as place from (${inOrder}) c) c
      where ${all(byRow)} limit ${need}),
    found as materialized (select ${isFound} as is_found),
    hits as materialized (select * from few where not ${isMany} union all select * from (${hits}) h where ${isMany} and not (select is_found from found)),
    ${keysOf(`(select w.id, w.sort_value from walked w where (select is_found from found) order by w.place ${limit}) union all (${sorted})`)}`,
    total: '(select count(*) from few)',
  };
}
