/** The layout of a container with lanes, or with too many nodes for ELK: in a grid, with edges between rows and columns. */
import type { Bounds, Point } from '../geometry.js';
import {
  EVENT,
  eventOffset,
  isLoose,
  type Content,
  type Graph,
  type GraphEdge,
  type GraphNode,
  type LaneTree,
} from './graph.js';
import { cellsOf, type Cell, type Cells } from './grid-cells.js';

const GAP = { column: 40, row: 26, lane: 18, line: 10 };

/** Columns that a line may pass in the row of a node; longer ones run between two rows. */
const LONGEST = 200;

/** Lines beside each other between two columns, or two rows: those of the same key are one. */
class Tracks {
  readonly #used = new Map<number, Map<string, number>>();

  take(gap: number, key: string): number {
    const tracks = this.#used.get(gap) ?? new Map<string, number>();
    this.#used.set(gap, tracks);
    const track = tracks.get(key) ?? tracks.size;
    tracks.set(key, track);
    return track;
  }

  count(gap: number): number {
    return this.#used.get(gap)?.size ?? 0;
  }
}

/** A line whose places follow from the sizes of all columns and rows, which follow from the lines between them. */
type Way = (places: Grid) => Point[];

class Grid {
  readonly columns: { x: number; width: number }[] = [];
  readonly rows: { y: number; middle: number; bottom: number }[] = [];
  readonly #indexes: ReadonlyMap<GraphNode, number>;
  readonly #nodeAt = new Set<string>();
  readonly #lineAt = new Map<string, string>();
  readonly #channels = new Tracks();
  readonly #tracks = new Tracks();
  readonly ways: Way[];
  /** In px, with the spaces around all columns and rows. */
  width = 0;
  height = 0;

  constructor(
    private readonly graph: Graph,
    readonly cells: Cells,
  ) {
    this.#indexes = new Map(graph.nodes.map((node, i) => [node, i]));
    for (const { column, row } of cells.of.values()) this.#nodeAt.add(`${column} ${row}`);
    this.ways = graph.edges.map((edge, i) => this.#way(edge, i));
    this.#measureColumns();
    this.#measureRows();
  }

  /** The box of a node in the middle of its cell. */
  box(node: GraphNode): Bounds {
    const { column, row } = this.cells.of.get(node)!;
    const { x, width } = this.columns[column]!;
    const { middle } = this.rows[row]!;
    return { x: x + (width - node.width) / 2, y: middle - node.height / 2, width: node.width, height: node.height };
  }

  #channel(gap: number, track: number): number {
    if (gap < 0) return this.columns[0]!.x - GAP.line * (track + 1) - 8;
    const { x, width } = this.columns[gap]!;
    return x + width + 18 + track * GAP.line;
  }

