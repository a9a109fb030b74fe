/** The places of the nodes of a large graph: in rows by layer, each row as wide as the picture. */
import { depthsOf } from './graph-layers.js';
import type { SizedNode } from './graph-marks.js';

interface Edge {
  from: string;
  to: string;
}
/** Nodes in rows and columns. */
export interface NodeGrid {
  /** By node. */
  cells: readonly { row: number; column: number }[];
  rows: number;
  columns: number;
}

/** So many times the nodes are put in order by their neighbours; later rounds change little. */
const ROUNDS = 6;

/** The nodes of each layer, as places in the list; those without any edge are the last layer. */
export function layersOfNodes(nodes: readonly SizedNode[], edges: readonly Edge[]): number[][] {
  const ends = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const layers: number[][] = [];
  const rest: number[] = [];
  for (const [node, depth] of depthsOf(nodes, edges).entries())
    if (ends.has(nodes[node]!.id)) (layers[depth] ??= []).push(node);
    else rest.push(node);
  return [...layers, rest].filter((layer) => layer !== undefined && layer.length > 0);
}

/** Layers side by side in a row, where a row for each would make the picture too high. */
function joined(layers: readonly (readonly number[])[], columns: number): number[][] {
  const groups: number[][] = [];
  for (const layer of layers) {
    const last = groups.at(-1);
    if (last !== undefined && last.length + layer.length <= columns) last.push(...layer);
    else groups.push([...layer]);
  }
  return groups;
}

/** @returns the number of rows with so many columns */
export const rowsFor = (layers: readonly (readonly number[])[], columns: number, isJoined: boolean): number =>
  (isJoined ? joined(layers, columns) : layers).reduce((sum, { length }) => sum + Math.ceil(length / columns), 0);

/** For each node, those at the other ends of its edges. */
function neighboursOf(nodes: readonly SizedNode[], edges: readonly Edge[]): number[][] {
  const places = new Map(nodes.map(({ id }, place) => [id, place]));
  const neighbours = nodes.map((): number[] => []);
  for (const { from, to } of edges) {
    const [a, b] = [places.get(from)!, places.get(to)!];
    if (a === b) continue;
    neighbours[a]!.push(b);
    neighbours[b]!.push(a);
  }
  return neighbours;
}

/**
 * Nodes in rows: layer below layer, the nodes of a layer in as many rows as it needs, each near the column of its
 * neighbours.
 * @param layers the nodes of each, as places in the list
 * @param isJoined whether small layers share a row
 */
export function gridOf(
  nodes: readonly SizedNode[],
  edges: readonly Edge[],
  layers: readonly (readonly number[])[],
  columns: number,
  isJoined: boolean,
): NodeGrid {
  const neighbours = neighboursOf(nodes, edges);
  // In rows with several layers, an earlier layer is at the left.
  const depths = nodes.map(() => 0);
  for (const [depth, layer] of layers.entries()) for (const node of layer) depths[node] = isJoined ? depth : 0;
  const groups = isJoined ? joined(layers, columns) : layers.map((layer) => [...layer]);
  const at = nodes.map((): number | undefined => undefined);
  const wish = (node: number): number => {
    const known = neighbours[node]!.flatMap((other) => at[other] ?? []);
    return known.length === 0
      ? (at[node] ?? (columns - 1) / 2)
      : known.reduce((sum, column) => sum + column, 0) / known.length;
  };
  for (let round = 0; round < ROUNDS; round++)
    for (const group of round % 2 === 0 ? groups : groups.toReversed()) {
      const wishes = new Map(group.map((node) => [node, wish(node)]));
      group.sort((a, b) => depths[a]! - depths[b]! || wishes.get(a)! - wishes.get(b)!);
      const high = Math.ceil(group.length / columns);
      const used = Math.ceil(group.length / high);
      const middle = group.reduce((sum, node) => sum + wishes.get(node)!, 0) / group.length;
      const first = Math.min(Math.max(Math.round(middle - (used - 1) / 2), 0), columns - used);
      for (const [i, node] of group.entries()) at[node] = first + Math.floor(i / high);
    }
  let row = 0;
  const cells = nodes.map(() => ({ row: 0, column: 0 }));
  for (const group of groups) {
    const high = Math.ceil(group.length / columns);
    for (const [i, node] of group.entries()) cells[node] = { row: row + (i % high), column: at[node]! };
    row += high;
  }
  return { cells, rows: row, columns };
}
