/**
 * CTEs `numbered`, `ends`, `steps` and `sums`: how many cards, and which sum of their values, each card of a hierarchy has with those below it. Each
 * card counts once for a card of the hierarchy, even if it is connected with several below it.
 *
 * Sorted by path, all cards below one are next to each other. So of the ends of one card, each adds to the cards on its path that are
 * not on the path of the end before it, and nothing has to be made distinct. Ends with the same one before them are added up first.
 * The cards of the hierarchy are numbered in the order of their paths, so that only numbers are sorted and grouped for each pair.
 * @param pairs CTE with `card`, `far` and, for sums, `value` (numeric), one row per relation or more
 * @param far CTE with `id` and `path`, the ids of the cards above it and its own, the root first
 * @param options.only a condition on `g.id`, the cards of the hierarchy whose figures are needed; all if absent
 * @param options.isSummed whether values are summed; without, fewer columns are sorted and grouped
 */
export function rollUp(pairs: string, far: string, { only = 'true', isSummed = true } = {}): string {
  const [given, carried, added, summed] = isSummed
    ? [', p.value', ', value', ', sum(value) as value', ', sum(s.value) as value']
    : ['', '', '', ''];
  return `numbered as materialized (select id, path, row_number() over (order by path)::int as number from ${far}),
    ends as (select p.card, f.number${given} from ${pairs} p join numbered f on f.id = p.far),
    steps as materialized (select number, before, count(*) as count${added}
      from (select number${carried}, lag(number) over (partition by card order by number) as before from ends) s group by 1, 2),
    sums as materialized (select g.id, sum(s.count)::int as count${summed}
      from steps s join numbered f on f.number = s.number left join numbered b on b.number = s.before cross join lateral unnest(f.path) g(id)
      where (b.id is null or g.id <> all(b.path)) and ${only} group by 1)`;
}
