import {
  defineReport,
  type Inventory,
  type InventoryFilters,
  type InventoryRelationType,
  type InventoryType,
  type ReportRequest,
} from '@lintel/sdk';
import { directionsBetween, isOnlyBetween, typesBetween, withRelated, type Direction } from '../connections.js';
import { groupingOf, type Grouping } from '../groups.js';
import { depthFirst } from '../hierarchy.js';
import { cardHref, cardsHref, within } from '../links.js';
import { NO_VALUE_COLOR, paletteColor } from '../palette.js';
import { Parameters } from '../parameters.js';
import { VIEW } from '../permissions.js';
import type { ReportsServices } from '../services.js';
import { landscapePicture } from './landscape-picture.js';
import { readBoxes, readNested, type BoxRow, type NestedFigures, type Nesting } from './landscape-repository.js';
import { answer, parameters, type Answer, type Box, type Query } from './landscape-schemas.js';
import { landscapeTables } from './landscape-tables.js';

const [MOST_BOXES, MOST_CARDS] = [2_000, 5_000];

/** The relation type, named or the only one. */
function connectionOf(
  check: Parameters,
  inventory: Inventory,
  { relation_type, type, parent_type }: Query,
): InventoryRelationType | undefined {
  const between = typesBetween(inventory, type, parent_type);
  if (relation_type === undefined)
    return between.length === 1
      ? between[0]
      : check.wrong(
          'relation_type',
          between.length === 0
            ? `no relation type connects ${type} and ${parent_type}`
            : `must be one of ${between.map(({ key }) => key).join(', ')}`,
        );
  const named = inventory.relationTypes.get(relation_type);
  if (!named) return check.wrong('relation_type', `${relation_type} is no relation type`);
  return directionsBetween(named, type, parent_type).length === 0
    ? check.wrong('relation_type', `does not connect ${type} and ${parent_type}`)
    : named;
}

/** The boxes as a tree. @param cards by the id of their box */
function treeOf(
  rows: readonly BoxRow[],
  counts: ReadonlyMap<string, number>,
  cards: ReadonlyMap<string, Box['cards']>,
  href: (id: string) => string | null,
): Box[] {
  const roots: Box[] = [];
  const boxes = new Map<string, Box>();
  for (const { card, parent } of depthFirst(rows)) {
    const box: Box = {
      id: card.id,
      name: card.name,
      level: card.path.length + 1,
      count: counts.get(card.id) ?? 0,
      href: href(card.id),
      cards: cards.get(card.id) ?? [],
      children: [],
    };
    boxes.set(card.id, box);
    (parent === null ? roots : boxes.get(parent)!.children).push(box);
  }
  return roots;
}

function cardsByBox(rows: NestedFigures['placements'], color: Grouping | undefined): Map<string, Box['cards']> {
  const byBox = new Map<string, Box['cards']>();
  for (const { box, id, name, color: key } of rows) {
    const card = { id, name, color_key: color?.group(key).key ?? null, href: cardHref(id) };
    const others = byBox.get(box);
    if (others) others.push(card);
    else byBox.set(box, [card]);
  }
  return byBox;
}

async function run(
  { host }: ReportsServices,
  { ctx, parameters: query, filters: given, lang, asOf }: ReportRequest<Query>,
): Promise<Answer> {
  return await host.inventory.read(ctx, { lang, asOf }, async (inventory) => {
    const check = new Parameters(host, inventory);
    const type = check.type('type', query.type);
    const parentType = check.type('parent_type', query.parent_type);
    const connection = type && parentType && connectionOf(check, inventory, query);
    const field = type && check.grouped('color_by', query.color_by, [query.type], true);
    check.check();
    const directions = directionsBetween(connection!, query.type, query.parent_type);
    const direction: Direction = directions.length > 1 ? 'both' : directions[0]!;
    const filters: InventoryFilters = { ...given, type: query.type };
    const nesting: Nesting = {
      filters,
      relationType: connection!.key,
      direction,
      parentType: query.parent_type,
      isGeneral: !isOnlyBetween(connection!),
    };
    const color = field && (await groupingOf(inventory, field, filters, lang));
    const found = await readBoxes(inventory, query.parent_type, query.level, MOST_BOXES + 1);
    const rows = found.slice(0, MOST_BOXES);
    const ids = rows.map(({ id }) => id);
    const { counts, placements, colors, placed } = await readNested(inventory, nesting, ids, color, MOST_CARDS + 1);
    const lacking = nesting.isGeneral
      ? undefined
      : withRelated(filters, { lacks_relation: nesting.relationType, direction });
    const total = colors.reduce((sum, { count }) => sum + count, 0);
    // The list has no cards whose relations the caller may not see.
    const isHidden = lacking !== undefined && !inventory.relatedTypes.includes(query.type);
    const link = (more: InventoryFilters | undefined): string | null => (more ? cardsHref(more) : null);
    return {
      type: named(type!),
      parent_type: named(parentType!),
      relation_type: { key: connection!.key, label: connection!.label },
      ...(color && { color_by: { field: color.field.key, label: color.field.label } }),
      boxes: treeOf(rows, counts, cardsByBox(placements.slice(0, MOST_CARDS), color), (id) =>
        link(withRelated(filters, { related_root_id: id, relation_type: nesting.relationType, direction })),
      ),
      unassigned: { count: isHidden ? 0 : total - placed, href: link(lacking) },
      legend: color ? legendOf(color, colors, filters) : [],
      total,
      href: cardsHref(filters),
      truncated: found.length > MOST_BOXES || placements.length > MOST_CARDS,
    };
  });
}

/** The groups of the colouring field, each with a colour of its own. */
function legendOf(
  color: Grouping,
  counts: readonly { key: string | null; count: number }[],
  filters: InventoryFilters,
): Answer['legend'] {
  const byKey = new Map<string | null, number>();
  for (const { key, count } of counts) {
    const group = color.group(key);
    byKey.set(group.key, (byKey.get(group.key) ?? 0) + count);
  }
  return color.ordered(counts.map(({ key }) => key)).map((group, place) => {
    const list = within(filters, group.filters);
    return {
      key: group.key,
      label: group.label,
      color: group.color ?? (group.key === null ? NO_VALUE_COLOR : paletteColor(place)),
      count: byKey.get(group.key) ?? 0,
      href: list ? cardsHref(list) : null,
    };
  });
}

const named = ({ key, label, color }: InventoryType) => ({ key, label, ...(color !== undefined && { color }) });

/** Cards of one type in the hierarchy of another one. */
export const landscape = defineReport<ReportsServices, typeof parameters, typeof answer>({
  id: 'landscape',
  title: 'Landscape',
  description:
    'Cards of one type nested in the hierarchy of another one, such as a capability map. Filters of cards narrow the nested cards. Requires relations.view.',
  permission: VIEW,
  parameters,
  cardFilters: true,
  answer,
  run,
  tables: landscapeTables,
  picture: landscapePicture,
});
