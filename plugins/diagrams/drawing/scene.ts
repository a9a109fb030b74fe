/** The cells of a page with their places: boxes of shapes and points of lines. */
import { geometryOf, type DrawioCell, type DrawioPage, type Geometry } from '../drawio/index.js';
import { boxOf, centre, distance, turned, type Box, type Point } from './geometry.js';
import { routeLine, type Terminal } from './routing/index.js';
import { CellStyle, type Theme } from './style.js';

/** A cell in the drawing. */
export interface Item {
  cell: DrawioCell;
  geometry: Geometry;
  style: CellStyle;
  parent: Item | undefined;
  children: Item[];
  /** The cell or one around it is invisible, or in a collapsed one. */
  isHidden: boolean;
  /** Where the coordinates of its children begin. */
  origin: Point;
  /** Of a shape, before it is turned; of a line, around its points. */
  box: Box;
  /** Of a line that is drawn. */
  points: Point[] | undefined;
  isPlaced: boolean;
}

/** Cells inside each other; deeper ones are drawn as children of the last. */
const MAX_DEPTH = 200;
/** Lines that end at lines need several rounds. */
const MAX_ROUNDS = 12;

const NOWHERE: Box = { x: 0, y: 0, width: 0, height: 0 };

const newItem = (cell: DrawioCell, theme: Theme): Item => ({
  cell,
  geometry: geometryOf(cell),
  style: new CellStyle(cell, theme),
  parent: undefined,
  children: [],
  isHidden: false,
  origin: { x: 0, y: 0 },
  box: NOWHERE,
  points: undefined,
  isPlaced: false,
});

