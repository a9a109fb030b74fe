import type { Inventory, InventoryFilters, InventorySql } from '@lintel/sdk';
import type { Direction } from '../connections.js';
import type { Grouping } from '../groups.js';
import { hierarchy } from '../hierarchy-repository.js';

/** The cards that are nested, and how they are connected to the boxes. */
export interface Nesting {
  /** Of the cards that are nested; contains their type. */
  filters: InventoryFilters;
  relationType: string;
  /** As seen from these cards. */
  direction: Direction;
  /** The type of the boxes. */
  parentType: string;
  /** Whether relations of the type also connect cards of other types. */
  isGeneral: boolean;
}

export interface BoxRow extends Record<string, unknown> {
  id: string;
  name: string;
  name_key: string;
  /** Ids of the boxes above, the root first. */
  path: string[];
}

/**
 * The cards that are boxes, those of higher levels first.
 * @param level levels below are omitted
 */
export async function readBoxes(
  inventory: Inventory,
  type: string,
  level: number | undefined,
  most: number,
): Promise<BoxRow[]> {
  return await inventory.query<BoxRow>(
    'report-landscape-boxes',
    ({ cards, bind }) =>
      `with ${hierarchy('b', cards({ type }, {}, ['id', 'name', 'name_key', 'path_ids']))}
      select b.id, b.name, b.name_key, b.path::text[] as path from b ${level === undefined ? '' : `where cardinality(b.path) < ${bind(level)}`}
      order by cardinality(b.path), b.name_key, b.id limit ${bind(most)}`,
  );
}

/** The ends of the relations: one statement for each direction. */
function ends({ relationType, direction }: Nesting, { relations }: InventorySql): string {
  const sides = [
    ...(direction === 'incoming' ? [] : ['source_id as near, target_id as far']),
    ...(direction === 'outgoing' ? [] : ['target_id as near, source_id as far']),
  ];
  return sides.map((columns) => `select ${columns} from ${relations([relationType])} e`).join(' union all ');
}

/**
 * CTE `pairs`: one row per relation, with the card and the card at the other end. The boxes of that one are found once for
 * each card at the other end, of which there are fewer than relations.
 */
function pairs(nesting: Nesting, sql: InventorySql): string {
  const { filters } = nesting;
  return `pairs as materialized (select c.id as card, e.far from (${ends(nesting, sql)}) e
    join ${sql.cards(filters, {}, ['id'])} c on c.id = e.near)`;
}

/** CTE `far`: the cards at the other ends with the path to them. */
function farEnds({ isGeneral, parentType }: Nesting, { cards }: InventorySql): string {
  // A relation of any type may end at a card below a box that is no box itself: the list of a box counts it as well.
  const source = cards(isGeneral ? {} : { type: parentType }, {}, ['id', 'path_ids']);
  return `far as materialized (select f.id, f.path_ids || f.id as path from ${source} f where f.id in (select far from pairs))`;
}

export interface BoxCount extends Record<string, unknown> {
  box: string;
  count: number;
}

/** The number of distinct cards in each box and below. @param boxes ids */
export async function readBoxCounts(
  inventory: Inventory,
  nesting: Nesting,
  boxes: readonly string[],
): Promise<BoxCount[]> {
  return await inventory.query<BoxCount>(
    'report-landscape-counts',
    (sql) => `with ${pairs(nesting, sql)}, ${farEnds(nesting, sql)},
      shown as materialized (select unnest(${sql.bind(boxes)}::uuid[]) as box),
      boxes as materialized (select f.id, b.box from far f cross join lateral unnest(f.path) b(box) where b.box in (select box from shown))
      select box, count(*)::int as count from (select distinct p.card, b.box from pairs p join boxes b on b.id = p.far) d group by 1`,
  );
}

export interface PlacementRow extends Record<string, unknown> {
  box: string;
  id: string;
  name: string;
  /** The value of the colouring field. */
  color: string | null;
}

/**
 * The cards of each box itself: in the deepest box that is shown above or at the other end.
 * @param most maximum number: the first ones by name of each box, equally for all boxes
 */
export async function readPlacements(
  inventory: Inventory,
  nesting: Nesting,
  boxes: readonly string[],
  color: Grouping | undefined,
  most: number,
): Promise<PlacementRow[]> {
  const key = color?.sql('c.color', 'color_of').key ?? 'null::text';
  return await inventory.query<PlacementRow>('report-landscape-cards', (sql) => {
    const shown = sql.cards(nesting.filters, color ? { color: color.field } : {}, ['id', 'name']);
    return `with ${pairs(nesting, sql)}, ${farEnds(nesting, sql)},
      shown as materialized (select unnest(${sql.bind(boxes)}::uuid[]) as box),
      boxes as materialized (select distinct on (f.id) f.id, b.box from far f cross join lateral unnest(f.path) with ordinality b(box, n)
        where b.box in (select box from shown) order by f.id, b.n desc),
      placed as (select distinct p.card, b.box from pairs p join boxes b on b.id = p.far),
      kept as materialized (select p.box, p.card, row_number() over (partition by p.box order by k.name_key, k.id) as place
        from placed p join ${sql.cards(nesting.filters, {}, ['id', 'name_key'])} k on k.id = p.card order by place, p.box limit ${sql.bind(most)})
      select k.box, c.id, c.name, ${key} as color from kept k join ${shown} c on c.id = k.card order by k.place, k.box`;
  });
}

/** The number of cards, and of those that are in no box. @param lacking filters of these, where a list expresses them */
export async function readTotals(
  inventory: Inventory,
  nesting: Nesting,
  lacking: InventoryFilters | undefined,
): Promise<{ total: number; unassigned: number }> {
  const [row] = await inventory.query<{ total: number; unassigned: number }>('report-landscape-totals', (sql) => {
    const { filters, isGeneral, parentType } = nesting;
    const ofBoxes = isGeneral ? `join ${sql.cards({ type: parentType }, {}, ['id'])} f on f.id = e.far` : '';
    const none = lacking
      ? sql.cards(lacking, {}, ['id'])
      : `(select c.id from ${sql.cards(filters, {}, ['id'])} c where not exists (select from (${ends(nesting, sql)}) e ${ofBoxes} where e.near = c.id))`;
    return `select (select count(*)::int from ${sql.cards(filters, {}, ['id'])} c) as total, (select count(*)::int from ${none} c) as unassigned`;
  });
  return row!;
}

export interface ColorRow extends Record<string, unknown> {
  key: string | null;
  count: number;
}

/** The number of cards by the colouring field. */
export async function readColors(
  inventory: Inventory,
  filters: InventoryFilters,
  color: Grouping,
): Promise<ColorRow[]> {
  return await inventory.query<ColorRow>(
    'report-landscape-colors',
    ({ cards }) =>
      `select ${color.sql('c.color', 'color_of').key} as key, count(*)::int as count from ${cards(filters, { color: color.field }, ['id'])} c group by 1`,
  );
}
