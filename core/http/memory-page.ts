import type { ListParams } from '../db/list-query.js';
import { problem } from '../errors.js';
import type { Page } from './respond.js';

const compare = (a: unknown, b: unknown): number => (a === b ? 0 : (a as string | number) < (b as string | number) ? -1 : 1);

/**
 * A page of what is held in memory, by the same rules as a page of the database.
 * @param id unique key that breaks ties and that the cursor names
 * @param defaultSort where the request names none
 */
export function pageOf<T extends object>(all: T[], id: keyof T & string, defaultSort: keyof T & string, params: ListParams): Page<T> {
  const by = (params.sort_by ?? defaultSort) as keyof T & string;
  const dir = params.sort_dir === 'desc' ? -1 : 1;
  const sorted = [...all].sort((a, b) => dir * (compare(a[by], b[by]) || compare(a[id], b[id])));
  const size = params.page_size ?? 50;
  let page = params.page ?? 1;
  let from = (page - 1) * size;
  if (params.cursor !== undefined) {
    const [scope, after] = Buffer.from(params.cursor, 'base64url').toString('utf8').split('\n');
    const at = sorted.findIndex((item) => String(item[id]) === after);
    if (scope !== `${by} ${dir}` || at < 0) throw problem('invalid_cursor', { errors: [{ field: 'cursor', reason: 'is damaged or belongs to another query', in: 'query' }] });
    from = at + 1;
    page = Math.floor(from / size) + 1;
  }
  const items = sorted.slice(from, from + size);
  const last = items.at(-1);
  const more = last !== undefined && from + size < sorted.length;
  return {
    items, total: sorted.length, total_relation: 'eq', page, page_size: size,
    next_cursor: more ? Buffer.from(`${by} ${dir}\n${String(last[id])}`).toString('base64url') : null,
  };
}
