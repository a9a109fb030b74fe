import { defineReport, type Inventory, type InventoryFilters, type ReportRequest } from '@lintel/sdk';
import { cardHref, cardsHref } from '../links.js';
import { paletteColor } from '../palette.js';
import { Parameters } from '../parameters.js';
import { VIEW } from '../permissions.js';
import type { ReportsServices } from '../services.js';
import { textsOf } from '../words/index.js';
import { graphAround, graphOfType, type Graph } from './dependencies-graph.js';
import { layersOf } from './dependencies-layers.js';
import { dependenciesPicture } from './dependencies-picture.js';
import { answer, parameters, type Answer, type Query } from './dependencies-schemas.js';
import { readTotal } from './dependencies-repository.js';

const DEFAULT_DEPTH = 3;

/** The relation types to follow; undefined for all. */
function relationTypesOf(check: Parameters, inventory: Inventory, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const keys = text
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean);
  const unknown = keys.find((key) => !inventory.relationTypes.has(key));
  if (unknown !== undefined || keys.length === 0)
    check.wrong('relation_type', `${unknown ?? 'it'} is no relation type`);
  return keys;
}

function checked(check: Parameters, query: Query, given: InventoryFilters): void {
  const { card_id, type } = query;
  if (card_id === undefined && type === undefined) check.wrong('card_id', 'either card_id or type is required');
  if (card_id !== undefined && type !== undefined) check.wrong('type', 'cannot be combined with card_id');
  if (type !== undefined) check.type('type', type);
  if (card_id === undefined) return;
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) check.wrong(name, 'filters cards of a type, and cannot be combined with card_id');
}

async function run(
  { host }: ReportsServices,
  { ctx, parameters: query, filters: given, lang, asOf }: ReportRequest<Query>,
): Promise<Answer> {
  const { card_id = null, type = null, depth = DEFAULT_DEPTH, direction = 'downstream', relation_type } = query;
  const { inventory, ofType, total, filters } = await host.inventory.read(ctx, { lang, asOf }, async (inventory) => {
    const check = new Parameters(host, inventory);
    checked(check, query, given);
    const relationTypes = relationTypesOf(check, inventory, relation_type);
    check.check();
    const filters: InventoryFilters = { ...given, ...(type !== null && { type }) };
    if (type === null) return { inventory };
    const ofType = await graphOfType(inventory, { filters, relationTypes, direction }, depth);
    return { inventory, ofType, filters, total: await readTotal(inventory, filters) };
  });
  // Not within the other read, because it uses a connection of its own.
  const graph = ofType ?? (await graphAround(host, ctx, card_id!, { depth, direction, relation_type }));
  return {
    card_id: ofType ? null : graph.nodes[0]!.id,
    type,
    depth,
    direction,
    ...shown(graph, inventory),
    total: total ?? null,
    href: filters ? cardsHref(filters) : null,
    truncated: graph.isCut,
  };
}

/** The graph with its layers, labels and colours. */
function shown({ nodes, edges }: Graph, inventory: Inventory): Pick<Answer, 'nodes' | 'edges' | 'layers' | 'types'> {
  const layers = layersOf(nodes, edges);
  const order = [...inventory.types.keys()];
  const rows: Answer['layers'] = [];
  for (const { id, type } of nodes) {
    const layer = layers.get(id)!;
    for (let n = rows.length; n <= layer; n++) rows.push({ layer: n, types: [], ids: [] });
    rows[layer]!.ids.push(id);
    if (!rows[layer]!.types.includes(type)) rows[layer]!.types.push(type);
  }
  const used = order.filter((key) => nodes.some(({ type }) => type === key));
  return {
    nodes: nodes.map(({ id, name, type, depth }) => ({
      id,
      name,
      type,
      depth,
      layer: layers.get(id)!,
      href: cardHref(id),
    })),
    edges: edges.map(({ id, type, source_id, target_id }) => ({
      id,
      type,
      source_id,
      target_id,
      label: inventory.relationTypes.get(type)?.label ?? type,
      href: `/api/v1/relations/${id}`,
    })),
    layers: rows,
    types: used.map((key) => {
      const { label, color, icon } = inventory.types.get(key)!;
      return {
        key,
        label,
        color: color ?? paletteColor(order.indexOf(key)),
        ...(icon !== undefined && { icon }),
        count: nodes.filter(({ type }) => type === key).length,
      };
    }),
  };
}

/** The graph of relations around a card, or of a type. */
export const dependencies = defineReport<ReportsServices, typeof parameters, typeof answer>({
  id: 'dependencies',
  title: 'Dependencies',
  description:
    'The graph around a card, as the impact of the card, or of the cards of a type, which the filters of cards narrow. Relations whose validity has ended are not followed. Requires relations.view.',
  permission: VIEW,
  parameters,
  cardFilters: true,
  answer,
  run,
  tables: ({ nodes, edges, types }, { lang }) => {
    const { column } = textsOf(lang);
    const names = new Map(nodes.map(({ id, name }) => [id, name]));
    const labels = new Map(types.map(({ key, label }) => [key, label]));
    return [
      {
        name: column.relations,
        columns: [column.source, column.relation, column.target].map((title) => ({ title, kind: 'text' as const })),
        rows: edges.map(({ source_id, label, target_id }) => [names.get(source_id)!, label, names.get(target_id)!]),
      },
      {
        name: column.cards,
        columns: [
          { title: column.card, kind: 'text' },
          { title: column.type, kind: 'text' },
          { title: column.distance, kind: 'number' },
          { title: column.layer, kind: 'number' },
        ],
        rows: nodes.map(({ name, type, depth, layer }) => [name, labels.get(type) ?? type, depth, layer]),
      },
    ];
  },
  picture: dependenciesPicture,
});
