import type { Inventory, InventoryField, UnitOfWork } from '@lintel/sdk';

/** The figures of a card type on a day. */
export interface Snapshot extends Record<string, unknown> {
  type: string;
  total: number;
  approved: number;
  /** Decimal texts. */
  quality: string;
  open_quality: string;
  costs: Record<string, string>;
}

/** The figures of all card types now. @param costs the fields that are costs, in any type */
export const readFigures = (inventory: Inventory, costs: readonly InventoryField[]): Promise<Snapshot[]> =>
  inventory.query<Snapshot>('report-snapshot', ({ cards, bind }) => {
    const fields = Object.fromEntries(costs.map((field, i) => [`cost${i}`, field]));
    const sums = costs.map(({ key }, i) => `${bind(key)}::text, sum(cost${i})::text`).join(', ');
    return `select type, count(*)::int as total, count(*) filter (where approval_status = 'APPROVED')::int as approved,
      sum(data_quality)::text as quality, sum(open_quality)::text as open_quality, jsonb_strip_nulls(jsonb_build_object(${sums})) as costs
      from ${cards({}, fields, ['type', 'approval_status', 'data_quality', 'open_quality'])} c group by type`;
  });

/** Replaces the figures of a day, and deletes those before another day. */
export async function writeDay(uow: UnitOfWork, day: string, rows: readonly Snapshot[], before: string): Promise<void> {
  await uow.query(
    {
      name: 'reports-snapshot-clear',
      text: 'delete from reports_snapshots where day = $1::date or day < $2::date',
    },
    [day, before],
  );
  await uow.query(
    {
      name: 'reports-snapshot-write',
      text: `insert into reports_snapshots (day, type, total, approved, quality, open_quality, costs)
        select $1::date, r.type, r.total, r.approved, r.quality, r.open_quality, r.costs
        from jsonb_to_recordset($2::jsonb) as r(type text, total int, approved int, quality numeric, open_quality numeric, costs jsonb)`,
    },
    [day, JSON.stringify(rows)],
  );
}

export interface TrendRow extends Record<string, unknown> {
  /** YYYY-MM-DD. */
  day: string;
  total: number;
  approved: number;
  /** Decimal texts. */
  quality: string;
  open_quality: string;
  cost: string | null;
}

/**
 * The figures of some types by day, the earliest first.
 * @param cost key of the field of `cost`
 */
export const readTrend = (
  inventory: Inventory,
  types: readonly string[],
  since: string,
  cost: string | undefined,
): Promise<TrendRow[]> =>
  inventory.query<TrendRow>(
    'report-trend',
    ({
      bind,
    }) => `select day::text as day, sum(total)::int as total, sum(approved)::int as approved, sum(quality)::text as quality,
        sum(open_quality)::text as open_quality, trim_scale(sum((costs->>${bind(cost ?? null)}::text)::numeric))::text as cost
      from reports_snapshots where type = any(${bind(types)}::text[]) and day >= ${bind(since)}::date group by day order by day`,
  );
