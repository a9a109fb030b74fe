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

/** CTEs: `eol`, the cards of the report, and `pairs`, each with the distinct cards at the other ends of its relations. */
function pairs({ filters, dependentTypes }: Ending, { cards, relations, bind }: InventorySql): string {
  const types = dependentTypes ? `${bind(dependentTypes)}::text[]` : undefined;
  const side = (near: string, far: string): string =>
    `select e.${near}_id as id, e.${far}_id as other from ${relations()} e where e.${near}_id in (select id from eol)${
      types === undefined ? '' : ` and e.${far}_type = any(${types})`
    }`;
  return `eol as materialized (select c.id, c.lifecycle->>'endOfLife' as day from ${cards(filters, {}, ['id', 'lifecycle'])} c),
    pairs as materialized (${side('source', 'target')} union ${side('target', 'source')})`;
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
    return `with ${pairs(ending, sql)},
      kept as (select * from eol order by abs(greatest(day collate "C", '0001-01-01')::date - ${today}::date), id limit ${bind(most)})
      select c.id, c.name, c.type, k.day, (select count(*)::int from pairs p where p.id = k.id) as dependents
      from kept k join ${cards(ending.filters, {}, ['id', 'name', 'type', 'name_key'])} c on c.id = k.id order by k.day, c.name_key, c.id`;
  });
}

export interface AffectedRow extends Record<string, unknown> {
  id: string;
  name: string;
  type: string;
  count: number;
}

/** The cards with relations to the most cards of the report. */
export async function readAffected(inventory: Inventory, ending: Ending, most: number): Promise<AffectedRow[]> {
  return await inventory.query<AffectedRow>('report-end-of-life-affected', (sql) => {
    return `with ${pairs(ending, sql)}
      select c.id, c.name, c.type, n.count from (select other, count(*)::int as count from pairs group by 1) n
      join ${sql.cards({}, {}, ['id', 'name', 'type', 'name_key'])} c on c.id = n.other order by n.count desc, c.name_key, c.id limit ${sql.bind(most)}`;
  });
}
