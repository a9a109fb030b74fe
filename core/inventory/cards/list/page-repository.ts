import { Bindings, listQuery, type ListParams, type ListQuery } from '../../../foundation/db/list-query.js';
import type { Metamodel } from '../../metamodel/index.js';
import { splitPage } from './attribute-page-repository.js';
import { filteredSource } from './filtered-page-repository.js';
import { compileFilters, type CardFilters } from './filters-repository.js';
import { COUNTED_HITS, countSql, pageOfKeys, type PageSource } from '../page-source-repository.js';
import { isRanked, rankedSource, searchSource } from '../search/search-repository.js';
import { asksAbove, type CardVisibility, inheritedCostsSql, othersSql, rolesAboveSql } from '../../access/index.js';
import { cardList, type CardList } from './sorts-repository.js';
import { RELATED_JSON, ROW_COLUMNS, VIEW_COLUMNS, viewColumnsFor } from './view-repository.js';

export type CardListQuery = ListParams & CardFilters & { fields?: string | undefined; total?: string | undefined };

/** Between the parts of a row, and between rows: JSON has no such characters. */
export const PART = '\x1f';
export const ROW = '\x1e';

/** A page before it is known how much of its rows is wanted. */
export interface CardPage {
  keys: ListQuery;
  bindings: Bindings;
  /** @param columns of `cards c` that `page` is to have */
  source(columns: string): PageSource;
  /** Whether its total is counted up to `COUNTED_HITS` only. */
  isBounded: boolean;
  /** Whether its total is not read, but known to be large. */
  isCountless: boolean;
  /** SQL, over the rows of the page, of whether a role above a card opens its costs; undefined where none can. */
  inheritsCosts: string | undefined;
  /** What decides the total of a search, to remember by that it is large. */
  searched: string | undefined;
  scope: string;
  /** Whether many cards may have to be looked at to find these. */
  isCostly: boolean;
  /** Columns of the view, as the reader may see it. To be asked for once, and only where they are used: values are bound. */
  view(): string;
}

const STAMP = 'c.xmin as stamp';
/** What is needed of a row to tell its version, and what a view shows beside the row. */
const KEY_COLUMNS = `c.id, c.parent_id, c.path_ids, ${STAMP}`;
const FULL_COLUMNS = `${ROW_COLUMNS}, ${STAMP}`;

/** What is known of lists without asking, where anything is. */
export interface ListKnowledge {
  /** How many cards a list had when it was last read: only a hint. */
  lastTotal(scope: string): number | undefined;
  /** Whether a search, by what decides its total, has just had more hits than are counted. */
  isLarge(searched: string): boolean;
  /** Share of the cards that have a word beginning so, about. */
  share(word: string): number;
  /** Whether few cards have this as a word or within one, as far as is known. */
  isRare(word: string): boolean;
  /** How many cards have such a word, about, and rather too few. */
  atLeast(word: string): number;
}

/** Closer to the beginning there is nothing to gain by reading from the end. */
const LONG_WAY = 2_000;
/** Among so many hits a page is soon found by reading on in any order. */
const MANY = 5_000;
/** An estimate of so many hits is one of more than are counted, however wrong it may be. */
const SURELY_LARGE = 5 * COUNTED_HITS;

/** What the list is of; a cursor belongs to it. */
function scopeOf(query: CardListQuery): string {
  const {
    page: _page,
    page_size: _size,
    cursor: _cursor,
    sort_by: _by,
    sort_dir: _dir,
    fields: _fields,
    total: _total,
    ...filters
  } = query;
  return JSON.stringify(Object.entries(filters).sort());
}

/**
 * Plans one page of a card list: the one place that decides how its rows are found and its hits counted.
 * @param known what is known of lists without asking
 * @throws a 422 naming what of the query cannot be, a 403 for stakeholders the reader may not see
 */
export function cardPage(
  query: CardListQuery,
  metamodel: Metamodel,
  visibility: CardVisibility,
  known: ListKnowledge,
): CardPage {
  const bindings = new Bindings();
  const { narrow, byRow, search, counted, types, ranges } = compileFilters(
    query,
    bindings,
    metamodel,
    visibility.me,
    visibility,
    (word) => known.share(word),
  );
  const searched =
    search &&
    JSON.stringify([scopeOf(query), visibility.hiddenTypes, visibility.me, [...visibility.costRedactedTypes]]);
  const ranked = isRanked(query, search);
  const list: CardList = ranked ?? cardList(query.sort_by, types, metamodel, visibility, bindings);
  const keys = listQuery(list, query, narrow, bindings, scopeOf(query));
  // By subtype there is no counter, but an index: all hits are counted by it.
  const isBySubtype = query.subtype !== undefined && byRow.length === 1 && !search;
  const exact = query.total === 'exact' || isBySubtype;
  // A word alone, among all active cards: nothing else lessens its hits.
  const [word] = search?.words.length === 1 && narrow.length === 1 && query.status === undefined ? search.words : [];
  const countless =
    searched !== undefined &&
    !exact &&
    (known.isLarge(searched) || (word !== undefined && known.atLeast(word) > SURELY_LARGE));
  const source = (columns: string): PageSource => {
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
        share: search.words.reduce((share, w) => share * known.share(w), 1),
      });
    if (ranges.length > 0 || (list.split && !counted))
      return filteredSource({ keys, narrow, byRow, columns, ranges, exact, isIndexed: list.indexed });
    const total = counted
      ? `(select coalesce(sum(n), 0)::bigint from card_counts where ${counted.join(' and ')})`
      : countSql(`from cards c where ${narrow.join(' and ')}`, exact);
    // A walk along the attribute must not be one past all cards of another approval: few of those have been seen, or it is not known.
    const isWalked = query.approval_status === undefined || (known.lastTotal(scopeOf(query)) ?? 0) >= MANY;
    if (list.split && isWalked) return { with: splitPage({ keys, narrow, columns, split: list.split }), total };
    const isBehind =
      counted !== undefined &&
      keys.offset > LONG_WAY &&
      keys.offset * 2 > (known.lastTotal(scopeOf(query)) ?? Number.POSITIVE_INFINITY);
    return isBehind
      ? { with: backwardPage(keys, total, columns), total: '(select n from total)' }
      : { with: plainPage(keys, columns), total };
  };
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

