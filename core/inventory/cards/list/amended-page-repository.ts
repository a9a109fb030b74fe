import type { Bindings, ListQuery } from '../../../foundation/db/list-query.js';
import { changesSince, type NotedMark } from './kept-answers-repository.js';
import { pageOfKeys, type PageSource } from '../page-source-repository.js';
import type { Search } from '../search/search-terms-repository.js';

/** Where fewer than one row in so many is a hit, a page is not found by reading on. */
const DENSE = 20;
const LONGEST_WALK = 3_000;
/** A page further on is not walked to. */
export const WALKED_HITS = 600;

/** A list of which something was read before. */
export interface AmendedPage {
  keys: ListQuery;
  /** Conditions without the search. */
  narrow: readonly string[];
  /** Those among them that are to be looked at row by row. */
  byRow: readonly string[];
  search: Search | undefined;
  isRanked: boolean;
  columns: string;
  types: readonly string[] | null;
}

/** What was read: the total and, where it is to be used, which cards were on this very page and the next one after it. */
export interface Before {
  total: string;
  ids: readonly string[] | undefined;
  mark: NotedMark;
}

/** What of a card that has changed is searched. */
export type Searched = [name: string, alias: string | null, external_id: string | null, description: string | null];

const all = (conditions: readonly string[]): string => (conditions.length === 0 ? 'true' : conditions.join(' and '));

/**
 * The page among the cards that were on it and those that have changed. It is right as far as the last of those that were on it
 * and have not changed: whatever else stands before that one was there before as well, or has changed.
 */
function candidates(
  { keys: { conditions, value, order, page_size }, search, isRanked }: AmendedPage,
  ids: string,
): { with: string; isFound: string } {
  const [rank, by] = isRanked
    ? [`, ${search!.rank()} as rank`, order.replace(', c.id', ', c.name_key, c.id')]
    : ['', order];
  return {
    with: `candidates as materialized (select c.*${rank}, k.id is null as steady from (select unnest(${ids}::uuid[]) as id union select id from changed) i
      join cards c on c.id = i.id left join changed k on k.id = i.id),
    placed as materialized (select c.id, (${value})::text as sort_value, row_number() over (order by ${by}) as place, c.steady from candidates c where ${all([...conditions, ...(search?.looked ?? [])])}),
    keys as materialized (select id, sort_value, place from placed where place <= ${page_size + 1})`,
    isFound: `(select coalesce(max(place) filter (where steady), 0) > ${page_size} from placed)`,
  };
}

/** The page found by reading on in the order of the list, where hits are frequent enough. */
function walk({ keys: { conditions, value, order, limit, offset, page_size }, byRow, search }: AmendedPage): {
  with: string;
  isFound: string;
} {
  const need = offset + page_size + 1;
  const base = conditions.filter((condition) => !byRow.includes(condition));
  return {
    with: `walked as materialized (select c.id, (${value})::text as sort_value, c.place from (select c.*, row_number() over () as place
      from (select c.* from cards c where ${all(base)} order by ${order} limit ${Math.min(DENSE * need, LONGEST_WALK)}) c) c
      where ${all([...byRow, ...(search?.looked ?? [])])} limit ${need}),
    keys as materialized (select k.id, k.sort_value, row_number() over () as place from (select id, sort_value from walked order by place ${limit}) k)`,
    isFound: `(select count(*) = ${need} from walked)`,
  };
}

/**
 * A page whose total is worked out from one of before and the cards that have changed since.
 * @returns beside the source: `isKnown`, SQL of whether the total is right; `isFound`, of whether the page is; `gone`, SQL of the cards that no
 * longer are as they were when the total was counted, as an array of `Searched`: the hits among them are to be taken off the
 * total. Null where there is no search, they are off it then
 */
export function amendedSource(
  page: AmendedPage,
  { total, ids, mark: { position, waiting } }: Before,
  bindings: Bindings,
): PageSource & { isKnown: string; isFound: string; gone: string } {
  const { narrow, search, columns, types } = page;
  const changes = changesSince(
    { position: bindings.add(position), ids: bindings.add(waiting.ids), versions: bindings.add(waiting.versions) },
    bindings.add(types),
  );
  const found = ids ? candidates(page, bindings.add(ids)) : walk(page);
  const of = (table: string, more: readonly string[]): string =>
    `(select count(*) from ${table} c where ${all([...narrow, ...more])})`;
  return {
    with: `${changes.with}, ${found.with}, ${pageOfKeys(columns)}`,
    total: `(${bindings.add(total)}::bigint + ${of('after', search?.looked ?? [])}${search ? '' : ` - ${of('before', [])}`})`,
    isKnown: changes.known,
    isFound: found.isFound,
    gone: search
      ? `(select jsonb_agg(jsonb_build_array(c.name, c.alias, c.external_id, c.description)) from before c where ${all(narrow)})`
      : 'null::jsonb',
  };
}
