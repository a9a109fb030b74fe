/**
 * Where the rows of a page come from.
 * `with` are the tables it needs, the last of them `page`: rows of `cards` as `c`, `stamp`, `sort_value` and `place`.
 */
export interface PageSource {
  with: string;
  total: string;
}

/** `page` where `keys` has id, sort value and place. */
export const pageOfKeys = (columns: string): string =>
  `page as materialized (select ${columns}, k.sort_value, k.place from keys k join cards c on c.id = k.id)`;
