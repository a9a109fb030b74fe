import type { Inventory, InventoryFilters, InventorySql } from '@lintel/sdk';

/** The cards of the report. */
export interface Ending {
  /** Their filters, the latest end of life included. */
  filters: InventoryFilters;
  /** Card types that count as dependents; undefined for all. */
  dependentTypes: readonly string[] | undefined;
}

export interface MonthRow {
  type: string;
  /** YYYY-MM; empty for what is past. */
  month: string;
  count: number;
}

export interface ItemRow {
  id: string;
  name: string;
  type: string;
  day: string;
  dependents: number;
}

/**
 * The distinct pairs of cards among few, and of cards at the other ends of their relations, found by the indexes of both ends.
 * @param among CTE with `id`
 */
function pairs({ dependentTypes }: Ending, among: string, { relations, bind }: InventorySql): string {
  const types = dependentTypes ? `${bind(dependentTypes)}::text[]` : undefined;
  const side = (near: string, far: string): string =>
    `select e.${near}_id as id, e.${far}_id as other from ${relations()} e where e.${near}_id in (select id from ${among})${
      types === undefined ? '' : ` and e.${far}_type = any(${types})`
    }`;
  return `${side('source', 'target')} union ${side('target', 'source')}`;
}

interface EndingRow extends Record<string, unknown>, Omit<MonthRow, 'month'>, Omit<ItemRow, 'dependents'> {
  /** Null of a card; `count` is then that of its dependents. */
  month: string | null;
}

/**
 * Cards by type and month of their end of life, those until today together; and the cards whose end of life is nearest to today, by date.
 * One statement, so that all cards are read once.
 * @param most maximum number of cards
 */
export async function readEnding(
  inventory: Inventory,
  ending: Ending,
  most: number,
): Promise<{ months: MonthRow[]; items: ItemRow[] }> {
  const rows = await inventory.query<EndingRow>('report-end-of-life', (sql) => {
    const { cards, bind } = sql;
    const today = `${bind(inventory.today)}::text`;
    // A date may have the year 0000, which PostgreSQL does not know.
    return `with ending as materialized (select c.id, c.type, c.lifecycle->>'endOfLife' as day from ${cards(ending.filters, {}, ['id', 'type', 'lifecycle'])} c),
      kept as materialized (select * from ending order by abs(greatest(day collate "C", '0001-01-01')::date - ${today}::date), id limit ${bind(most)}),
      counts as materialized (select id, count(*)::int as count from (${pairs(ending, 'kept', sql)}) p group by 1)
      select type, month, count, id, name, day from (
        select type, case when day collate "C" <= ${today} then '' else left(day, 7) end as month, count(*)::int as count,
          null::uuid as id, null as name, null as name_key, null as day from ending group by 1, 2
        union all select k.type, null, coalesce(n.count, 0), k.id, c.name, c.name_key, k.day
          from kept k join ${cards({ status: 'ACTIVE,ARCHIVED' }, {}, ['id', 'name', 'name_key'])} c on c.id = k.id left join counts n on n.id = k.id) e
      order by day, name_key, id`;
  });
  return {
    months: rows.flatMap(({ type, month, count }) => (month === null ? [] : [{ type, month, count }])),
    items: rows.flatMap(({ id, name, type, day, month, count }) =>
      month === null ? [{ id, name, type, day, dependents: count }] : [],
    ),
  };
}

export interface AffectedRow extends Record<string, unknown> {
  id: string;
  name: string;
  type: string;
  count: number;
}

/**
 * The cards with relations to the most of some cards.
 * @param items ids of these cards, few
 */
export async function readAffected(
  inventory: Inventory,
  ending: Ending,
  items: readonly string[],
  most: number,
): Promise<AffectedRow[]> {
  return await inventory.query<AffectedRow>('report-end-of-life-affected', (sql) => {
    const { bind, cards } = sql;
    return `with eol as materialized (select unnest(${bind(items)}::uuid[]) as id),
      most as materialized (select other, count(*)::int as count from (${pairs(ending, 'eol', sql)}) p group by 1 order by 2 desc, 1 limit ${bind(most)})
      select c.id, c.name, c.type, m.count from most m join ${cards({}, {}, ['id', 'name', 'type', 'name_key'])} c on c.id = m.other
      order by m.count desc, c.name_key, c.id`;
  });
}
