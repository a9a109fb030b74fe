import type { ListQuery, ListSpec } from '../../../foundation/db/list-query.js';
import { invalid } from '../../../foundation/errors.js';
import { pageOfKeys, type PageSource } from '../page-source-repository.js';
import type { Search } from './search-terms-repository.js';

/** Number of hits from which a search is cached as large: deletions in the meantime make no difference. */
export const REMEMBERED_HITS = 12_000;
/** Maximum number of hits that are ranked. */
const RANKED_HITS = 2_000;
/** Maximum number of rows read in list order before the word indexes are used. */
const LONGEST_WALK = 3_000;
/** If at least one row in this many is a hit, a scan finds enough hits faster than the indexes. */
const DENSE = 10;
/** Pages beyond this number of hits are not found by a scan. */
const WALKED_HITS = 600;

interface SearchPage {
  keys: ListQuery;
  /** Conditions without the search. */
  narrow: string[];
  search: Search;
  columns: string;
  /** Whether the total must be exact, regardless of its size. */
  exact: boolean;
  /** Whether the total is known to be large. */
  countless: boolean;
}

const RELEVANCE: ListSpec & { indexed: boolean } = {
  table: 'card_rows c',
  id: 'c.id',
  defaultSort: 'relevance',
  indexed: false,
  sorts: { relevance: { sql: 'c.rank', type: 'integer', ranked: true } },
};

/** The list by relevance, if requested. @throws a 422 without a search */
export function isRanked(
  query: { sort_by?: string | undefined },
  search: Search | undefined,
): (ListSpec & { indexed: boolean }) | undefined {
  if (query.sort_by !== 'relevance') return undefined;
  if (!search) throw invalid({ field: 'sort_by', reason: 'relevance requires a search', in: 'query' });
  return RELEVANCE;
}

const all = (conditions: readonly string[]): string => conditions.join(' and ');

/**
 * SQL of the number of hits. The rows scanned so far show the density of hits, and therefore which way of counting is
 * faster.
 * @param done condition under which `hits` of `seen` are all hits
 */
function totalOf({ narrow, search, exact, countless }: SearchPage, done: string): string {
  if (countless) return `${REMEMBERED_HITS}::bigint`;
  const limit = exact ? '' : ` limit ${REMEMBERED_HITS}`;
  const count = (conditions: string, gate: string) =>
    `(select count(*) from (select from card_rows c where ${all(narrow)} and ${conditions} and ${gate}${limit}) h)`;
  const dense = exact ? 'false' : `(select hits * ${DENSE} >= looked from seen)`;
  return `(case when ${done} then (select hits from seen)
    when ${dense} then ${count(all(search.looked), dense)} else ${count(all(search.indexed), `not ${dense} and not ${done}`)} end)`;
}

/**
 * A page of a search in the order of a list. Frequent words are found by scanning in that order until there are enough hits, rare ones
 * by the word indexes: the first rows scanned decide which. The number of hits so far only grows, so PostgreSQL stops scanning
 * where the condition on it first fails.
 */
export function searchSource(page: SearchPage & { isWalked: boolean }): PageSource {
  const {
    keys: { conditions, value, order, limit, offset, page_size, keyed },
    search,
    columns,
    isWalked,
  } = page;
  const need = offset + page_size + 1;
  if (!isWalked || need > WALKED_HITS) {
    // `keyed`: after a cursor only a part of the hits is left.
    const found = `found as materialized (select c.id, ${value} as v, (${value})::text as sort_value from card_rows c where ${all(conditions)} and ${all(search.indexed)})`;
    const seen = `seen as (select count(*) as hits, 2147483647 as looked from found)`;
    return {
      with: `${found}, ${seen}, ${sorted('found', order, limit, value)}, ${pageOfKeys(columns)}`,
      total: totalOf({ ...page, countless: page.countless && keyed }, keyed ? 'false' : 'true'),
    };
  }
  const walked = `walked as materialized (select w.id, w.sort_value, w.place, w.hit from (
    select c.*, row_number() over (rows unbounded preceding) as place, count(*) filter (where c.hit) over (rows unbounded preceding) as hits_so_far
    from (select c.id, (${value})::text as sort_value, (${all(search.looked)}) as hit
      from (select c.* from card_rows c where ${all(conditions)} order by ${order} limit ${LONGEST_WALK}) c) c) w where w.hits_so_far <= ${need})`;
  const seen = `seen as materialized (select count(*) filter (where hit) as hits, count(*) as looked from walked)`;
  const enough = `(select hits >= ${need} or looked < ${LONGEST_WALK} from seen)`;
  const found = `found as materialized (select c.id, ${value} as v, (${value})::text as sort_value from card_rows c where ${all(conditions)} and ${all(search.indexed)} and not ${enough})`;
  const keys = `keys as materialized (select k.*, row_number() over () as place from (
    (select id, sort_value from walked where hit and ${enough} order by place ${limit})
    union all (select c.id, c.sort_value from found c order by ${order.replaceAll(value, 'c.v')} ${limit})) k)`;
  const complete = keyed ? 'false' : `(select hits < ${need} and looked < ${LONGEST_WALK} from seen)`;
  const total = keyed
    ? totalOf(page, complete)
    : `(case when ${enough} then ${totalOf(page, complete)} else (select count(*) from found) end)`;
  return { with: `${walked}, ${seen}, ${found}, ${keys}, ${pageOfKeys(columns)}`, total };
}

const sorted = (table: string, order: string, limit: string, value: string): string =>
  `keys as materialized (select k.*, row_number() over () as place from (select c.id, c.sort_value from ${table} c order by ${order.replaceAll(value, 'c.v')} ${limit}) k)`;

/** A page of the first hits, ordered by relevance. */
export function rankedSource(page: SearchPage): PageSource {
  const {
    keys: { order, limit },
    narrow,
    search,
    columns,
  } = page;
  const seen = `seen as materialized (select count(*) filter (where ${all(search.looked)}) as hits, count(*) as looked from (select c.* from card_rows c where ${all(narrow)} limit ${LONGEST_WALK}) c)`;
  const dense = `(select hits * ${DENSE} >= looked and looked = ${LONGEST_WALK} from seen)`;
  const rank = search.rank();
  const of = (conditions: string, gate: string) =>
    `(select c.id, c.name_key, ${rank} as rank from card_rows c where ${all(narrow)} and ${conditions} and ${gate} limit ${RANKED_HITS})`;
  // Of many hits only some are ranked. Cards whose name is the search text are found by the index on names, which has active cards.
  const named = `c.status = 'ACTIVE' and ${search.named()}`;
  const others = `not (${named})`;
  const found = `found as materialized (${of(named, 'true')} union all ${of(all(search.looked), `${others} and ${dense}`)} union all ${of(all(search.indexed), `${others} and not ${dense}`)})`;
  const keys = `keys as materialized (select k.*, row_number() over () as place from (
    select c.id, c.rank::text as sort_value from found c order by ${order.replace(', c.id', ', c.name_key, c.id')} ${limit}) k)`;
  return {
    with: `${seen}, ${found}, ${keys}, ${pageOfKeys(columns)}`,
    total: totalOf(page, `(select looked < ${LONGEST_WALK} from seen)`),
  };
}
