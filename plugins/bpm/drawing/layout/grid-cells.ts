/** The columns and rows of the nodes of a graph: columns in the order of flow, rows inside of lanes. */
import { isLoose, isSatellite, type Graph, type GraphEdge, type GraphNode } from './graph.js';

export interface Cell {
  column: number;
  /** Counted over all lanes. */
  row: number;
}

export interface Cells {
  of: ReadonlyMap<GraphNode, Cell>;
  /** The nodes in the order of their columns. */
  columns: number;
  /** The lane of each row. */
  rows: readonly number[];
}

/** Edges by the node at their beginning, in the order of the file. */
function following(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Map<GraphNode, GraphNode[]> {
  const next = new Map<GraphNode, GraphNode[]>(nodes.map((node) => [node, []]));
  for (const edge of edges) if (!isLoose(edge) && edge.source !== edge.target) next.get(edge.source)!.push(edge.target);
  return next;
}

/** The nodes so that each is after those with an edge to it, save edges that close a cycle. */
function inOrder(nodes: readonly GraphNode[], next: ReadonlyMap<GraphNode, GraphNode[]>): GraphNode[] {
  const entered = new Set<GraphNode>();
  const order: GraphNode[] = [];
  const isTarget = new Set([...next.values()].flat());
  // Nodes without an edge to them first: cycles are entered where the flow enters them.
  for (const start of [...nodes.filter((node) => !isTarget.has(node)), ...nodes]) {
    if (entered.has(start)) continue;
    entered.add(start);
    const path: [GraphNode, number][] = [[start, 0]];
    while (path.length > 0) {
      const step = path.at(-1)!;
      const child = next.get(step[0])![step[1]++];
      if (child === undefined) order.push(path.pop()![0]);
      else if (!entered.has(child)) {
        entered.add(child);
        path.push([child, 0]);
      }
    }
  }
  return order.reverse();
}

/** The column of each node: after those of all nodes before it in the order of flow. */
function columnsOf({ nodes, edges }: Graph): Map<GraphNode, number> {
  const next = following(nodes, edges);
  const order = inOrder(nodes, next);
  const place = new Map(order.map((node, i) => [node, i]));
  const columns = new Map<GraphNode, number>(nodes.map((node) => [node, 0]));
  for (const node of order)
    for (const child of next.get(node)!)
      if (place.get(child)! > place.get(node)!)
        columns.set(child, Math.max(columns.get(child)!, columns.get(node)! + 1));
  // Data and annotations are in the column of what they belong to.
  for (const { source, target } of edges.filter(isLoose)) {
    if (next.get(source)!.length === 0 && isSatellite(source)) columns.set(source, columns.get(target)!);
    else if (isSatellite(target)) columns.set(target, columns.get(source)!);
  }
  return columns;
}

/** Rows above and below the wanted one in which a free one is looked for. */
const NEAR = 40;

/** Gives each node the nearest free row to that of a node before it, in its lane. */
class Rows {
  readonly #taken = new Set<string>();
  /** The row after the last one that is taken, by lane and column. */
  readonly #ends = new Map<string, number>();
  readonly counts: number[];

  constructor(lanes: number) {
    this.counts = Array.from({ length: lanes }, () => 1);
  }

  take(lane: number, column: number, wanted: number): number {
    const cells = `${lane} ${column}`;
    const end = this.#ends.get(cells) ?? 0;
    const row = this.#nearest(cells, wanted) ?? Math.max(end, wanted);
    this.#taken.add(`${cells} ${row}`);
    this.#ends.set(cells, Math.max(end, row + 1));
    this.counts[lane] = Math.max(this.counts[lane]!, row + 1);
    return row;
  }

  #nearest(cells: string, wanted: number): number | undefined {
    for (let step = 0; step <= NEAR; step++)
      for (const row of [wanted + step, wanted - step]) if (row >= 0 && !this.#taken.has(`${cells} ${row}`)) return row;
    return undefined;
  }
}

/** The cell of each node. */
export function cellsOf(graph: Graph): Cells {
  const columns = columnsOf(graph);
  const lanes = Math.max(graph.laneCount, 1);
  const rows = new Rows(lanes);
  const before = new Map<GraphNode, GraphNode>();
  for (const edge of graph.edges)
    for (const [node, other] of [
      [edge.target, edge.source],
      [edge.source, edge.target],
    ] as const) {
      const isEarlier = columns.get(other)! < columns.get(node)! || (isSatellite(node) && !isSatellite(other));
      if (isEarlier && other.lane === node.lane && !before.has(node)) before.set(node, other);
    }
  const inLane = new Map<GraphNode, number>();
  const order = graph.nodes.map((node, i) => ({ node, i, column: columns.get(node)!, isLast: isSatellite(node) }));
  order.sort((a, b) => Number(a.isLast) - Number(b.isLast) || a.column - b.column || a.i - b.i);
  for (const { node, column } of order) {
    const wanted = inLane.get(before.get(node)!) ?? 0;
    inLane.set(node, rows.take(Math.max(node.lane, 0), column, wanted));
  }
  const starts = rows.counts.map((_, lane) => rows.counts.slice(0, lane).reduce((sum, count) => sum + count, 0));
  return {
    of: new Map(
      graph.nodes.map((node) => [
        node,
        { column: columns.get(node)!, row: starts[Math.max(node.lane, 0)]! + inLane.get(node)! },
      ]),
    ),
    columns: Math.max(0, ...columns.values()) + 1,
    rows: rows.counts.flatMap((count, lane) => Array.from({ length: count }, () => lane)),
  };
}
