/** The columns of `card_rows` that are in `card_contents` alone; the first one is another name of the type there. */
const CHANGING = [
  'content_type',
  'attributes',
  'lifecycle',
  'data_quality',
  'open_quality',
  'basic_quality',
  'edited_by',
  'updated_by',
  'updated_at',
  'version',
];
/** SQL of them over `card_contents v`. */
export const CONTENT_COLUMNS = ['v.type as content_type', ...CHANGING.slice(1).map((column) => `v.${column}`)].join(
  ', ',
);
const IN_CONTENTS = new RegExp(`\\bc\\.(${CHANGING.join('|')})\\b`);
/** A column of `card_rows c` that is not in `card_contents`. */
const OUTSIDE = new RegExp(`\\bc\\.(?!(id|type|status|name_key|${CHANGING.join('|')})\\b)\\w`);

/**
 * The table or view to read as `c`: `card_contents` alone where all columns are in it, else the view of both tables, of
 * which PostgreSQL leaves out `card_contents` where none of its columns is used.
 * @param parts SQL of the conditions and values that are read
 */
export function rowsWith(...parts: readonly string[]): string {
  return parts.some((part) => IN_CONTENTS.test(part)) && !parts.some((part) => OUTSIDE.test(part))
    ? '(select v.*, v.type as content_type from card_contents v) c'
    : 'card_rows c';
}

/** Maximum number of hits counted, unless an exact total is requested or the counters have it. */
export const COUNTED_HITS = 10_000;

/** Limit of a count that shows whether there are more hits. @param exact whether all hits are counted */
export const countLimit = (exact: boolean): string => (exact ? '' : ` limit ${COUNTED_HITS + 1}`);

/**
 * SQL of the number of hits.
 * @param hits as in FROM and WHERE
 * @param exact whether all are counted; else at most one more than `COUNTED_HITS`
 */
export const countSql = (hits: string, exact: boolean): string =>
  `(select count(*) from (select ${hits}${countLimit(exact)}) h)`;

/**
 * The source of the rows of a page. `with` contains the CTEs, the last of them `page`: rows of `cards` as `c`, `stamp`,
 * `sort_value` and `place`.
 */
export interface PageSource {
  with: string;
  total: string;
}

/** `page` where `keys` has id, sort value and position. */
export const pageOfKeys = (columns: string): string =>
  `page as materialized (select ${columns}, k.sort_value, k.place from keys k join card_rows c on c.id = k.id)`;
