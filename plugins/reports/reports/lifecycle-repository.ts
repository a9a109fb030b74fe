import type { Inventory, InventoryFilters } from '@lintel/sdk';
import type { Grouping } from '../groups.js';

/** Numbers of the matching cards, and the range of their dates. */
export interface LifecycleTotals extends Record<string, unknown> {
  total: number;
  without: number;
  /** The earliest date and the latest one, YYYY-MM-DD; null without any. */
  first: string | null;
  last: string | null;
}

/** Counts cards with and without dates. */
export async function readTotals(inventory: Inventory, filters: InventoryFilters): Promise<LifecycleTotals> {
  const [row] = await inventory.query<LifecycleTotals>(
    'report-lifecycle-totals',
    ({ cards }) =>
      `select count(*) filter (where c.lifecycle <> '{}')::int as total, count(*) filter (where c.lifecycle = '{}')::int as without,
        min(d.first collate "C") as first, max(d.last collate "C") as last
      from ${cards(filters, {}, ['id', 'lifecycle'])} c
      left join lateral (select min(value collate "C") as first, max(value collate "C") as last from jsonb_each_text(c.lifecycle)) d on true`,
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
  const key = group?.sql('c.g', 'g_of').key ?? 'null::text';
  return await inventory.query<ItemRow>('report-lifecycle-items', ({ cards, bind }) => {
    const columns = ['id', 'name', 'name_key'] as const;
    return `with c as materialized (select c.id, c.name, c.name_key, ${key} as key from ${cards(filters, group ? { g: group.field } : {}, columns)} c),
      kept as (select * from (select c.*, row_number() over (partition by key order by name_key, id) as place from c) c order by place, key limit ${bind(most)})
      select k.id, k.name, k.key as "group", l.lifecycle from kept k join ${cards(filters, {}, ['id', 'lifecycle'])} l on l.id = k.id order by k.name_key, k.id`;
  });
}
