/**
 * The network of a plan: times as nodes, and the least differences between them as edges. A leaf has one node, its start.
 * A summary has three: the time before which nothing below it starts, the start of the first item below it, and the time
 * before which it does not finish.
 */
import type { DependencyType, PlanDependency, PlanItem } from './types.js';

/** The nodes of item i are 3i, 3i + 1 and 3i + 2; a leaf uses the first only. */
export const startNode = (item: number): number => item * 3;
export const firstNode = (item: number): number => item * 3 + 1;
export const finishNode = (item: number): number => item * 3 + 2;
export const itemOfNode = (node: number): number => Math.floor(node / 3);

/** Edges by the node from which they lead. */
export interface Network {
  /** Items by position; −1 for the parent of the highest ones. */
  parents: Int32Array;
  isSummary: boolean[];
  /** Edges of node n are those from `first[n]` to `first[n + 1]`. */
  first: Int32Array;
  to: Int32Array;
  /** The least difference of the times; of an edge to a first start, 0. */
  weight: Int32Array;
  /** Position of the dependency; −1 for an edge between a summary and what is below it. */
  dependency: Int32Array;
  /** Nodes in an order in which every edge leads forward; shorter than all of them if there is a cycle. */
  order: Int32Array;
}

const isFromFinish = (type: DependencyType): boolean => type.startsWith('F');
const isToFinish = (type: DependencyType): boolean => type.endsWith('F');
/** Whether an edge leads to the first start of a summary, which is the least of the times before it. */
export const isToFirst = (to: number): boolean => to % 3 === 1;

/**
 * @param durations by item, in working days; those of summaries are not read
 * @throws RangeError if a dependency names an item that is not there
 */
export function networkOf(
  items: readonly PlanItem[],
  dependencies: readonly PlanDependency[],
  durations: ArrayLike<number>,
): Network {
  const index = new Map(items.map(({ id }, i) => [id, i]));
  const parents = Int32Array.from(items, ({ parent_id }) => (parent_id === null ? -1 : (index.get(parent_id) ?? -1)));
  const isSummary = items.map(() => false);
  for (const parent of parents) if (parent >= 0) isSummary[parent] = true;
  const edges: Edge[] = [];
  const add = (from: number, to: number, weight: number, dependency: number): void => {
    edges.push({ from, to, weight, dependency });
  };
  for (const [i, parent] of parents.entries()) {
    if (parent < 0) continue;
    add(startNode(parent), startNode(i), 0, -1);
    if (isSummary[i]) {
      add(firstNode(i), firstNode(parent), 0, -1);
      add(finishNode(i), finishNode(parent), 0, -1);
    } else {
      add(startNode(i), firstNode(parent), 0, -1);
      add(startNode(i), finishNode(parent), durations[i]!, -1);
    }
  }
  for (const [d, { predecessor_id, successor_id, type, lag_days }] of dependencies.entries()) {
    const [before, after] = [index.get(predecessor_id), index.get(successor_id)];
    if (before === undefined || after === undefined) throw new RangeError('A dependency names an unknown item.');
    let weight = lag_days;
    let from = startNode(before);
    if (isSummary[before]) from = isFromFinish(type) ? finishNode(before) : firstNode(before);
    else if (isFromFinish(type)) weight += durations[before]!;
    let to = startNode(after);
    if (isToFinish(type)) {
      if (isSummary[after]) to = finishNode(after);
      else weight -= durations[after]!;
    }
    add(from, to, weight, d);
  }
  return { parents, isSummary, ...grouped(items.length * 3, edges) };
}

interface Edge {
  from: number;
  to: number;
  weight: number;
  dependency: number;
}

/** Sorts edges by where they begin, and nodes topologically (Kahn). */
function grouped(nodes: number, edges: readonly Edge[]) {
  const first = new Int32Array(nodes + 1);
  const incoming = new Int32Array(nodes);
  for (const edge of edges) {
    first[edge.from + 1]!++;
    incoming[edge.to]!++;
  }
  for (let node = 0; node < nodes; node++) first[node + 1]! += first[node]!;
  const next = first.slice();
  const to = new Int32Array(edges.length);
  const weight = new Int32Array(edges.length);
  const dependency = new Int32Array(edges.length);
  for (const edge of edges) {
    const at = next[edge.from]!++;
    to[at] = edge.to;
    weight[at] = edge.weight;
    dependency[at] = edge.dependency;
  }
  const order = new Int32Array(nodes);
  let known = 0;
  for (let node = 0; node < nodes; node++) if (incoming[node] === 0) order[known++] = node;
  for (let at = 0; at < known; at++) {
    const node = order[at]!;
    for (let edge = first[node]!; edge < first[node + 1]!; edge++)
      if (--incoming[to[edge]!]! === 0) order[known++] = to[edge]!;
  }
  return { first, to, weight, dependency, order: order.subarray(0, known) };
}

/**
 * The items of one cycle, in its order, without the summaries through which it merely passes where it has others.
 * @param network one whose order lacks nodes
 */
export function cycleOf({ first, to, order, isSummary }: Network): number[] {
  const nodes = first.length - 1;
  const isOrdered = new Uint8Array(nodes);
  for (const node of order) isOrdered[node] = 1;
  // Every node that is left leads to another one that is left or is behind the cycle: follow the predecessors instead.
  const before = new Int32Array(nodes).fill(-1);
  for (let node = 0; node < nodes; node++)
    if (isOrdered[node] === 0)
      for (let edge = first[node]!; edge < first[node + 1]!; edge++)
        if (isOrdered[to[edge]!] === 0) before[to[edge]!] = node;
  const seen = new Uint8Array(nodes);
  let node = before.findIndex((from, at) => from >= 0 && isOrdered[at] === 0);
  while (seen[node] === 0) {
    seen[node] = 1;
    node = before[node]!;
  }
  const cycle: number[] = [];
  for (let at = node; cycle.length === 0 || at !== node; at = before[at]!) cycle.unshift(itemOfNode(at));
  const items = [...new Set(cycle)];
  const leaves = items.filter((item) => !isSummary[item]);
  return leaves.length > 1 ? leaves : items;
}
