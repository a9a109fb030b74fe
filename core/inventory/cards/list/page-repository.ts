import {
  Bindings,
  isUncounted,
  listQuery,
  type ListParams,
  type ListQuery,
} from '../../../foundation/db/list-query.js';
import { splitPage } from './attribute-page-repository.js';
import { filteredSource } from './filtered-page-repository.js';
import { compileFilters, type CardFilters } from './filters-repository.js';
import { COUNTED_HITS, countSql, pageOfKeys, rowsWith, type PageSource } from '../page-source-repository.js';
import { isRanked, rankedSource, searchSource } from '../search/search-repository.js';
import {
  needsRolesAbove,
  type CardVisibility,
  inheritedCostsSql,
  othersSql,
  rolesAboveSql,
} from '../../access/index.js';
import { cardList, type CardList } from './sorts-repository.js';
import type { Reader } from './view.js';
import { RELATED_JSON, ROW_COLUMNS, VIEW_COLUMNS, viewColumnsFor } from './view-repository.js';

export type CardListQuery = ListParams & CardFilters & { fields?: string | undefined; expand?: string | undefined };

/** Separators of the parts of a row, and of rows: these characters do not occur in JSON. */
export const PART = '\x1f';
export const ROW = '\x1e';

/** The plan of a page, before it is decided which columns are read. */
export interface CardPage {
  keys: ListQuery;
  bindings: Bindings;
  /** @param columns columns of `cards c` for `page` */
  source(columns: string): PageSource;
  /** Whether the total is counted only up to `COUNTED_HITS`. */
  isBounded: boolean;
  /** Whether the total is not counted because it is known to be large. */
  isCountless: boolean;
  /** SQL over the rows of the page: whether a role above a card permits viewing its costs; undefined where none can. */
  inheritsCosts: string | undefined;
  /** The parameters that determine the total of a search, as key of the cache of large searches. */
  searched: string | undefined;
  scope: string;
  /** Whether finding the rows may require reading many cards. */
  isCostly: boolean;
  /** Columns of the view for the reader. Call it once, and only where they are used, because it binds values. */
  view(): string;
}

const STAMP = 'c.stamp';
/** Columns needed to identify the row version, and for the parts of a view outside the row. */
const KEY_COLUMNS = `c.id, c.parent_id, c.path_ids, ${STAMP}`;
const FULL_COLUMNS = `${ROW_COLUMNS}, ${STAMP}`;

/** Cached knowledge about lists. */
export interface ListKnowledge {
  /** Total of a list when it was last read; a hint only. */
  lastTotal(scope: string): number | undefined;
  /** Whether a search with these parameters recently had more hits than are counted. */
  isLarge(searched: string): boolean;
  /** Approximate share of the cards that contain a word with this prefix. */
  share(word: string): number;
  /** Whether, as far as known, few cards contain this text as a word or part of one. */
  isRare(word: string): boolean;
  /** Approximate lower bound of the number of cards with such a word. */
  atLeast(word: string): number;
}

/** For smaller offsets reading from the end gains nothing. */
const LONG_WAY = 2_000;
/** With this many hits a page is found quickly by scanning in any order. */
const MANY = 5_000;
/** An estimate above this means more hits than are counted, even if it is inaccurate. */
const SURELY_LARGE = 5 * COUNTED_HITS;

/** The parameters that identify the list; a cursor is valid only for the same ones. */
function scopeOf(query: CardListQuery): string {
  const {
    page: _page,
    page_size: _size,
    cursor: _cursor,
    sort_by: _by,
    sort_dir: _dir,
    fields: _fields,
    expand: _expand,
    total: _total,
    ...filters
  } = query;
  return JSON.stringify(Object.entries(filters).sort());
}

/**
 * Plans one page of a card list: decides how its rows are found and its hits counted.
 * @param known cached knowledge about lists
 * @throws a 422 listing invalid parameters, a 403 for stakeholders or relations the reader may not see
 */
