import type { Database } from '../../../foundation/db/database.js';
import { relationSeenSql } from '../../access/index.js';
import { MOST_EXPANDED } from '../expand.js';

/** A card by its name. */
export interface CardName {
  id: string;
  type: string;
  name: string;
}

/** A relation as seen from one of its ends. */
export interface ExpandedRelation {
  id: string;
  type: string;
  direction: 'outgoing' | 'incoming';
  valid_from: string | null;
  valid_to: string | null;
  /** The card at the other end. */
  card: CardName;
}

/** The first rows of a card, and whether it has more. */
export interface Expanded<T> {
  items: T[];
  truncated: boolean;
}

const NAMES = {
  name: 'expand-names',
  text: 'select c.id, c.type, c.name from cards c where c.id = any($1::uuid[]) and c.type <> all($2::text[])',
};

/**
 * A range of one value, and not equality: with equality the planner may read all cards by name where one card has many
 * children. Only the index of children provides this order.
 */
const CHILDREN = {
  name: 'expand-children',
  text: `select w.id as of, json_build_object('id', k.id, 'type', k.type, 'name', k.name) as item
    from unnest($1::uuid[]) as w(id) cross join lateral (
      select c.id, c.type, c.name, c.name_key from cards c where c.parent_id between w.id and w.id and c.status = 'ACTIVE' and c.type <> all($2::text[])
      order by c.parent_id, c.name_key, c.id limit ${MOST_EXPANDED + 1}) k
    order by k.name_key, k.id`,
};

const VISIBLE = relationSeenSql('$2::text[]');
/** The order of the list of relations by type. */
const ORDER = 'r.type collate "C", r.id';
const FIRST = `order by ${ORDER} limit ${MOST_EXPANDED + 1}`;
const end = (direction: ExpandedRelation['direction'], other: string, where: string): string =>
  `(select r.id, r.type, '${direction}' as direction, r.valid_from, r.valid_to, ${other} as other from relations r where ${where} and ${VISIBLE} ${FIRST})`;

/** Each direction is read by its own index. A relation of a card to itself is outgoing. */
const RELATIONS = {
  name: 'expand-relations',
  text: `select w.id as of, json_build_object('id', r.id, 'type', r.type, 'direction', r.direction, 'valid_from', r.valid_from, 'valid_to', r.valid_to,
      'card', json_build_object('id', o.id, 'type', o.type, 'name', o.name)) as item
    from unnest($1::uuid[]) as w(id) cross join lateral (
      select r.* from (${end('outgoing', 'r.target_id', 'r.source_id = w.id')}
        union all ${end('incoming', 'r.source_id', 'r.target_id = w.id and r.source_id <> r.target_id')}) r ${FIRST}) r
    join cards o on o.id = r.other order by ${ORDER}`,
};

/** Groups rows by the card that they belong to. @returns for every card at most `MOST_EXPANDED` of them */
function byCard<T>(ids: readonly string[], rows: readonly { of: string; item: T }[]): Map<string, Expanded<T>> {
  const found = new Map(ids.map((id): [string, Expanded<T>] => [id, { items: [], truncated: false }]));
  for (const { of, item } of rows) {
    const expanded = found.get(of)!;
    if (expanded.items.length < MOST_EXPANDED) expanded.items.push(item);
    else expanded.truncated = true;
  }
  return found;
}

/** The names of cards by their ids. @param hidden card types hidden from the reader, whose cards are omitted */
export async function readNames(
  db: Pick<Database, 'query'>,
  ids: readonly string[],
  hidden: readonly string[],
): Promise<Map<string, CardName>> {
  const rows = await db.query<CardName & Record<string, unknown>>(NAMES, [ids, hidden]);
  return new Map(rows.map((card) => [card.id, card]));
}

/** The first active children of each card, by name. @param hidden card types hidden from the reader */
export async function readChildren(
  db: Pick<Database, 'query'>,
  ids: readonly string[],
  hidden: readonly string[],
): Promise<Map<string, Expanded<CardName>>> {
  return byCard(ids, await db.query<{ of: string; item: CardName }>(CHILDREN, [ids, hidden]));
}

/**
 * The first relations of each card, in both directions, by type.
 * @param hidden card types at whose cards the reader may see no relations
 */
export async function readRelations(
  db: Pick<Database, 'query'>,
  ids: readonly string[],
  hidden: readonly string[],
): Promise<Map<string, Expanded<ExpandedRelation>>> {
  return byCard(ids, await db.query<{ of: string; item: ExpandedRelation }>(RELATIONS, [ids, hidden]));
}
