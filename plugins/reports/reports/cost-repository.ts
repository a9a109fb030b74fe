import type { Inventory, InventoryField, InventoryFilters } from '@lintel/sdk';
import type { Grouping } from '../groups.js';

/** A sum, over the cards with a value that the caller may see. */
export interface SumRow extends Record<string, unknown> {
  count: number;
  /** Decimal text; null without a value. */
  sum: string | null;
}

const SUM = 'count(*)::int as count, trim_scale(sum(cost))::text as sum';

/** The sum over all matching cards. */
export async function readTotal(
  inventory: Inventory,
  filters: InventoryFilters,
  cost: InventoryField,
): Promise<SumRow> {
  const [row] = await inventory.query<SumRow>(
    'report-cost-total',
    ({ cards }) => `select ${SUM} from ${cards(filters, { cost }, [])} c where cost is not null`,
  );
  return row!;
}

/** Sums by a field. */
export const readByField = (
  inventory: Inventory,
  filters: InventoryFilters,
  cost: InventoryField,
  grouping: Grouping,
  most: number,
): Promise<(SumRow & { key: string | null })[]> =>
  inventory.query<SumRow & { key: string | null }>('report-cost-field', ({ cards, bind }) => {
    const { join, key } = grouping.sql('c.grouped', 'grouped_of');
    return `select ${key} as key, ${SUM} from ${cards(filters, { cost, grouped: grouping.field }, [])} c ${join}
      where cost is not null group by 1 order by sum(cost) desc, 1 limit ${bind(most)}`;
  });

/** A card by which costs are grouped, with those of the cards below it. */
export interface NodeRow extends SumRow {
  id: string;
  name: string;
  type: string;
  parent_id: string | null;
}

/** A relation type, and the end at which the cards with the costs are. */
export interface Related {
  relationType: string;
  side: 'source' | 'target';
}

/**
 * Sums by the cards to which cards are related, or by the cards above them, rolled up: each card counts once for each group, and for
 * those above it.
 * @param by undefined: by the hierarchy of the cards themselves
 * @param most maximum number of groups, those with the highest sums
 */
export const readByCards = (
  inventory: Inventory,
  filters: InventoryFilters,
  cost: InventoryField,
  by: Related | undefined,
  most: number,
): Promise<NodeRow[]> =>
  inventory.query<NodeRow>('report-cost-cards', ({ cards, relations, bind }) => {
    const all = (columns: Parameters<typeof cards>[2]): string => cards({}, {}, columns);
    const [own, other] = by?.side === 'target' ? ['target_id', 'source_id'] : ['source_id', 'target_id'];
    const direct = by
      ? `select c.id, c.cost, t.path_ids || t.id as groups from costs c
        join ${relations([by.relationType])} r on r.${own} = c.id join ${all(['id', 'path_ids'])} t on t.id = r.${other}`
      : `select c.id, c.cost, t.path_ids || t.id as groups from costs c join ${all(['id', 'path_ids'])} t on t.id = c.id`;
    return `with costs as materialized (select id, cost from ${cards(filters, { cost }, ['id'])} c where cost is not null),
      placed as (select distinct d.id, d.cost, g.id as group_id from (${direct}) d cross join lateral unnest(d.groups) g(id)),
      sums as (select group_id, count(*)::int as count, sum(cost) as cost from placed group by 1)
      select s.group_id as id, n.name, n.type, n.parent_id, s.count, trim_scale(s.cost)::text as sum
      from sums s join ${all(['id', 'name', 'type', 'parent_id'])} n on n.id = s.group_id
      order by s.cost desc, n.name, n.id limit ${bind(most)}`;
  });

/** The sum over cards without a relation of the type to a card that the caller may see. */
export async function readUnrelated(
  inventory: Inventory,
  filters: InventoryFilters,
  cost: InventoryField,
  { relationType, side }: Related,
): Promise<SumRow> {
  const [row] = await inventory.query<SumRow>(
    'report-cost-unrelated',
    ({ cards, relations, bind }) => `select ${SUM} from ${cards(filters, { cost }, ['id', 'type'])} c
      where cost is not null and c.type = any(${bind(inventory.relatedTypes)}::text[]) and not exists (select from ${relations([relationType])} r where r.${side}_id = c.id)`,
  );
  return row!;
}