export function cardPage(query: CardListQuery, reader: Reader, known: ListKnowledge): CardPage {
  const { metamodel, visibility } = reader;
  const bindings = new Bindings();
  const { narrow, byRow, search, counted, types, ranges, isScattered } = compileFilters(
    query,
    bindings,
    reader,
    (word) => known.share(word),
  );
  const { hiddenTypes, relationlessTypes, me, costRedactedTypes, stakeholderRedactedTypes } = visibility;
  const searched =
    search &&
    JSON.stringify([
      scopeOf(query),
      hiddenTypes,
      relationlessTypes,
      me,
      [...costRedactedTypes],
      [...stakeholderRedactedTypes],
    ]);
  const ranked = isRanked(query, search);
  const list: CardList = ranked ?? cardList(query.sort_by, types, metamodel, visibility, bindings);
  const conditions = list.always === undefined ? narrow : [...narrow, list.always];
  const keys = listQuery(list, query, conditions, bindings, scopeOf(query));
  // There is no counter per subtype, but an index with which all hits can be counted.
  const isBySubtype = query.subtype !== undefined && byRow.length === 1 && !search;
  const exact = query.total === 'exact' || isBySubtype;
  const uncounted = isUncounted(query);
  // A single word among all active cards: no other condition reduces its hits.
  const [word] = search?.words.length === 1 && narrow.length === 1 && query.status === undefined ? search.words : [];
  const countless =
    searched !== undefined &&
    !exact &&
    !uncounted &&
    (known.isLarge(searched) || (word !== undefined && known.atLeast(word) > SURELY_LARGE));
  const counting = (columns: string): PageSource => {
    if (search && ranked) return rankedSource({ keys, narrow, search, columns, exact, countless });
    if (search)
      return searchSource({
        keys,
        narrow,
        search,
        columns,
        exact,
        countless,
        isWalked: list.indexed && !search.words.some((w) => known.isRare(w)),
      });
    if (ranges.length > 0 || isScattered || (list.split && !counted))
      return filteredSource({ keys, narrow, byRow, columns, ranges, exact, isIndexed: list.indexed });
    const total = counted
      ? `(select coalesce(sum(n), 0)::bigint from card_counts where ${counted.join(' and ')})`
      : countSql(`from ${rowsWith(...narrow)} where ${narrow.join(' and ')}`, exact);
    // Scanning an attribute index in order must not pass over many cards of another approval status: that is unlikely
    // only if the last total was large.
    const isWalked = query.approval_status === undefined || (known.lastTotal(scopeOf(query)) ?? 0) >= MANY;
    if (list.split && isWalked) return { with: splitPage({ keys, narrow, columns, split: list.split }), total };
    // Reading from the end needs the total.
    const isBehind =
      !uncounted &&
      counted !== undefined &&
      keys.offset > LONG_WAY &&
      keys.offset * 2 > (known.lastTotal(scopeOf(query)) ?? Number.POSITIVE_INFINITY);
    return isBehind
      ? { with: backwardPage(keys, total, columns), total: '(select n from total)' }
      : { with: plainPage(keys, columns), total };
  };
  const source = (columns: string): PageSource =>
    uncounted ? { ...counting(columns), total: 'null' } : counting(columns);
  const isCostly =
    counted === undefined || ((list.split !== undefined || !list.indexed) && keys.offset > 0) || keys.offset > LONG_WAY;
  return {
    keys,
    bindings,
    source,
    isBounded: counted === undefined && !exact,
    isCountless: countless,
    inheritsCosts: inheritedCostsSql(visibility, bindings),
    searched,
    scope: scopeOf(query),
    isCostly,
    view: () => viewColumnsFor(othersSql(visibility, bindings)),
  };
}

/**
 * Without an offset the rows are read directly; else their keys first, so that skipped rows need only an index scan.
 */
function plainPage({ conditions, value, order, limit, offset }: ListQuery, columns: string): string {
  const rest = `where ${conditions.join(' and ')} order by ${order} ${limit}`;
  if (offset === 0)
    return `page as materialized (select p.*, row_number() over () as place from (select ${columns}, (${value})::text as sort_value from card_rows c ${rest}) p)`;
  return `keys as materialized (select k.*, row_number() over () as place from (
      select c.id, (${value})::text as sort_value from ${rowsWith(value, ...conditions)} ${rest}) k),
    ${pageOfKeys(columns)}`;
}

