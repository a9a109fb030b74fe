import type { Inventory, InventoryField, InventoryFilters } from '@lintel/sdk';
import type { Grouping } from '../groups.js';

/** One bucket (`is_whole`), or the part of it with one value of the colour. */
export interface BucketRow extends Record<string, unknown> {
  x: string | null;
  y: string | null;
  g: string | null;
  color: string | null;
  is_whole: boolean;
  count: number;
  /** Decimal text. */
  sum: string | null;
}

interface Groupings {
  x: Grouping;
  y: Grouping;
  group: Grouping | undefined;
  color: Grouping | undefined;
}

/** Maximum number of buckets, with their parts by colour. */
const MOST_ROWS = 20_000;

/** Counts cards by two to four fields. A bucket comes before its parts. */
export async function readBuckets(
  inventory: Inventory,
  filters: InventoryFilters,
  { x, y, group, color }: Groupings,
  size: InventoryField | undefined,
): Promise<{ rows: BucketRow[]; total: number }> {
  const of = (grouping: Grouping | undefined, column: string) =>
    grouping?.sql(`c.${column}`, `${column}_of`) ?? { join: '', key: 'null::text' };
  const keys = { x: of(x, 'x'), y: of(y, 'y'), g: of(group, 'g'), color: of(color, 'color') };
  const fields: Record<string, InventoryField> = {
    x: x.field,
    y: y.field,
    ...(group && { g: group.field }),
    ...(color && { color: color.field }),
    ...(size && { size }),
  };
  const rows = await inventory.query<BucketRow>('report-portfolio', ({ cards, bind }) => {
    const joins = Object.values(keys)
      .map(({ join }) => join)
      .join(' ');
    const columns = Object.entries(keys).map(([name, { key }]) => `${key} as ${name}`);
    const isSplit = color !== undefined;
    return `with c as not materialized (select ${columns.join(', ')}, ${size ? 'c.size' : 'null::numeric'} as size from ${cards(filters, fields, [])} c ${joins})
      select x, y, g, color, ${isSplit ? 'grouping(color) = 1' : 'true'} as is_whole, count(*)::int as count, trim_scale(sum(size))::text as sum
      from c group by ${isSplit ? 'grouping sets ((x, y, g), (x, y, g, color))' : '1, 2, 3, 4'}
      order by is_whole desc, x, y, g, color limit ${bind(MOST_ROWS)}`;
  });
  const [counted] = await inventory.query<{ total: number }>(
    'report-portfolio-total',
    ({ cards }) => `select count(*)::int as total from ${cards(filters, {}, ['id'])} c`,
  );
  return { rows, total: counted!.total };
}