/** The rows in one go where none is passed over; else their keys first, so that only an index is read on the way there. */
function plainPage({ conditions, value, order, limit, offset }: ListQuery, columns: string): string {
  const from = `from cards c where ${conditions.join(' and ')} order by ${order} ${limit}`;
  if (offset === 0)
    return `page as materialized (select p.*, row_number() over () as place from (select ${columns}, (${value})::text as sort_value ${from}) p)`;
  return `keys as materialized (select k.*, row_number() over () as place from (select c.id, (${value})::text as sort_value ${from}) k),
    ${pageOfKeys(columns)}`;
}

/** The same, read from the nearer end: how far that is off, the total of this very snapshot says. */
function backwardPage(
  { conditions, value, reversed, page_size, offsetBound }: ListQuery,
  total: string,
  columns: string,
): string {
  const rest = `n - ${offsetBound}`;
  return `total as materialized (select ${total} as n),
    keys as materialized (select k.id, k.sort_value, row_number() over () as place from (select b.*, row_number() over () as back from (
      select c.id, (${value})::text as sort_value from cards c where ${conditions.join(' and ')} order by ${reversed}
      limit (select least(${page_size + 1}, greatest(${rest}, 0)) from total) offset (select greatest(${rest} - ${page_size + 1}, 0) from total)) b order by back desc limit ${page_size + 1}) k),
    ${pageOfKeys(columns)}`;
}

/** Id, stamp, what a view shows beside the row and, where that is asked, `inheritsCosts`: of all rows of the page, in one text. */
const keysOnlyRows = (inheritsCosts: string | undefined): string =>
  `string_agg(c.id::text || '${PART}' || c.stamp::text || '${PART}' || ${RELATED_JSON}${inheritsCosts === undefined ? '' : ` || '${PART}' || ${inheritsCosts}`}, '${ROW}' order by c.place)`;

/** One row: total, the sort value of the last row shown, and the rows. */
export function keysOnlyStatement({ keys, source, inheritsCosts }: CardPage): string {
  const { with: tables, total } = source(KEY_COLUMNS);
  return `with ${tables} select ${total}, max(c.sort_value) filter (where c.place = ${keys.page_size}), ${keysOnlyRows(inheritsCosts)} from page c`;
}

/** A row for each card, whole: the columns of the view, stamp, sort value; the total on each; and, where that is asked, `inheritsCosts`. */
export function fullStatement({ source, inheritsCosts, view }: CardPage): string {
  const page = source(FULL_COLUMNS);
  return `with ${page.with}, counted as materialized (select ${page.total} as total)
    select ${view()}, c.stamp, c.sort_value, counted.total${inheritsCosts === undefined ? '' : `, ${inheritsCosts}`} from counted left join page c on true order by c.place`;
}

/** Cards by their ids, whole. */
export const ROWS_BY_ID = {
  name: 'cards-rows',
  text: `select ${VIEW_COLUMNS}, c.xmin as stamp from cards c where c.id = any($1::uuid[])`,
};
/** Cards by their ids: id, stamp and what a view shows beside the row. */
export const STAMPS_BY_ID = {
  name: 'cards-stamps',
  text: `select c.id, c.xmin as stamp, ${RELATED_JSON} from cards c where c.id = any($1::uuid[])`,
};
/** The same with the roles that users hold above, in a column at the end. */
export const ROWS_WITH_ROLES = {
  name: 'cards-rows-roles',
  text: `select ${VIEW_COLUMNS}, c.xmin as stamp, ${rolesAboveSql('$2')} from cards c where c.id = any($1::uuid[])`,
};
export const STAMPS_WITH_ROLES = {
  name: 'cards-stamps-roles',
  text: `select c.id, c.xmin as stamp, ${RELATED_JSON}, ${rolesAboveSql('$2')} from cards c where c.id = any($1::uuid[])`,
};

/** Cards by their ids, whole, for one reader from whom some types are hidden; the roles held above are in a column at the end where those are asked. */
export function rowsStatement(ids: readonly string[], visibility: CardVisibility): { text: string; values: unknown[] } {
  const bindings = new Bindings();
  const roles = asksAbove(visibility) ? `, ${rolesAboveSql(bindings.add([visibility.me]))}` : '';
  const view = viewColumnsFor(othersSql(visibility, bindings));
  const hidden = bindings.add(visibility.hiddenTypes);
  return {
    text: `select ${view}, c.xmin as stamp${roles} from cards c where c.id = any(${bindings.add(ids)}::uuid[]) and c.type <> all(${hidden}::text[])`,
    values: bindings.values,
  };
}
