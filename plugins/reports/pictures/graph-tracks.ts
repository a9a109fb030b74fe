/** The layout of a large graph: nodes in rows and columns, with edges in the spaces between. */
import { gridOf, layersOfNodes, rowsFor, type NodeGrid } from './graph-grid.js';
import type { GraphLayout, PlacedEdge } from './graph-layout.js';
import type { SizedNode } from './graph-marks.js';
import { netsOf, type Nets, type Port, type Space, type Way } from './graph-nets.js';

interface Edge {
  from: string;
  to: string;
}
interface Shape {
  columns: number;
  isJoined: boolean;
}

/** Free space beside nodes, and between them where no line is. */
const [MARGIN, LEAST] = [9, 12];
/** The distance of lines, and the greatest space for all between two rows or columns: with more, they are closer. */
const [STEP, WIDEST] = [6, 72];
const MOST_COLUMNS = 40;
/** With this scale, texts are read without effort. */
const ENOUGH = 0.9;

const spaceFor = (lanes: number): number => (lanes === 0 ? LEAST : 2 * MARGIN + Math.min((lanes - 1) * STEP, WIDEST));

/**
 * The number of columns with the largest texts in a picture of a width and greatest height. An estimate: how much space
 * the lines need is known after they have been laid out.
 */
function shapeFor(
  nodes: readonly SizedNode[],
  layers: readonly (readonly number[])[],
  edges: number,
  [width, height]: readonly [number, number],
): Shape {
  const widest = nodes.reduce((most, node) => Math.max(most, node.width), 0);
  const mean = nodes.reduce((sum, node) => sum + node.height, 0) / nodes.length;
  let best: Shape & { score: number } = { columns: 1, isJoined: false, score: Number.NEGATIVE_INFINITY };
  for (let columns = 1; columns <= Math.min(nodes.length, MOST_COLUMNS); columns++)
    for (const isJoined of [false, true]) {
      const rows = rowsFor(layers, columns, isJoined);
      const wide = columns * (widest + spaceFor(edges / (columns + 1) / 6));
      const high = rows * (mean + 8 + spaceFor((2 * edges) / (rows + 1) / 4));
      // Larger texts than necessary would only make the picture higher.
      const scale = Math.min(ENOUGH, width / wide, height / high);
      const share = (high * Math.min(1, width / wide)) / height;
      // Layers below each other are read more easily than several in a row.
      const score = scale * (isJoined ? 0.85 : 1) - share * 0.1;
      if (score > best.score) best = { columns, isJoined, score };
    }
  return best;
}

/** Where the rows, or columns, and the lines between them are. */
class Axis {
  /** The first coordinate of each row or column. */
  readonly starts: number[] = [];
  readonly size: number;
  readonly #lines: { start: number; step: number }[] = [];

  /** @param sizes of the rows or columns @param spaces one more than these */
  constructor(
    readonly sizes: readonly number[],
    spaces: readonly Space[],
  ) {
    let at = 0;
    for (const [i, { lanes }] of spaces.entries()) {
      const isOuter = lanes === 0 && (i === 0 || i === spaces.length - 1);
      const room = isOuter ? 2 : spaceFor(lanes);
      const step = lanes > 1 ? Math.min(STEP, WIDEST / (lanes - 1)) : 0;
      // The lines are in the middle of their space.
      this.#lines.push({ start: at + (room - step * Math.max(lanes - 1, 0)) / 2, step });
      at += room;
      if (i < sizes.length) this.starts.push(at);
      at += sizes[i] ?? 0;
    }
    this.size = at;
  }

  line(space: number, lane: number): number {
    const { start, step } = this.#lines[space]!;
    return start + step * lane;
  }
}

