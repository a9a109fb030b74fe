import type { Inventory, InventoryFilters } from '@lintel/sdk';
import type { Grouping } from '../groups.js';
import { PHASES } from './phases.js';

/** Numbers of the matching cards, and the range of their dates. */
export interface LifecycleTotals extends Record<string, unknown> {
  total: number;
  without: number;
  /** The earliest date and the latest one, YYYY-MM-DD; null without any. */
  first: string | null;
  last: string | null;
}

/** The dates of a card; those that are missing are null. */
const DATES = PHASES.map((phase) => `c.lifecycle->>'${phase}' collate "C"`).join(', ');

/** Counts cards with and without dates. */
export async function readTotals(inventory: Inventory, filters: InventoryFilters): Promise<LifecycleTotals> {
  const [row] = await inventory.query<LifecycleTotals>(
    'report-lifecycle-totals',
    ({ cards }) =>
      `select count(*) filter (where c.lifecycle <> '{}')::int as total, count(*) filter (where c.lifecycle = '{}')::int as without,
        min(least(${DATES}) collate "C") as first, max(greatest(${DATES}) collate "C") as last
      from ${cards(filters, {}, ['id', 'lifecycle'])} c`,
  );
  return row!;
}

/** The number of cards with dates by group. */
export async function readGroups(
  inventory: Inventory,
  filters: InventoryFilters,
  group: Grouping,
): Promise<{ key: string | null; count: number }[]> {
  return await inventory.query<{ key: string | null; count: number }>(
    'report-lifecycle-groups',
    ({ cards }) =>
      `select ${group.sql('c.g', 'g_of').key} as key, count(*)::int as count from ${cards(filters, { g: group.field }, ['id'])} c group by 1`,
  );
}

export interface ItemRow extends Record<string, unknown> {
  id: string;
  name: string;
  group: string | null;
  lifecycle: Record<string, string>;
}

/** The cards with dates by name, the first ones of each group. */
export async function readItems(
  inventory: Inventory,
  filters: InventoryFilters,
  group: Grouping | undefined,
  most: number,
): Promise<ItemRow[]> {
  return await inventory.query<ItemRow>('report-lifecycle-items', ({ cards, bind }) => {
    const shown = cards(filters, {}, ['id', 'name', 'name_key', 'lifecycle']);
    const limit = bind(most);
    // One source with the names and the dates: PostgreSQL then reads the cards in the order of their names until there are enough.
    if (!group)
      return `select c.id, c.name, null as "group", c.lifecycle from ${shown} c order by c.name_key, c.id limit ${limit}`;
    const { key } = group.sql('c.g', 'g_of');
    return `with kept as materialized (
        select * from (select c.id, ${key} as key, row_number() over (partition by ${key} order by c.name_key, c.id) as place
          from ${cards(filters, { g: group.field }, ['id', 'name_key'])} c) c order by place, key limit ${limit})
      select c.id, c.name, k.key as "group", c.lifecycle from kept k join ${shown} c on c.id = k.id order by c.name_key, c.id`;
  });
}
