import type { Inventory, InventoryField, InventoryFilters } from '@lintel/sdk';

/** SQL by which cards are grouped by a column. */
export interface GroupSql {
  /** Join that gives one row per value of a column with several values; else empty. */
  join: string;
  /** The key of the group as text; null without a value. */
  key: string;
}

/**
 * SQL of the key of a group.
 * @param column with the value of the field, such as `c.x`
 * @param alias of the join, unique in the statement
 * @param edges lower ends of the bands of a number, ascending
 */
export function groupSql(
  { kind }: Pick<InventoryField, 'kind'>,
  column: string,
  alias: string,
  edges: readonly string[],
): GroupSql {
  switch (kind) {
    case 'options':
      return {
        join: `left join lateral jsonb_array_elements_text(${column}) ${alias}(value) on true`,
        key: `${alias}.value`,
      };
    case 'number':
      return { join: '', key: `width_bucket(${column}, array[${edges.join(', ')}]::numeric[])::text` };
    case 'date':
      return { join: '', key: `left(${column}, 4)` };
    default:
      return { join: '', key: column };
  }
}

/** Lowest and highest value of a number among cards, as decimal texts; null without values. */
export async function readRange(
  inventory: Inventory,
  field: InventoryField,
  filters: InventoryFilters,
): Promise<{ low: string | null; high: string | null }> {
  const [row] = await inventory.query<{ low: string | null; high: string | null }>(
    'report-range',
    ({ cards }) =>
      `select trim_scale(min(v))::text as low, trim_scale(max(v))::text as high from ${cards(filters, { v: field })} c`,
  );
  return row!;
}