/** The same, read from the end of the list; the distance follows from the total of the same snapshot. */
function backwardPage(
  { conditions, value, reversed, page_size, offsetBound }: ListQuery,
  total: string,
  columns: string,
): string {
  const rest = `n - ${offsetBound}`;
  return `total as materialized (select ${total} as n),
    keys as materialized (select k.id, k.sort_value, row_number() over () as place from (select b.*, row_number() over () as back from (
      select c.id, (${value})::text as sort_value from ${rowsWith(value, ...conditions)} where ${conditions.join(' and ')} order by ${reversed}
      limit (select least(${page_size + 1}, greatest(${rest}, 0)) from total) offset (select greatest(${rest} - ${page_size + 1}, 0) from total)) b order by back desc limit ${page_size + 1}) k),
    ${pageOfKeys(columns)}`;
}

/**
 * Id, row version, the parts of the view outside the row and, if needed, `inheritsCosts`: of all rows of the page in
 * one text.
 */
const keysOnlyRows = (inheritsCosts: string | undefined): string =>
  `string_agg(c.id::text || '${PART}' || c.stamp::text || '${PART}' || ${RELATED_JSON}${inheritsCosts === undefined ? '' : ` || '${PART}' || ${inheritsCosts}`}, '${ROW}' order by c.place)`;

/** Returns one row: total, the sort value of the last row shown, and the rows as text. */
export function keysOnlyStatement({ keys, source, inheritsCosts }: CardPage): string {
  const { with: tables, total } = source(KEY_COLUMNS);
  return `with ${tables} select ${total}, max(c.sort_value) filter (where c.place = ${keys.page_size}), ${keysOnlyRows(inheritsCosts)} from page c`;
}

/**
 * One row per card with the columns of the view, row version and sort value; the total on each row; and, if needed,
 * `inheritsCosts`.
 */
export function fullStatement({ source, inheritsCosts, view }: CardPage): string {
  const page = source(FULL_COLUMNS);
  return `with ${page.with}, counted as materialized (select ${page.total} as total)
    select ${view()}, c.stamp, c.sort_value, counted.total${inheritsCosts === undefined ? '' : `, ${inheritsCosts}`} from counted left join page c on true order by c.place`;
}

/** Complete cards by their ids. */
export const ROWS_BY_ID = {
  name: 'cards-rows',
  text: `select ${VIEW_COLUMNS}, c.stamp from card_rows c where c.id = any($1::uuid[])`,
};
/** Cards by their ids: id, row version and the parts of the view outside the row. */
export const STAMPS_BY_ID = {
  name: 'cards-stamps',
  text: `select c.id, c.stamp, ${RELATED_JSON} from card_rows c where c.id = any($1::uuid[])`,
};
/** The same with the roles that users have above, in an additional last column. */
export const ROWS_WITH_ROLES = {
  name: 'cards-rows-roles',
  text: `select ${VIEW_COLUMNS}, c.stamp, ${rolesAboveSql('$2')} from card_rows c where c.id = any($1::uuid[])`,
};
export const STAMPS_WITH_ROLES = {
  name: 'cards-stamps-roles',
  text: `select c.id, c.stamp, ${RELATED_JSON}, ${rolesAboveSql('$2')} from card_rows c where c.id = any($1::uuid[])`,
};

/**
 * Complete cards by their ids, for one reader from whom some types are hidden; roles held above are an additional last
 * column where needed.
 */
export function rowsStatement(ids: readonly string[], visibility: CardVisibility): { text: string; values: unknown[] } {
  const bindings = new Bindings();
  const roles = needsRolesAbove(visibility) ? `, ${rolesAboveSql(bindings.add([visibility.me]))}` : '';
  const view = viewColumnsFor(othersSql(visibility, bindings));
  const hidden = bindings.add(visibility.hiddenTypes);
  return {
    text: `select ${view}, c.stamp${roles} from card_rows c where c.id = any(${bindings.add(ids)}::uuid[]) and c.type <> all(${hidden}::text[])`,
    values: bindings.values,
  };
}
