import type { Inventory } from '@lintel/sdk';

/** Two cards. */
export interface CardPair {
  source: string;
  target: string;
}

/** A relation between two cards. */
export interface PairRelation extends Record<string, unknown> {
  id: string;
  type: string;
  source_id: string;
  target_id: string;
}

/** The relations between these pairs of cards, in both directions. @throws forbidden without relations.view */
export async function readPairs(inventory: Inventory, pairs: readonly CardPair[]): Promise<PairRelation[]> {
  if (pairs.length === 0) return [];
  const sources = pairs.map(({ source }) => source);
  const targets = pairs.map(({ target }) => target);
  return await inventory.query<PairRelation>('diagrams-pairs', ({ relations, bind }) => {
    const one = `select * from unnest(${bind(sources)}::uuid[], ${bind(targets)}::uuid[])`;
    const given = `(select s, t from (${one}) g(s, t) union select t, s from (${one}) g(s, t))`;
    return `select r.id, r.type, r.source_id, r.target_id from ${given} p join ${relations()} r on r.source_id = p.s and r.target_id = p.t
        order by r.id limit 20000`;
  });
}

/** The relations among these cards that are still valid, those of the first card first. @param types keys; default: all @throws as `readPairs` */
export async function readAmong(
  inventory: Inventory,
  ids: readonly string[],
  types: readonly string[] | undefined,
  most: number,
): Promise<PairRelation[]> {
  return await inventory.query<PairRelation>('diagrams-among', ({ relations, bind }) => {
    const cards = `${bind(ids)}::uuid[]`;
    return `select r.id, r.type, r.source_id, r.target_id from ${relations(types)} r
        where r.source_id = any(${cards}) and r.target_id = any(${cards}) and r.source_id <> r.target_id
          and (r.valid_to is null or r.valid_to >= ${bind(inventory.today)}::date)
        order by (${bind(ids[0])}::uuid in (r.source_id, r.target_id)) desc, r.id limit ${bind(most)}`;
  });
}
