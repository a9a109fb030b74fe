import type { Inventory, InventoryFilters, InventorySql } from '@lintel/sdk';
import type { Direction } from '../connections.js';
import type { Grouping } from '../groups.js';
import { hierarchy } from '../hierarchy-repository.js';
import { rollUp } from '../roll-up-repository.js';

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
 * CTEs `hits`, the cards that are nested, with the key of their colour; `pairs`, one row per relation with the card and the card at the
 * other end; and `far`, the cards at the other ends with the path to them, which are fewer than relations.
 */
function connections(nesting: Nesting, color: Grouping | undefined, sql: InventorySql): string {
  const { filters, isGeneral, parentType } = nesting;
  const key = color?.sql('c.color', 'color_of').key ?? 'null::text';
  // A relation of any type may end at a card below a box that is no box itself: the list of a box counts it as well.
  const others = sql.cards(isGeneral ? {} : { type: parentType }, {}, ['id', 'path_ids']);
  return `hits as materialized (select c.id, c.name_key, ${key} as color
        from ${sql.cards(filters, color ? { color: color.field } : {}, ['id', 'name_key'])} c),
      pairs as materialized (select h.id as card, e.far from (${ends(nesting, sql)}) e join hits h on h.id = e.near),
      far as materialized (select f.id, f.path_ids || f.id as path from ${others} f where f.id in (select far from pairs))`;
}

/**
 * CTE `kept`: the cards of each box itself: in the deepest box that is shown above or at the other end.
 * @param most maximum number: the first ones by name of each box, equally for all boxes
 */
const placements = (most: string): string =>
  `boxes as materialized (select distinct on (f.id) f.id, b.box from far f cross join lateral unnest(f.path) with ordinality b(box, n)
        where b.box in (select box from shown) order by f.id, b.n desc),
      placed as (select distinct p.card, b.box from pairs p join boxes b on b.id = p.far),
      kept as materialized (select p.box, h.id, h.color, row_number() over (partition by p.box order by h.name_key, h.id) as place
        from placed p join hits h on h.id = p.card order by place, p.box limit ${most})`;

/** A part of the figures; members of other parts are null. */
interface FigureRow extends Record<string, unknown> {
  part: 'box' | 'card' | 'color' | 'placed';
  box: string;
  id: string;
  name: string;
  color: string | null;
  count: number;
}

export interface NestedFigures {
  /** The number of distinct cards in each box and below, by its id; none for a box without cards. */
  counts: ReadonlyMap<string, number>;
  /** The cards of each box itself, the first ones by name, with the key of their colour. */
  placements: readonly Pick<FigureRow, 'box' | 'id' | 'name' | 'color'>[];
  /** The number of cards by the colouring field; all in one group without such a field. */
  colors: readonly { key: string | null; count: number }[];
  /** The number of cards with a relation to a card of the type of the boxes. */
  placed: number;
}

/**
 * The cards in boxes. One statement, because all figures are of the same relations.
 * @param boxes ids
 * @param most maximum number of cards
 */
export async function readNested(
  inventory: Inventory,
  nesting: Nesting,
  boxes: readonly string[],
  color: Grouping | undefined,
  most: number,
): Promise<NestedFigures> {
  const rows = await inventory.query<FigureRow>('report-landscape', (sql) => {
    const ofBoxes = nesting.isGeneral
      ? `join ${sql.cards({ type: nesting.parentType }, {}, ['id'])} f on f.id = p.far`
      : '';
    return `with ${connections(nesting, color, sql)},
      shown as materialized (select unnest(${sql.bind(boxes)}::uuid[]) as box),
      ${rollUp('pairs', 'far', { only: 'g.id in (select box from shown)', isSummed: false })},
      ${placements(sql.bind(most))}
      select part, box, id, name, color, count from (
        select 'color' as part, null::uuid as box, null::uuid as id, null as name, color, count(*)::int as count, null::bigint as place from hits group by color
        union all select 'placed', null, null, null, null, count(distinct p.card)::int, null from pairs p ${ofBoxes}
        union all select 'box', id, null, null, null, count, null from sums
        union all select 'card', k.box, k.id, n.name, k.color, null, k.place
          from kept k join ${sql.cards({ status: 'ACTIVE,ARCHIVED' }, {}, ['id', 'name'])} n on n.id = k.id) f
      order by place, box`;
  });
  const of = (part: FigureRow['part']): FigureRow[] => rows.filter((row) => row.part === part);
  return {
    counts: new Map(of('box').map(({ box, count }) => [box, count])),
    placements: of('card'),
    colors: of('color').map(({ color: key, count }) => ({ key, count })),
    placed: of('placed')[0]!.count,
  };
}
