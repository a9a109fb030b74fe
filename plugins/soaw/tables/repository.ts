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

/** Compiles a filter, and reads nothing. @throws validation_failed, forbidden for an invalid one */
export async function tryFilter(inventory: Inventory, filter: InventoryFilters): Promise<void> {
  await inventory.query('soaw-filter', ({ cards }) => `select c.id from ${cards(filter, {}, ['id'])} c limit 0`);
}

/**
 * Cards by name, with the values of fields as text in `f0`, `f1`, …
 * @param most rows
 */
export async function readCards(
  inventory: Inventory,
  filter: InventoryFilters,
  fields: readonly InventoryField[],
  most: number,
): Promise<(CardRow & Record<string, string | null>)[]> {
  const named = Object.fromEntries(fields.map((field, i) => [`f${i}`, field]));
  // Numbers without trailing zeros: an amount of 1200.00 is one of 1200.
  const value = ({ kind }: InventoryField, i: number): string =>
    kind === 'number' ? `trim_scale(c.f${i}::numeric)::text` : `c.f${i}::text`;
  const columns = ['c.id', 'c.type', 'c.name', ...fields.map((field, i) => `${value(field, i)} as f${i}`)].join(', ');
  return await inventory.query<CardRow & Record<string, string | null>>(
    'soaw-cards-table',
    ({ cards, bind }) =>
      `select ${columns} from ${cards(filter, named, BASE)} c order by c.name_key, c.id limit ${bind(most)}`,
  );
}

/** Cards with life cycles by their first date. @param most rows */
export async function readRoadmap(
  inventory: Inventory,
  filter: InventoryFilters,
  most: number,
): Promise<LifecycleRow[]> {
  return await inventory.query<LifecycleRow>(
    'soaw-roadmap',
    ({ cards, bind }) => `select c.id, c.type, c.name, c.lifecycle from ${cards(filter, {}, [...BASE, 'lifecycle'])} c
      where c.lifecycle is not null and c.lifecycle <> '{}'::jsonb
      order by (select min(p.value) from jsonb_each_text(c.lifecycle) p), c.name_key, c.id limit ${bind(most)}`,
  );
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
 * @param most rows
 */
export async function readGaps(
  inventory: Inventory,
  filter: InventoryFilters,
  options: { successors: readonly string[]; demands: readonly Demand[]; day: string; most: number },
): Promise<GapRow[]> {
  const { successors, demands, day, most } = options;
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
        from ${cards(filter, {}, [...BASE, 'lifecycle'])} c)
      select id, type, name, lifecycle, has_successor, missing from judged
      where (ends and not has_successor) or (phases_out and not ends) or cardinality(missing) > 0
      order by name_key, id limit ${bind(most)}`;
  });
}
