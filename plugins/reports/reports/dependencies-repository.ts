import type { Inventory, InventoryFilters, InventorySql } from '@lintel/sdk';

/** Which relations are followed from the cards of a type. */
export interface Scope {
  /** Of the cards; contains their type. */
  filters: InventoryFilters;
  /** Keys of relation types; undefined for all. */
  relationTypes: readonly string[] | undefined;
  direction: 'downstream' | 'upstream' | 'both';
}

export interface NodeRow extends Record<string, unknown> {
  id: string;
  name: string;
  type: string;
}

export interface EdgeRow extends Record<string, unknown> {
  id: string;
  type: string;
  source_id: string;
  target_id: string;
}

/** Relations that are still valid, as an analysis of impact follows them. */
const valid = ({ relations, bind }: InventorySql, types: readonly string[] | undefined, today: string): string =>
  `(select e.id, e.type, e.source_id, e.target_id from ${relations(types)} e where e.valid_to is null or e.valid_to >= ${bind(today)}::date)`;

/** The cards of the type, those with the most relations among them first. */
export async function readCards(
  inventory: Inventory,
  { filters, relationTypes }: Scope,
  most: number,
): Promise<NodeRow[]> {
  return await inventory.query<NodeRow>(
    'report-dependencies-cards',
    (sql) => `with c as materialized (select * from ${sql.cards(filters, {}, ['id', 'name', 'type', 'name_key'])} c),
      e as (select e.source_id, e.target_id from ${valid(sql, relationTypes, inventory.today)} e
        where e.source_id in (select id from c) and e.target_id in (select id from c)),
      n as (select id, count(*) as count from (select source_id as id from e union all select target_id from e) n group by 1)
      select c.id, c.name, c.type from c left join n on n.id = c.id
      order by coalesce(n.count, 0) desc, c.name_key, c.id limit ${sql.bind(most)}`,
  );
}

/** The cards at the other ends of their relations, those with the most relations to them first. */
export async function readNeighbours(
  inventory: Inventory,
  { relationTypes, direction }: Scope,
  ids: readonly string[],
  most: number,
): Promise<NodeRow[]> {
  return await inventory.query<NodeRow>('report-dependencies-neighbours', (sql) => {
    const given = `${sql.bind(ids)}::uuid[]`;
    const sides = [
      ...(direction === 'upstream' ? [] : [['source_id', 'target_id']]),
      ...(direction === 'downstream' ? [] : [['target_id', 'source_id']]),
    ].map(
      ([near, far]) =>
        `select e.${far} as id from ${valid(sql, relationTypes, inventory.today)} e where e.${near} = any(${given}) and e.${far} <> all(${given})`,
    );
    return `select c.id, c.name, c.type from (select id, count(*) as count from (${sides.join(' union all ')}) e group by 1) n
      join ${sql.cards({}, {}, ['id', 'name', 'type', 'name_key'])} c on c.id = n.id order by n.count desc, c.name_key, c.id limit ${sql.bind(most)}`;
  });
}

/**
 * The relations among cards of which at least one end is a card of the type.
 * @param ids of the cards of the type. @param all ids of these and of their neighbours
 */
export async function readEdges(
  inventory: Inventory,
  { relationTypes, direction }: Scope,
  ids: readonly string[],
  all: readonly string[],
  most: number,
): Promise<EdgeRow[]> {
  return await inventory.query<EdgeRow>('report-dependencies-edges', (sql) => {
    const [near, shown] = [`${sql.bind(ids)}::uuid[]`, `${sql.bind(all)}::uuid[]`];
    // Relations among the cards of the type come first, where there are more than fit.
    const from = [
      ...(direction === 'upstream' ? [] : [`e.source_id = any(${near}) and e.target_id = any(${shown})`]),
      ...(direction === 'downstream' ? [] : [`e.target_id = any(${near}) and e.source_id = any(${shown})`]),
    ];
    return `select e.* from ${valid(sql, relationTypes, inventory.today)} e where ${from.map((part) => `(${part})`).join(' or ')}
      order by (e.source_id = any(${near}) and e.target_id = any(${near})) desc, e.id limit ${sql.bind(most)}`;
  });
}

/** The number of cards of the type. */
export async function readTotal(inventory: Inventory, filters: InventoryFilters): Promise<number> {
  const [row] = await inventory.query<{ total: number }>(
    'report-dependencies-total',
    ({ cards }) => `select count(*)::int as total from ${cards(filters, {}, ['id'])} c`,
  );
  return row!.total;
}
