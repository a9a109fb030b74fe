import { MAX_EDGES, MAX_NODES } from './request.js';

/** The content of a response. */
export interface ImpactReach {
  nodes: { id: string; type: string; name: string; depth: number; path: string[] }[];
  edges: { id: string; type: string; source_id: string; target_id: string }[];
  truncated: boolean;
}

/**
 * Merges the results for several start cards: each card with its shortest path, among equal ones that of the first
 * result. Start cards are not among the reached cards.
 */
export function merged(answers: readonly ImpactReach[], starts: readonly string[]): ImpactReach {
  const nodes = new Map<string, ImpactReach['nodes'][number]>();
  const edges = new Map<string, ImpactReach['edges'][number]>();
  const begun = new Set(starts);
  for (const answer of answers) {
    for (const node of answer.nodes) {
      const before = nodes.get(node.id);
      if (!begun.has(node.id) && (!before || node.depth < before.depth)) nodes.set(node.id, node);
    }
    for (const edge of answer.edges) edges.set(edge.id, edge);
  }
  const isCut = nodes.size > MAX_NODES || edges.size > MAX_EDGES;
  const all = [...nodes.values()].sort((a, b) => a.depth - b.depth || (a.id < b.id ? -1 : 1));
  return {
    nodes: all.slice(0, MAX_NODES),
    edges: [...edges.values()].slice(0, MAX_EDGES),
    truncated: isCut || answers.some(({ truncated }) => truncated),
  };
}
