import type pg from 'pg';
import { readingPage } from '../request-use.js';
import type { Database } from './database.js';
import {
  exactTotal,
  isUncounted,
  listQuery,
  named,
  type Bindings,
  type ListParams,
  type ListQuery,
  type ListSpec,
  type Page,
} from './list-query.js';

interface ListRequest {
  spec: ListSpec;
  params: ListParams;
  where: string[];
  bindings: Bindings;
  scope: string;
  /** Columns of the result, over the alias of the spec's table and of `joins`. */
  columns: string;
  joins?: string;
  /** Common table expressions that the table of the spec may name. */
  with?: string;
  /** Hits are counted up to `COUNTED`, unless the request has `total=exact`. */
  isBounded?: boolean | undefined;
}

/** Largest total of a bounded list: above it `total_relation` is `gte`. */
const COUNTED = 10_000;

/** SQL that ignores case, accents and Unicode composition; the database folds both sides in the same way. */
const folded = (sql: string): string =>
  `replace(lower(upper(regexp_replace(normalize(${sql}::text, NFKD), '[\\u0300-\\u036f]', '', 'g'))), 'ß', 'ss')`;

/** The condition that a text contains another, ignoring case and accents. @param text the placeholder it is bound to */
export const contains = (column: string, text: string): string => `strpos(${folded(column)}, ${folded(text)}) > 0`;

/**
 * Reads one page of a rarely read resource: items and exact total in one statement, and therefore from one snapshot. With
 * `total=none` the hits are not counted, and of a bounded list at most one more than `COUNTED` without `total=exact`.
 * @returns rows with the names of the selected columns
 */
export async function readPage<R extends pg.QueryResultRow>(
  db: Pick<Database, 'query'>,
  list: ListRequest,
): Promise<Page<R>> {
  const { spec, bindings, where } = list;
  const filter = where.length > 0 ? ` where ${where.join(' and ')}` : '';
  const query = listQuery(spec, list.params, where, bindings, list.scope);
  const [table, alias] = spec.table.split(' ') as [string, string];
  const uncounted = isUncounted(list.params);
  const isBounded = list.isBounded === true && list.params.total !== 'exact';
  const counted = `${spec.table}${filter}`;
  const total = uncounted
    ? ''
    : `, total as (select ${isBounded ? `${boundedCount(counted, query)} as total` : `count(*)::int as total from ${counted}`})`;
  const text = `with ${list.with === undefined ? '' : `${list.with}, `}keys as (${query.keys})${total}
    select ${uncounted ? 'null' : 'total.total'} as _total, keys.id as _id, keys.sort_value as _sort, ${list.columns}
    from ${uncounted ? 'keys' : 'total left join keys on true'} left join ${table} ${alias} on ${spec.id} = keys.id ${list.joins ?? ''} order by keys.place`;
  type Row = R & { _total: number | null; _id: string | null; _sort: string | null };
  const rows = await readingPage(() => db.query<Row>(named(text), bindings.values));
  const found = rows.filter((r) => r._id !== null);
  const items = found.slice(0, query.page_size);
  const last = items.at(-1);
  const hits = uncounted ? undefined : (rows[0]?._total ?? 0);
  const next_cursor = last && found.length > items.length ? query.nextCursor(last._sort, last._id) : null;
  return {
    items: items.map(({ _total, _id, _sort, ...row }) => row as unknown as R),
    ...(isBounded && hits !== undefined && hits > COUNTED
      ? { total: COUNTED, total_relation: 'gte' as const }
      : exactTotal(hits)),
    page: query.page,
    page_size: query.page_size,
    next_cursor,
  };
}

/**
 * SQL of the number of hits, or of one more than are counted. If the page is the last one, it is known from the page: a search
 * for few among many then reads all of them once.
 * @param hits as in FROM and WHERE
 */
function boundedCount(hits: string, { keyed, offset, page_size }: ListQuery): string {
  const count = `(select count(*)::int from (select from ${hits} limit ${COUNTED + 1}) h)`;
  if (keyed || offset > COUNTED) return count;
  const found = '(select count(*)::int from keys)';
  const isLast = `${found} between ${offset > 0 ? 1 : 0} and ${page_size}`;
  return `case when ${isLast} then ${offset} + ${found} else ${count} end`;
}
