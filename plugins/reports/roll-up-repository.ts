/**
 * CTEs `steps` and `sums`: how many cards, and which sum of their values, each card of a hierarchy has with those below it. Each
 * card counts once for a card of the hierarchy, even if it is connected with several below it.
 *
 * Sorted by path, all cards below one are next to each other. So of the ends of one card, each adds to the cards on its path that are
 * not on the path of the end before it, and nothing has to be made distinct. Ends with the same one before them are added up first.
 * @param pairs CTE with `card`, `far` and `value` (numeric), one row per relation or more
 * @param far CTE with `id` and `path`, the ids of the cards above it and its own, the root first
 */
export const rollUp = (pairs: string, far: string): string =>
  `steps as materialized (select far, before, count(*) as count, sum(value) as value
      from (select p.far, p.value, lag(p.far) over (partition by p.card order by f.path) as before from ${pairs} p join ${far} f on f.id = p.far) s group by 1, 2),
    sums as materialized (select g.id, sum(s.count)::int as count, sum(s.value) as value
      from steps s join ${far} f on f.id = s.far left join ${far} b on b.id = s.before cross join lateral unnest(f.path) g(id)
      where b.id is null or g.id <> all(b.path) group by 1)`;
