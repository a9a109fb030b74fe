/** The forward and the backward pass of the critical path method, and what lies between their results. */
import type { Bounds } from './bounds.js';
import { finishNode, firstNode, isToFirst, startNode, type Network } from './network.js';

/** Times of the nodes of a network. */
export interface Forward {
  early: Float64Array;
  /** The edge that determines the time of a node; −1 for none. */
  driver: Int32Array;
  /** The latest finish. */
  finish: number;
}

/** The bounds of every item; of a summary, those of its start and of its finish. */
export interface NodeBounds {
  of(item: number): Bounds;
  /** Of summaries alone. */
  finishOf(item: number): Bounds;
}

/**
 * The earliest times: every node as early as its bounds and its predecessors allow, none before 0.
 * @param network without cycles
 */
export function forward(network: Network, durations: ArrayLike<number>, bounds: NodeBounds): Forward {
  const { first, to, weight, order, isSummary } = network;
  const early = new Float64Array(order.length);
  const driver = new Int32Array(order.length).fill(-1);
  const drivenBy = new Int32Array(order.length).fill(-1);
  for (const [item, summary] of isSummary.entries()) {
    early[startNode(item)] = Math.max(0, bounds.of(item).lower);
    if (!summary) continue;
    early[firstNode(item)] = Number.POSITIVE_INFINITY;
    early[finishNode(item)] = Math.max(0, bounds.finishOf(item).lower);
  }
  let finish = 0;
  for (const node of order) {
    for (let edge = first[node]!; edge < first[node + 1]!; edge++) {
      const target = to[edge]!;
      const time = early[node]! + weight[edge]!;
      // Of several items that start first, the one that is first in the plan determines the start of the summary.
      const isFirst = time < early[target]! || (time === early[target]! && node < drivenBy[target]!);
      if (isToFirst(target) ? isFirst : time > early[target]!) {
        early[target] = time;
        driver[target] = edge;
        drivenBy[target] = node;
      }
    }
  }
  for (const [item, summary] of isSummary.entries())
    finish = Math.max(finish, summary ? early[finishNode(item)]! : early[startNode(item)]! + durations[item]!);
  return { early, driver, finish };
}

/**
 * The latest times at which nothing after a node is later than its own latest time. A dependency on the start of a summary
 * binds the item below it that starts first, which is the one that determines the time.
 * @param last the finish of the plan
 */
export function backward(
  network: Network,
  durations: ArrayLike<number>,
  bounds: NodeBounds,
  driver: Int32Array,
  last: number,
): Float64Array {
  const { isSummary } = network;
  const late = new Float64Array(network.order.length).fill(Number.POSITIVE_INFINITY);
  for (const [item, summary] of isSummary.entries()) {
    if (!summary) late[startNode(item)] = Math.min(last - durations[item]!, bounds.of(item).upper);
    else late[finishNode(item)] = Math.min(last, bounds.finishOf(item).upper);
  }
  back(network, driver, (node, edge, target) => {
    late[node] = Math.min(late[node]!, late[target]! - network.weight[edge]!);
  });
  return late;
}

/**
 * The times to which each node can move without moving anything after it from its scheduled time. Leaves that are to be as
 * late as possible move there.
 * @param early the times of the forward pass
 * @param finish the finish of the plan
 * @returns `scheduled`, the starts of leaves; `limit`, the latest starts that move nothing else
 */
export function settle(
  network: Network,
  durations: ArrayLike<number>,
  isLate: (item: number) => boolean,
  { early, driver, finish }: Forward,
): { scheduled: Float64Array; limit: Float64Array } {
  const { isSummary, dependency, weight } = network;
  const scheduled = early.slice();
  const limit = new Float64Array(early.length).fill(Number.POSITIVE_INFINITY);
  for (const [item, summary] of isSummary.entries()) {
    if (!summary) limit[startNode(item)] = finish - durations[item]!;
    else limit[finishNode(item)] = finish;
  }
  back(
    network,
    driver,
    (node, edge, target) => {
      // A dependency must not move what it leads to; the finish of a summary may move for what is below it, to its own limit.
      const isFinishOfOther = dependency[edge]! >= 0 && target % 3 === 2;
      const isLeaf = target % 3 === 0 && !isSummary[target / 3];
      const until = isFinishOfOther ? early[target]! : isLeaf ? scheduled[target]! : limit[target]!;
      limit[node] = Math.min(limit[node]!, until - weight[edge]!);
    },
    (node) => {
      const item = node / 3;
      if (node % 3 === 0 && !isSummary[item] && isLate(item)) scheduled[node] = Math.max(early[node]!, limit[node]!);
    },
  );
  return { scheduled, limit };
}

/** Calls `visit` for the edges of each node, from the last node to the first, and `after` when all of a node are done. */
function back(
  { first, to, order }: Network,
  driver: Int32Array,
  visit: (node: number, edge: number, target: number) => void,
  after: (node: number) => void = () => undefined,
): void {
  for (let at = order.length - 1; at >= 0; at--) {
    const node = order[at]!;
    for (let edge = first[node]!; edge < first[node + 1]!; edge++) {
      const target = to[edge]!;
      // Of the items below a summary, only the first one determines when it starts.
      if (!isToFirst(target) || driver[target] === edge) visit(node, edge, target);
    }
    after(node);
  }
}
