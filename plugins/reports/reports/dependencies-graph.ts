import type { Inventory, RequestContext } from '@lintel/sdk';
import type { ReportsHost } from '../host.js';
import {
  readCards,
  readEdges,
  readNeighbours,
  type EdgeRow,
  type NodeRow,
  type Scope,
} from './dependencies-repository.js';

export interface Graph {
  nodes: (NodeRow & { depth: number })[];
  edges: EdgeRow[];
  isCut: boolean;
}

export const [MOST_NODES, MOST_EDGES] = [500, 2_000] as const;

/** Limits a graph. @param nodes nearest first */
function limited({ nodes, edges, isCut }: Graph): Graph {
  const kept = nodes.slice(0, MOST_NODES);
  const known = new Set(kept.map(({ id }) => id));
  const among = edges.filter(({ source_id, target_id }) => known.has(source_id) && known.has(target_id));
  return {
    nodes: kept,
    edges: among.slice(0, MOST_EDGES),
    isCut: isCut || nodes.length > MOST_NODES || among.length > MOST_EDGES,
  };
}

/**
 * The cards that can be reached from a card.
 * @throws not_found where it does not exist or is hidden, forbidden without relations.view
 */
export async function graphAround(
  host: ReportsHost,
  ctx: RequestContext,
  id: string,
  query: { depth: number; direction: Scope['direction']; relation_type?: string | undefined },
): Promise<Graph> {
  const centre = await host.cards.get(ctx, id);
  const reach = await host.cards.impact(ctx, [centre.id], query);
  const nodes = [
    { id: centre.id, name: centre.name, type: centre.type, depth: 0 },
    ...reach.nodes.map(({ id: to, name, type, depth }) => ({ id: to, name, type, depth })),
  ];
  const depths = new Map(nodes.map((node) => [node.id, node.depth]));
  const farther = ({ source_id, target_id }: EdgeRow): number =>
    Math.max(depths.get(source_id) ?? 0, depths.get(target_id) ?? 0);
  return limited({
    nodes,
    edges: [...reach.edges].sort((a, b) => farther(a) - farther(b) || (a.id < b.id ? -1 : 1)),
    isCut: reach.truncated,
  });
}

/** The cards of a type, and with a depth of more than 1 those at the other ends of their relations. */
export async function graphOfType(inventory: Inventory, scope: Scope, depth: number): Promise<Graph> {
  const cards = await readCards(inventory, scope, MOST_NODES + 1);
  const ids = cards.slice(0, MOST_NODES).map(({ id }) => id);
  const neighbours = depth > 1 ? await readNeighbours(inventory, scope, ids, MOST_NODES + 1 - ids.length) : [];
  const all = [...ids, ...neighbours.map(({ id }) => id)].slice(0, MOST_NODES);
  const edges = await readEdges(inventory, scope, ids, all, MOST_EDGES + 1);
  return limited({
    nodes: [...cards.map((card) => ({ ...card, depth: 0 })), ...neighbours.map((card) => ({ ...card, depth: 1 }))],
    edges,
    isCut: edges.length > MOST_EDGES,
  });
}
