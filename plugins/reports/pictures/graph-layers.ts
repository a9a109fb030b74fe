/** An estimate of the layers of a graph, to choose the direction in which it fits the width. */
import type { SizedNode } from './graph-marks.js';

export type Direction = 'RIGHT' | 'DOWN';

/** A direction that seems to need so many times the width is not tried. */
const HOPELESS = 2.5;

interface Edge {
  from: string;
  to: string;
}

/** The layer of each node: after all nodes with an edge to it, edges of cycles not counted. */
export function depthsOf(nodes: readonly SizedNode[], edges: readonly Edge[]): number[] {
  const following = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  const open = new Map<string, number>(nodes.map(({ id }) => [id, 0]));
  for (const { from, to } of edges) {
    if (from === to) continue;
    following.get(from)!.push(to);
    open.set(to, open.get(to)! + 1);
  }
  const depths = new Map<string, number>();
  const rest = new Set(nodes.map(({ id }) => id));
  const ready = nodes.map(({ id }) => id).filter((id) => open.get(id) === 0);
  while (rest.size > 0) {
    // With no node ready, the rest is in or after a cycle: it is entered at its first node.
    const id = ready.pop() ?? rest.values().next().value!;
    if (!rest.delete(id)) continue;
    const depth = depths.get(id) ?? 0;
    depths.set(id, depth);
    for (const next of following.get(id)!) {
      if (!rest.has(next)) continue;
      depths.set(next, Math.max(depths.get(next) ?? 0, depth + 1));
      open.set(next, open.get(next)! - 1);
      if (open.get(next) === 0) ready.push(next);
    }
  }
  return nodes.map(({ id }) => depths.get(id)!);
}

/** The directions that may fit, the one that needs less of the width first. */
export function layersOf(nodes: readonly SizedNode[], edges: readonly Edge[], width: number): Direction[] {
  const depths = depthsOf(nodes, edges);
  const counts = new Map<number, number>();
  for (const depth of depths) counts.set(depth, (counts.get(depth) ?? 0) + 1);
  const node = nodes.reduce((widest, one) => Math.max(widest, one.width), 0);
  const right = counts.size * (node + 60);
  const down = Math.max(...counts.values()) * (node + 30);
  // Layers below each other are read more easily; beside each other, the height is free.
  const isWideEnough = down <= width && counts.size > 2 && nodes.length <= 40;
  if (isWideEnough) return ['DOWN', 'RIGHT'];
  const order: [Direction, number][] = [
    ['RIGHT', right],
    ['DOWN', down],
  ];
  order.sort((a, b) => a[1] - b[1]);
  return order.filter(([, need], i) => i === 0 || need < width * HOPELESS).map(([direction]) => direction);
}

/** The height of a layout with layers beside each other: that of the highest layer, without space for edges. */
export function heightOf(nodes: readonly SizedNode[], edges: readonly Edge[]): number {
  const heights = new Map<number, number>();
  for (const [i, depth] of depthsOf(nodes, edges).entries())
    heights.set(depth, (heights.get(depth) ?? 0) + nodes[i]!.height + 14);
  return Math.max(0, ...heights.values());
}
