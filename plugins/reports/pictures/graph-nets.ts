/** The edges of a large graph as nets: lines that run between the rows and between the columns of its nodes. */
import type { NodeGrid } from './graph-grid.js';

/** A part of a net in the space between two rows or columns. The bounds count rows and columns and what is between. */
export interface Track {
  net: number;
  /** The edge farthest to the left, or at the top. */
  from: number;
  to: number;
  /** Its place in the space, from 0. */
  lane: number;
}
/** The spaces between rows, or between columns: the one before the first is 0. */
export interface Space {
  tracks: Track[];
  lanes: number;
}
/** Where a net leaves or enters a node. */
export interface Port {
  node: number;
  isBottom: boolean;
  net: number;
}
/** The way of an edge through the spaces. */
export interface Way {
  start: Port;
  end: Port;
  first: Track;
  /** Undefined where both ends are at the same space between rows. */
  column: { place: number; track: Track } | undefined;
  second: Track;
  /** The spaces between rows in which it begins and ends. */
  rows: readonly [number, number];
}
export interface Nets {
  /** By edge; undefined for an edge from a node to itself. */
  ways: readonly (Way | undefined)[];
  betweenRows: readonly Space[];
  betweenColumns: readonly Space[];
  ports: readonly Port[];
}

/** A column with many lines is as bad as so many columns of detour. */
const LOAD = 0.12;

/** The place of a column, and of the space before it, in the order from left to right. */
const columnAt = (column: number): number => 2 * column + 1;
const spaceAt = (space: number): number => 2 * space;

/** Gives each track the first lane in which it touches no other one. */
function assignLanes(space: Space): void {
  const ends: number[] = [];
  for (const track of space.tracks.toSorted((a, b) => a.from - b.from || a.to - b.to || a.net - b.net)) {
    const free = ends.findIndex((end) => end < track.from);
    track.lane = free === -1 ? ends.length : free;
    ends[track.lane] = track.to;
  }
  space.lanes = ends.length;
}

/** Builds the nets edge by edge. */
class Router {
  readonly betweenRows: Space[];
  readonly betweenColumns: Space[];
  readonly ports = new Map<string, Port>();
  readonly #tracks = new Map<string, Track>();
  /** How many tracks a space between columns has beside each row. */
  readonly #loads: number[][];

  constructor(readonly grid: NodeGrid) {
    const space = (): Space => ({ tracks: [], lanes: 0 });
    this.betweenRows = Array.from({ length: grid.rows + 1 }, space);
    this.betweenColumns = Array.from({ length: grid.columns + 1 }, space);
    this.#loads = this.betweenColumns.map(() => Array.from({ length: grid.rows + 1 }, () => 0));
  }

  /** The track of a net in a space, extended to some places. */
  #track(space: Space, name: string, net: number, places: readonly number[]): Track {
    const key = `${name} ${net}`;
    let track = this.#tracks.get(key);
    if (!track) {
      track = { net, from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY, lane: 0 };
      this.#tracks.set(key, track);
      space.tracks.push(track);
    }
    track.from = Math.min(track.from, ...places);
    track.to = Math.max(track.to, ...places);
    return track;
  }

  #port(node: number, isBottom: boolean, net: number): Port {
    const key = `${node} ${isBottom} ${net}`;
    const port = this.ports.get(key) ?? { node, isBottom, net };
    this.ports.set(key, port);
    return port;
  }

  /** The space between columns with the least detour and the fewest lines. */
  #choose(net: number, [a, b]: readonly [number, number], [top, bottom]: readonly [number, number]): number {
    let best = { space: 0, cost: Number.POSITIVE_INFINITY };
    for (let space = Math.min(a, b); space <= Math.max(a, b) + 1; space++) {
      const own = this.#tracks.get(`column ${space} ${net}`);
      let load = 0;
      for (let row = top; row <= bottom; row++)
        if (!own || spaceAt(row) < own.from || spaceAt(row) > own.to)
          load = Math.max(load, this.#loads[space]![row]! + 1);
      const detour = Math.abs(spaceAt(space) - columnAt(a)) + Math.abs(spaceAt(space) - columnAt(b));
      const cost = detour / 2 + load * LOAD;
      if (cost < best.cost) best = { space, cost };
    }
    return best.space;
  }

  add(net: number, from: number, to: number): Way {
    const [a, b] = [this.grid.cells[from]!, this.grid.cells[to]!];
    const isDown = a.row <= b.row;
    const start = this.#port(from, isDown, net);
    // Within a row, an edge leaves and enters below it.
    const end = this.#port(to, a.row >= b.row, net);
    const rows = [isDown ? a.row + 1 : a.row, a.row >= b.row ? b.row + 1 : b.row] as const;
    const rowTrack = (row: number, places: readonly number[]): Track =>
      this.#track(this.betweenRows[row]!, `row ${row}`, net, places);
    if (rows[0] === rows[1]) {
      const track = rowTrack(rows[0], [columnAt(a.column), columnAt(b.column)]);
      return { start, end, first: track, column: undefined, second: track, rows };
    }
    const [top, bottom] = [Math.min(...rows), Math.max(...rows)];
    const place = this.#choose(net, [a.column, b.column], [top, bottom]);
    const before = this.#tracks.get(`column ${place} ${net}`);
    const covered = before ? [before.from / 2, before.to / 2] : [1, 0];
    const track = this.#track(this.betweenColumns[place]!, `column ${place}`, net, [spaceAt(top), spaceAt(bottom)]);
    for (let row = track.from / 2; row <= track.to / 2; row++)
      if (row < covered[0]! || row > covered[1]!) this.#loads[place]![row]! += 1;
    const first = rowTrack(rows[0], [columnAt(a.column), spaceAt(place)]);
    const second = rowTrack(rows[1], [spaceAt(place), columnAt(b.column)]);
    return { start, end, first, column: { place, track }, second, rows };
  }
}

/**
 * The ways of edges. Those with a common end, the one with more edges, are one net and share lines.
 * @param edges from and to are places of nodes
 */
export function netsOf(grid: NodeGrid, edges: readonly (readonly [from: number, to: number])[]): Nets {
  const [leaving, entering] = [grid.cells.map(() => 0), grid.cells.map(() => 0)];
  for (const [from, to] of edges) {
    leaving[from]! += 1;
    entering[to]! += 1;
  }
  const router = new Router(grid);
  const ways = edges.map(([from, to]) => {
    if (from === to) return undefined;
    // Nets of edges that leave a node are even, those of edges that enter one are odd: they share no line.
    const net = leaving[from]! >= entering[to]! ? 2 * from : 2 * to + 1;
    return router.add(net, from, to);
  });
  const { betweenRows, betweenColumns } = router;
  for (const space of [...betweenRows, ...betweenColumns]) assignLanes(space);
  return { ways, betweenRows, betweenColumns, ports: [...router.ports.values()] };
}
