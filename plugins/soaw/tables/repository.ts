import type { Inventory, InventoryField, InventoryFilters } from '@lintel/sdk';

/** A card of a table. */
export interface CardRow extends Record<string, unknown> {
  id: string;
  type: string;
  name: string;
}
/** A card with the dates of its life cycle, by phase. */
export interface LifecycleRow extends CardRow {
  lifecycle: Record<string, string>;
}

const BASE = ['id', 'type', 'name', 'name_key'] as const;

/** Which rows of a table are read: the first ones of all cards, or the first ones of each of these card types. */
export interface Extract {
  most: number;
  types?: readonly string[] | undefined;
}
type Bind = (value: unknown) => string;

/**
 * SQL of the first rows of a source, in an order.
 * @param source SQL of a subquery or name of a CTE with the columns `type` and those of the order
 * @param columns SQL over its alias `c`
 * @param order the same; columns of the result over its alias `q` have the same names
 */
function firstRows(source: string, columns: string, order: string, { most, types }: Extract, bind: Bind): string {
  const first = (where: string): string =>
    `select ${columns} from ${source} c ${where} order by ${order} limit ${bind(most)}`;
  if (!types) return first('');
  return `select q.* from unnest(${bind(types)}::text[]) as t(key) cross join lateral (${first('where c.type = t.key')}) q
    order by ${order.replaceAll('c.', 'q.')}`;
}

/** Compiles a filter, and reads nothing. @throws validation_failed, forbidden for an invalid one */
export async function tryFilter(inventory: Inventory, filter: InventoryFilters): Promise<void> {
  await inventory.query('soaw-filter', ({ cards }) => `select c.id from ${cards(filter, {}, ['id'])} c limit 0`);
}

/** Cards by name, with the values of fields as text in `f0`, `f1`, … */
export async function readCards(
  inventory: Inventory,
  filter: InventoryFilters,
  fields: readonly InventoryField[],
  extract: Extract,
): Promise<(CardRow & Record<string, string | null>)[]> {
  const named = Object.fromEntries(fields.map((field, i) => [`f${i}`, field]));
  // Numbers without trailing zeros: an amount of 1200.00 is one of 1200.
  const value = ({ kind }: InventoryField, i: number): string =>
    kind === 'number' ? `trim_scale(c.f${i}::numeric)::text` : `c.f${i}::text`;
  const columns = [...BASE.map((name) => `c.${name}`), ...fields.map((field, i) => `${value(field, i)} as f${i}`)];
  return await inventory.query<CardRow & Record<string, string | null>>('soaw-cards-table', ({ cards, bind }) =>
    firstRows(cards(filter, named, BASE), columns.join(', '), 'c.name_key, c.id', extract, bind),
  );
}

/** Cards with life cycles by their first date. */
export async function readRoadmap(
  inventory: Inventory,
  filter: InventoryFilters,
  extract: Extract,
): Promise<LifecycleRow[]> {
  return await inventory.query<LifecycleRow>('soaw-roadmap', ({ cards, bind }) => {
    const dated = `(select c.*, (select min(p.value) from jsonb_each_text(c.lifecycle) p) as first_date
      from ${cards(filter, {}, [...BASE, 'lifecycle'])} c where c.lifecycle is not null and c.lifecycle <> '{}'::jsonb)`;
    return firstRows(dated, 'c.*', 'c.first_date, c.name_key, c.id', extract, bind);
  });
}

/** An end of a relation type at which every card should have a relation. */
export interface Demand {
  relationType: string;
  side: 'source' | 'target';
  /** Types of the cards at this end. */
  types: readonly string[];
}

/** A card with gaps. */
export interface GapRow extends LifecycleRow {
  has_successor: boolean;
  /** Indices of the demands that it does not meet. */
  missing: number[];
}

/**
 * Cards with gaps by name: life cycles that end or phase out until a day, or relations that are missing.
 * @param successors relation types in which the source succeeds the target
 * @param day YYYY-MM-DD
 * @param extract by card type, it applies twice: to cards that phase out, which are gaps without relations, and to the others
 */
export async function readGaps(
  inventory: Inventory,
  filter: InventoryFilters,
  options: { successors: readonly string[]; demands: readonly Demand[]; day: string; extract: Extract },
): Promise<GapRow[]> {
  const { successors, demands, day, extract } = options;
  const types = [...new Set([...successors, ...demands.map(({ relationType }) => relationType)])];
  return await inventory.query<GapRow>('soaw-gaps', ({ cards, relations, bind }) => {
    const related =
      types.length === 0
        ? `(select null::text as type, null::uuid as source_id, null::uuid as target_id where false)`
        : relations(types);
    const until = (phase: string): string => `c.lifecycle ->> '${phase}' <= ${bind(day)}`;
    const missing = demands.map(
      ({ relationType, side, types: ends }, i) =>
        `case when c.type = any(${bind(ends)}::text[]) and not exists (select from related r where r.type = ${bind(relationType)} and r.${side}_id = c.id) then ${i} end`,
    );
    const list = missing.length === 0 ? `array[]::int[]` : `array_remove(array[${missing.join(', ')}]::int[], null)`;
    return `with related as materialized (select r.type, r.source_id, r.target_id from ${related} r),
      judged as (select c.id, c.type, c.name, c.name_key, coalesce(c.lifecycle, '{}'::jsonb) as lifecycle,
        exists (select from related r where r.type = any(${bind(successors)}::text[]) and r.target_id = c.id) as has_successor,
        ${list} as missing, coalesce(${until('endOfLife')}, false) as ends, coalesce(${until('phaseOut')}, false) as phases_out
        from ${cards(filter, {}, [...BASE, 'lifecycle'])} c),
      lacking as materialized (select j.*, j.phases_out and not j.ends as is_open from judged j
        where (j.ends and not j.has_successor) or (j.phases_out and not j.ends) or cardinality(j.missing) > 0)
      ${gapRowsSql(extract, bind)}`;
  });
}

function gapRowsSql(extract: Extract, bind: Bind): string {
  const [columns, order] = [
    'c.id, c.type, c.name, c.name_key, c.lifecycle, c.has_successor, c.missing',
    'c.name_key, c.id',
  ];
  if (!extract.types) return firstRows('lacking', columns, order, extract, bind);
  const part = (isOpen: boolean): string =>
    `(${firstRows(`(select * from lacking where is_open = ${isOpen})`, columns, order, extract, bind)})`;
  return `select q.* from (${part(true)} union all ${part(false)}) q order by q.name_key, q.id`;
}
