import { exactTotal, isUncounted, type ListParams } from '../db/list-query.js';
import { problem } from '../errors.js';
import { nameKey } from '../text.js';
import type { Page } from './respond.js';

type Place = readonly [value: unknown, id: unknown];

const compare = (a: unknown, b: unknown): number =>
  a === b ? 0 : (a as string | number) < (b as string | number) ? -1 : 1;
const order = (a: Place, b: Place): number => compare(a[0], b[0]) || compare(a[1], b[1]);

/** Decodes the position in a cursor, which is valid even if its item has been deleted. */
function placeOf(cursor: string, scope: string): Place {
  try {
    const [of, value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
    if (of === scope && id !== undefined) return [value, id];
  } catch {
    /* The cursor is damaged. */
  }
  throw problem('invalid_cursor', {
    errors: [{ field: 'cursor', reason: 'is damaged or belongs to another query', in: 'query' }],
  });
}

/**
 * Pages a list held in memory, by the same rules as a page of the database.
 * @param id unique key that breaks ties and identifies the item in a cursor
 * @param defaultSort used where the request names none
 * @param list identifies the list and its filters: a cursor is valid only for the same list
 */
export function pageOf<T extends object>(
  all: T[],
  id: keyof T & string,
  defaultSort: keyof T & string,
  params: ListParams,
  list: string,
): Page<T> {
  const by = (params.sort_by ?? defaultSort) as keyof T & string;
  const dir = params.sort_dir === 'desc' ? -1 : 1;
  // Names sort as in the database; keys sort by code unit.
  const place = (item: T): Place => [
    typeof item[by] === 'string' && by !== id ? nameKey(item[by]) : item[by],
    item[id],
  ];
  const sorted = all.map((item) => ({ item, at: place(item) })).sort((a, b) => dir * order(a.at, b.at));
  const scope = `${list} ${by} ${dir}`;
  const size = params.page_size ?? 50;
  let page = params.page ?? 1;
  let from = (page - 1) * size;
  if (params.cursor !== undefined) {
    const after = placeOf(params.cursor, scope);
    const next = sorted.findIndex(({ at }) => dir * order(at, after) > 0);
    from = next < 0 ? sorted.length : next;
    page = Math.floor(from / size) + 1;
  }
  const shown = sorted.slice(from, from + size);
  const last = shown.at(-1);
  const more = last !== undefined && from + size < sorted.length;
  return {
    items: shown.map(({ item }) => item),
    ...exactTotal(isUncounted(params) ? undefined : sorted.length),
    page,
    page_size: size,
    next_cursor: more ? Buffer.from(JSON.stringify([scope, ...last.at])).toString('base64url') : null,
  };
}