  #track(gap: number, track: number): number {
    if (gap < 0) return 10 + track * GAP.line;
    return this.rows[gap]!.bottom + 12 + track * GAP.line;
  }

  /** Whether a row has neither a node nor another line between two columns; if so, the line is noted. */
  #pass(row: number, from: number, to: number, key: string): boolean {
    if (to - from > LONGEST) return false;
    const between: string[] = [];
    for (let column = from + 1; column < to; column++) between.push(`${column} ${row}`);
    const isFree = between.every((cell) => !this.#nodeAt.has(cell) && (this.#lineAt.get(cell) ?? key) === key);
    if (isFree) for (const cell of between) this.#lineAt.set(cell, key);
    return isFree;
  }

  #way(edge: GraphEdge, index: number): Way {
    const { source, target, from } = edge;
    const [a, b] = [this.cells.of.get(source)!, this.cells.of.get(target)!];
    // Lines with a name, and those of data, are apart from the others of their node.
    const isApart = edge.label !== undefined || isLoose(edge);
    const out = isApart ? `edge ${index}` : `out ${this.#indexes.get(source)!} ${from}`;
    const into = isLoose(edge) ? out : `in ${this.#indexes.get(target)!}`;
    if (from !== -1) return this.#fromEvent(edge, a, b, out, into);
    if (isLoose(edge) && a.column === b.column && a.row !== b.row)
      return this.#upright(source, target, a, b, out, into);
    if (a.column < b.column) {
      if (a.row === b.row && this.#pass(a.row, a.column, b.column, into)) return straight(source, target);
      if (a.row !== b.row && this.#pass(b.row, a.column, b.column, into))
        return this.#bent(source, target, a.column, this.#channels.take(a.column, out));
      if (a.row !== b.row && this.#pass(a.row, a.column, b.column, out))
        return this.#bent(source, target, b.column - 1, this.#channels.take(b.column - 1, into));
    }
    return this.#around(source, target, a, b, out, into);
  }

  /** Out to the right, across in the space before or after, down or up, and into the left side. */
  #bent(source: GraphNode, target: GraphNode, gap: number, track: number): Way {
    return (grid) => {
      const [from, to] = [right(grid.box(source)), left(grid.box(target))];
      const x = grid.#channel(gap, track);
      return [from, { x, y: from.y }, { x, y: to.y }, to];
    };
  }

  /** Along the space between two rows, where the rows of both ends have something between them. */
  #around(source: GraphNode, target: GraphNode, a: Cell, b: Cell, out: string, into: string): Way {
    const first = this.#channels.take(a.column, out);
    const last = this.#channels.take(b.column - 1, into);
    const gap = a.column < b.column && a.row >= b.row ? b.row : Math.min(a.row, b.row) - (a.column < b.column ? 0 : 1);
    const across = this.#tracks.take(gap, `${out} ${into}`);
    return (grid) => {
      const [from, to] = [right(grid.box(source)), left(grid.box(target))];
      const [x1, x2, y] = [grid.#channel(a.column, first), grid.#channel(b.column - 1, last), grid.#track(gap, across)];
      return [from, { x: x1, y: from.y }, { x: x1, y }, { x: x2, y }, { x: x2, y: to.y }, to];
    };
  }

  /** Down from an event on the lower border of an activity. */
  #fromEvent({ source, target, from }: GraphEdge, a: Cell, b: Cell, out: string, into: string): Way {
    const across = this.#tracks.take(a.row, out);
    const last = this.#channels.take(b.column - 1, into);
    return (grid) => {
      const box = grid.box(source);
      const start = { x: box.x + eventOffset(source, from), y: box.y + box.height + EVENT / 2 };
      const [x, y, to] = [grid.#channel(b.column - 1, last), grid.#track(a.row, across), left(grid.box(target))];
      return [start, { x: start.x, y }, { x, y }, { x, y: to.y }, to];
    };
  }

  /** Between two elements in one column, such as a task and its data. */
  #upright(source: GraphNode, target: GraphNode, a: Cell, b: Cell, out: string, into: string): Way {
    const [low, high] = [Math.min(a.row, b.row), Math.max(a.row, b.row)];
    for (let row = low + 1; row < high; row++)
      if (this.#nodeAt.has(`${a.column} ${row}`)) return this.#around(source, target, a, b, out, into);
    return (grid) => {
      const [from, to] = [grid.box(source), grid.box(target)];
      const x = from.width < to.width ? from.x + from.width / 2 : to.x + to.width / 2;
      return a.row < b.row
        ? [
            { x, y: from.y + from.height },
            { x, y: to.y },
          ]
        : [
            { x, y: from.y },
            { x, y: to.y + to.height },
          ];
    };
  }

  #measureColumns(): void {
    const widths = Array.from({ length: this.cells.columns }, () => 36);
    for (const [node, { column }] of this.cells.of)
      widths[column] = Math.max(widths[column]!, node.width, node.label?.width ?? 0);
    let x = GAP.column / 2 + this.#channels.count(-1) * GAP.line + 10;
    for (const [i, width] of widths.entries()) {
      this.columns.push({ x, width });
      x += width + GAP.column + this.#channels.count(i) * GAP.line;
    }
  }

  #measureRows(): void {
    const sizes = this.cells.rows.map(() => ({ above: 20, below: 20 }));
    for (const [node, { row }] of this.cells.of) {
      const size = sizes[row]!;
      size.above = Math.max(size.above, node.height / 2);
      const outside = Math.max(node.label?.height ?? 0, node.attached.length > 0 ? EVENT / 2 : 0);
      size.below = Math.max(size.below, node.height / 2 + outside);
    }
    let y = this.#tracks.count(-1) > 0 ? 12 + this.#tracks.count(-1) * GAP.line : 0;
    for (const [i, { above, below }] of sizes.entries()) {
      const isFirst = this.cells.rows[i - 1] !== this.cells.rows[i];
      const top = y + (isFirst ? GAP.lane : 0);
      const bottom = top + above + below;
      this.rows.push({ y, middle: top + above, bottom });
      y = bottom + GAP.row + this.#tracks.count(i) * GAP.line;
    }
    this.height = y;
    const { x, width } = this.columns.at(-1)!;
    this.width = x + width + GAP.column + this.#channels.count(this.cells.columns - 1) * GAP.line;
  }

  /** The part of the height that a lane has. */
  laneBox(index: number): Bounds {
    const rows = this.rows.filter((_, i) => this.cells.rows[i] === index);
    const next = this.rows[this.cells.rows.lastIndexOf(index) + 1];
    const y = index === 0 ? 0 : rows[0]!.y;
    return { x: 0, y, width: this.width, height: (next?.y ?? this.height) - y };
  }

  get lanes(): readonly LaneTree[] {
    return this.graph.lanes;
  }
}

const right = ({ x, y, width, height }: Bounds): Point => ({ x: x + width, y: y + height / 2 });
const left = ({ x, y, height }: Bounds): Point => ({ x, y: y + height / 2 });
const straight =
  (source: GraphNode, target: GraphNode): Way =>
  (grid) => [right(grid.box(source)), left(grid.box(target))];

function addLaneBoxes(lanes: readonly LaneTree[], grid: Grid, boxes: Map<LaneTree['element'], Bounds>): void {
  for (const { element, index, lanes: inner } of lanes) {
    if (index !== -1) boxes.set(element, grid.laneBox(index));
    addLaneBoxes(inner, grid, boxes);
  }
}

/** @returns places of all nodes, edges and lanes, and of the events on borders */
export function layOutInGrid(graph: Graph): Content {
  const grid = new Grid(graph, cellsOf(graph));
  const content: Content = {
    boxes: new Map(),
    lines: new Map(),
    labels: new Map(),
    width: grid.width,
    height: grid.height,
  };
  addLaneBoxes(grid.lanes, grid, content.boxes);
  for (const node of graph.nodes) {
    const box = grid.box(node);
    content.boxes.set(node.element, box);
    for (const [i, event] of node.attached.entries())
      content.boxes.set(event, {
        x: box.x + eventOffset(node, i) - EVENT / 2,
        y: box.y + box.height - EVENT / 2,
        width: EVENT,
        height: EVENT,
      });
  }
  for (const [i, { element }] of graph.edges.entries()) content.lines.set(element, grid.ways[i]!(grid));
  return content;
}
