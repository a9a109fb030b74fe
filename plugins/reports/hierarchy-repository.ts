/**
 * SQL of the ids of the cards above a card that are among some cards, the root first. Above a card there may be cards of
 * other types, and cards that the caller may not see.
 * @param card alias with `path_ids`
 * @param members a relation with `id`: the cards of one type that the caller may see
 */
export const pathAmong = (card: string, members: string): string =>
  `(array(select p.id from unnest(${card}.path_ids) with ordinality p(id, n) where p.id in (select id from ${members}) order by p.n))`;

/**
 * SQL of the card that stands for a card: itself, or the card above it at a level of the hierarchy of its type.
 * @param level from 1
 */
export const atLevel = (card: string, members: string, level: number): string =>
  `(case when cardinality(${card}.path_ids) < ${level} then ${card}.id else coalesce(${pathAmong(card, members)}[${level}], ${card}.id) end)`;