/** The horizontal places of ports, spread over the width of their node in the order in which their edges go. */
function portPlaces(
  { ports, ways }: Nets,
  grid: NodeGrid,
  placeOf: (node: number) => { x: number; width: number },
): Map<Port, number> {
  const ends = new Map<Port, { sum: number; count: number }>(ports.map((port) => [port, { sum: 0, count: 0 }]));
  const add = (port: Port, other: Port): void => {
    const end = ends.get(port)!;
    end.sum += grid.cells[other.node]!.column;
    end.count += 1;
  };
  for (const way of ways) {
    if (!way) continue;
    add(way.start, way.end);
    add(way.end, way.start);
  }
  const sides = new Map<string, Port[]>();
  for (const port of ports) {
    const key = `${port.node} ${port.isBottom}`;
    const side = sides.get(key);
    if (side) side.push(port);
    else sides.set(key, [port]);
  }
  const mean = (port: Port): number => ends.get(port)!.sum / ends.get(port)!.count;
  const places = new Map<Port, number>();
  for (const side of sides.values()) {
    const { x, width } = placeOf(side[0]!.node);
    const sorted = side.toSorted((a, b) => mean(a) - mean(b) || a.net - b.net);
    // Lines into the row above and below do not lie on each other.
    const shift = side[0]!.isBottom ? 2.5 : -2.5;
    for (const [i, port] of sorted.entries()) places.set(port, x + (width * (i + 1)) / (sorted.length + 1) + shift);
  }
  const isAlone = ({ node, isBottom }: Port): boolean => sides.get(`${node} ${isBottom}`)!.length === 1;
  for (const way of ways) {
    if (!way || way.column || !isAlone(way.start) || !isAlone(way.end)) continue;
    const [from, to] = [way.start, way.end].map(({ node }) => grid.cells[node]!);
    if (from!.column !== to!.column || from!.row === to!.row) continue;
    // No other line ends between two such nodes: the edge is straight.
    for (const port of [way.start, way.end]) {
      const { x, width } = placeOf(port.node);
      places.set(port, x + width / 2);
    }
  }
  return places;
}

type Point = PlacedEdge['points'][number];

/** A line without the points that lie on the one before. */
const without = (points: readonly Point[]): Point[] =>
  points.filter(({ x, y }, i) => i === 0 || Math.abs(x - points[i - 1]!.x) + Math.abs(y - points[i - 1]!.y) > 0.01);

/**
 * Lays out a graph of any size without crossing a node with an edge.
 * @param size of the picture: its width, and the height that it should not exceed, in units of the layout
 */
export function layOutTracks(
  nodes: readonly SizedNode[],
  edges: readonly Edge[],
  size: readonly [width: number, height: number],
): GraphLayout {
  const layers = layersOfNodes(nodes, edges);
  const { columns, isJoined } = shapeFor(nodes, layers, edges.length, size);
  const grid = gridOf(nodes, edges, layers, columns, isJoined);
  const places = new Map(nodes.map(({ id }, place) => [id, place]));
  const ends = edges.map(({ from, to }) => [places.get(from)!, places.get(to)!] as const);
  const nets = netsOf(grid, ends);
  const largest = (count: number, side: 'row' | 'column', of: 'height' | 'width'): number[] => {
    const sizes = Array.from({ length: count }, () => 0);
    for (const [i, cell] of grid.cells.entries()) sizes[cell[side]] = Math.max(sizes[cell[side]]!, nodes[i]![of]);
    return sizes;
  };
  const across = new Axis(largest(columns, 'column', 'width'), nets.betweenColumns);
  const down = new Axis(largest(grid.rows, 'row', 'height'), nets.betweenRows);
  const placed = nodes.map((node, i) => {
    const { row, column } = grid.cells[i]!;
    const [x, y] = [across.starts[column]!, down.starts[row]!];
    return {
      node,
      x: x + (across.sizes[column]! - node.width) / 2,
      y: y + (down.sizes[row]! - node.height) / 2,
    };
  });
  const ports = portPlaces(nets, grid, (node) => ({ x: placed[node]!.x, width: nodes[node]!.width }));
  const pointOf = (port: Port): Point => {
    const { y, node } = placed[port.node]!;
    return { x: ports.get(port)!, y: port.isBottom ? y + node.height : y };
  };
  const pointsOf = ({ start, end, first, column, second, rows }: Way): Point[] => {
    const [from, to] = [pointOf(start), pointOf(end)];
    const [y, z] = [down.line(rows[0], first.lane), down.line(rows[1], second.lane)];
    const x = column && across.line(column.place, column.track.lane);
    const between =
      x === undefined
        ? []
        : [
            { x, y },
            { x, y: z },
          ];
    return without([from, { x: from.x, y }, ...between, { x: to.x, y: z }, to]);
  };
  // Numbered as they come, so that neighbouring nets differ in colour.
  const numbers = new Map<number, number>();
  for (const way of nets.ways) if (way && !numbers.has(way.start.net)) numbers.set(way.start.net, numbers.size);
  return {
    width: across.size,
    height: down.size,
    nodes: placed,
    edges: nets.ways.map((way, i) => ({
      points: way ? pointsOf(way) : loopAt(placed[ends[i]![0]]!),
      net: way && numbers.get(way.start.net),
      label: undefined,
    })),
  };
}

/** The line from a node to itself, at its right side. */
function loopAt({ x, y, node: { width, height } }: GraphLayout['nodes'][number]): Point[] {
  const [right, middle] = [x + width, y + height / 2];
  const out = right + LEAST - 4;
  return [
    { x: right, y: middle - 6 },
    { x: out, y: middle - 6 },
    { x: out, y: middle + 6 },
    { x: right, y: middle + 6 },
  ];
}
