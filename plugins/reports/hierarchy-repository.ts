/**
 * CTEs with the hierarchy of the cards of one type that the caller may see: `<name>` with all columns of the source, and with
 * `path`, the ids of those above each card that are among them, the root first. Above a card there may be cards of other
 * types, and cards that the caller may not see.
 * @param source a subquery with `id` and `path_ids`
 */
export const hierarchy = (name: string, source: string): string =>
  `${name}_cards as materialized (select * from ${source} c),
    ${name}_paths as materialized (select c.id, array_agg(p.id order by p.n) as path from ${name}_cards c
      cross join lateral unnest(c.path_ids) with ordinality p(id, n) join ${name}_cards a on a.id = p.id group by c.id),
    ${name} as materialized (select c.*, coalesce(p.path, '{}') as path from ${name}_cards c left join ${name}_paths p on p.id = c.id)`;
