import type { Inventory, InventoryFilters, InventorySql } from '@lintel/sdk';

/** The cards of the report. */
export interface Ending {
  /** Their filters, the latest end of life included. */
  filters: InventoryFilters;
  /** Card types that count as dependents; undefined for all. */
  dependentTypes: readonly string[] | undefined;
}

export interface MonthRow extends Record<string, unknown> {
  type: string;
  /** YYYY-MM; empty for what is past. */
  month: string;
  count: number;
}

/** Cards by type and month of their end of life; those until today together. */
export async function readMonths(inventory: Inventory, { filters }: Ending): Promise<MonthRow[]> {
  return await inventory.query<MonthRow>('report-end-of-life-months', ({ cards, bind }) => {
    const today = bind(inventory.today);
    return `select c.type, case when c.lifecycle->>'endOfLife' collate "C" <= ${today} then '' else left(c.lifecycle->>'endOfLife', 7) end as month, count(*)::int as count
      from ${cards(filters, {}, ['id', 'type', 'lifecycle'])} c group by 1, 2`;
  });
}

/** The cards of the report, with their date. */
const endingCards = ({ filters }: Ending, { cards }: InventorySql): string =>
  `select c.id, c.lifecycle->>'endOfLife' as day from ${cards(filters, {}, ['id', 'lifecycle'])} c`;

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

export interface ItemRow extends Record<string, unknown> {
  id: string;
  name: string;
  type: string;
  day: string;
  dependents: number;
}

/** The cards whose end of life is nearest to today, by date. */
export async function readItems(inventory: Inventory, ending: Ending, most: number): Promise<ItemRow[]> {
  return await inventory.query<ItemRow>('report-end-of-life-items', (sql) => {
    const { cards, bind } = sql;
    const today = bind(inventory.today);
    // A date may have the year 0000, which PostgreSQL does not know.
    return `with kept as materialized (select * from (${endingCards(ending, sql)}) e
        order by abs(greatest(day collate "C", '0001-01-01')::date - ${today}::date), id limit ${bind(most)}),
      counts as materialized (select id, count(*)::int as count from (${pairs(ending, 'kept', sql)}) p group by 1)
      select c.id, c.name, c.type, k.day, coalesce(n.count, 0) as dependents
      from kept k join ${cards(ending.filters, {}, ['id', 'name', 'type', 'name_key'])} c on c.id = k.id left join counts n on n.id = k.id
      order by k.day, c.name_key, c.id`;
  });
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