/** Connects cells with their parents. Cells whose parents form a circle are not part of the drawing, as in draw.io. */
function treeOf(page: DrawioPage, theme: Theme): { order: Item[]; byId: Map<string, Item> } {
  const items = page.cells.map((cell) => newItem(cell, theme));
  const byId = new Map(items.map((item) => [item.cell.id, item]));
  const roots: Item[] = [];
  for (const item of items) {
    const parent = item.cell.parent === undefined ? undefined : byId.get(item.cell.parent);
    if (parent && parent !== item) {
      item.parent = parent;
      parent.children.push(item);
    } else roots.push(item);
  }
  const order: Item[] = [];
  const open = roots.reverse().map((item) => ({ item, depth: 0 }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { item, depth } = next;
    order.push(item);
    const { parent, cell } = item;
    if (parent) item.style.within(parent.style);
    const isFolded = parent !== undefined && parent.cell.attributes.get('collapsed') === '1';
    item.isHidden =
      cell.attributes.get('visible') === '0' || (parent?.isHidden ?? false) || isFolded || depth > MAX_DEPTH;
    for (const child of item.children.toReversed()) open.push({ item: child, depth: depth + 1 });
  }
  // A walk from a cell to its parents ends: what a circle of parents contains is not found.
  return { order, byId: new Map(order.map((item) => [item.cell.id, item])) };
}

/** The point of a line for a label. @param geometry x from -1 (source) to 1 (target), y px to its side */
export function pointOnLine(points: readonly Point[], { x, y, offset, relative }: Geometry): Point {
  const box = boxOf(points)!;
  if (!relative) {
    const [first, last] = [points[0]!, points.at(-1)!];
    return { x: (first.x + last.x) / 2 + (offset?.x ?? 0), y: (first.y + last.y) / 2 + (offset?.y ?? 0) };
  }
  const lengths = points.slice(1).map((point, i) => distance(points[i]!, point));
  const whole = lengths.reduce((sum, one) => sum + one, 0);
  const wanted = Math.round((x / 2 + 0.5) * whole);
  let [at, passed] = [0, 0];
  while (at < lengths.length - 1 && wanted >= Math.round(passed + lengths[at]!)) passed += lengths[at++]!;
  const [from, to, length] = [points[at], points[at + 1], lengths[at] ?? 0];
  if (!from || !to) return centre(box);
  const share = length === 0 ? 0 : (wanted - passed) / length;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const [nx, ny] = length === 0 ? [0, 0] : [dy / length, dx / length];
  return { x: from.x + dx * share + nx * y + (offset?.x ?? 0), y: from.y + dy * share - ny * y + (offset?.y ?? 0) };
}

function placeShape(item: Item): void {
  const { geometry, parent } = item;
  const base = parent?.origin ?? { x: 0, y: 0 };
  const { x, y, width, height, relative, offset = { x: 0, y: 0 } } = geometry;
  let at = { x: base.x + x, y: base.y + y };
  if (relative && parent?.points) at = pointOnLine(parent.points, geometry);
  else if (relative && parent?.cell.vertex) {
    at = { x: base.x + x * parent.box.width + offset.x, y: base.y + y * parent.box.height + offset.y };
    const middle = turned({ x: at.x + width / 2, y: at.y + height / 2 }, centre(parent.box), parent.style.rotation);
    item.box = { x: middle.x - width / 2, y: middle.y - height / 2, width, height };
  }
  item.origin = at;
  if (!(relative && parent?.cell.vertex)) item.box = { ...at, width, height };
}

/**
 * The shape of a cell, or the nearest around it that is not hidden. Each cell is visited once by all calls for a page, because
 * thousands of cells may be inside each other.
 * @returns undefined where none of them is visible
 */
function visible(item: Item, known: Map<Item, Item | undefined>): Item | undefined {
  const way: Item[] = [];
  let at: Item | undefined = item;
  while (at?.isHidden && !known.has(at)) {
    way.push(at);
    at = at.parent;
  }
  const found = at && known.has(at) ? known.get(at) : at;
  for (const one of way) known.set(one, found);
  return found && (found.cell.vertex || found.cell.edge) ? found : undefined;
}

const terminals = new WeakMap<Item, Terminal>();

/** One object for each item: routers compare the ends of loops. */
function terminalOf(item: Item): Terminal {
  let terminal = terminals.get(item);
  if (!terminal) {
    const { x, y } = centre(item.box);
    const isPoint = item.style.is('snapToPoint');
    terminal = { box: isPoint ? { x, y, width: 0, height: 0 } : item.box, style: item.style, isEdge: item.cell.edge };
    terminals.set(item, terminal);
  }
  return terminal;
}

/** @returns whether the line has its final place */
function placeLine(
  item: Item,
  byId: ReadonlyMap<string, Item>,
  shownFor: Map<Item, Item | undefined>,
  isLast: boolean,
): boolean {
  const { cell, geometry, parent, style } = item;
  const origin = parent?.origin ?? { x: 0, y: 0 };
  item.origin = origin;
  const end = (id: string | undefined): Item | undefined | 'hidden' | 'pending' => {
    const found = id === undefined ? undefined : byId.get(id);
    if (!found) return undefined;
    const shown = visible(found, shownFor);
    if (!shown) return 'hidden';
    return shown.isPlaced ? shown : 'pending';
  };
  const [source, target] = [end(cell.source), end(cell.target)];
  if ((source === 'pending' || target === 'pending') && !isLast) return false;
  if (source === 'hidden' || target === 'hidden' || source === 'pending' || target === 'pending') return true;
  const moved = (point: Point): Point => ({ x: point.x + origin.x, y: point.y + origin.y });
  item.points = routeLine({
    source: source && terminalOf(source),
    target: target && terminalOf(target),
    sourcePoint: geometry.sourcePoint && moved(geometry.sourcePoint),
    targetPoint: geometry.targetPoint && moved(geometry.targetPoint),
    waypoints: geometry.points.map(moved),
    style,
  });
  const box = item.points && boxOf(item.points);
  if (box) item.box = box;
  else item.points = undefined;
  return true;
}

/** Places all cells of a page. @returns them in the order of drawing */
export function sceneOf(page: DrawioPage, theme: Theme): Item[] {
  const { order, byId } = treeOf(page, theme);
  const shownFor = new Map<Item, Item | undefined>();
  let open = order;
  for (let round = 0; round < MAX_ROUNDS && open.length > 0; round++) {
    const isLast = round === MAX_ROUNDS - 1;
    open = open.filter((item) => {
      const { parent, cell } = item;
      if (parent && !parent.isPlaced && !isLast) return true;
      if (cell.edge) item.isPlaced = placeLine(item, byId, shownFor, isLast);
      else {
        placeShape(item);
        item.isPlaced = true;
      }
      return !item.isPlaced;
    });
  }
  return order;
}
