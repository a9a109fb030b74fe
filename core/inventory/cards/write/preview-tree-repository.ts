import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';

interface Below {
  /** The nearest moved card above. */
  id: string;
  type: string;
  /** Levels below that card, at most. */
  levels: number;
}

/** The ids are in subqueries, which PostgreSQL hashes; it would compare each row with each element of an array. */
const BELOW = {
  name: 'cards-levels-below',
  text: `select m.id, c.type, max(cardinality(c.path_ids) - m.at + 1)::int as levels
    from cards c cross join lateral (
      select u.id, u.at from unnest(c.path_ids) with ordinality as u(id, at)
      where u.id in (select unnest($2::uuid[])) order by u.at desc limit 1) m
    where c.path_ids && $1::uuid[] and c.id not in (select unnest($2::uuid[])) and m.id in (select unnest($1::uuid[])) group by 1, 2`,
};

/**
 * The stored depths of the trees below cards.
 * @param ids the cards
 * @param moved all moved cards, including these: their descendants move with them
 */
export async function levelsBelow(uow: UnitOfWork, ids: readonly string[], moved: readonly string[]): Promise<Below[]> {
  return await uow.query<Below & Record<string, unknown>>(BELOW, [ids, moved]);
}
