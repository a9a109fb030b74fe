/** Where a line ends at the outline of a shape. */
import { centre, contains, crossing, distance, turned, type Box, type Point } from './geometry.js';
import { sizeOf } from './shapes/shape.js';
import type { CellStyle } from './style.js';

const corners = ({ x, y, width, height }: Box, shares: readonly (readonly [number, number])[]): Point[] =>
  shares.map(([a, b]) => ({ x: x + a * width, y: y + b * height }));

/** Outlines of shapes that are polygons, in shares of the box, by the style `perimeter`. */
function outlineOf(name: string, box: Box, style: CellStyle): Point[] | undefined {
  const share = (otherwise: number, fixed: number): number =>
    box.width === 0 ? 0 : sizeOf(style, box.width, otherwise, fixed) / box.width;
  switch (name) {
    case 'rhombusPerimeter':
      return corners(box, [
        [0.5, 0],
        [1, 0.5],
        [0.5, 1],
        [0, 0.5],
      ]);
    case 'trianglePerimeter':
      return corners(box, [
        [0, 0],
        [1, 0.5],
        [0, 1],
      ]);
    case 'hexagonPerimeter':
    case 'hexagonPerimeter2': {
      const s = Math.min(0.5, share(0.25, 20));
      return corners(box, [
        [s, 0],
        [1 - s, 0],
        [1, 0.5],
        [1 - s, 1],
        [s, 1],
        [0, 0.5],
      ]);
    }
    case 'parallelogramPerimeter': {
      const s = share(0.2, 20);
      return corners(box, [
        [0, 1],
        [s, 0],
        [1, 0],
        [1 - s, 1],
      ]);
    }
    case 'trapezoidPerimeter': {
      const s = Math.min(0.5, share(0.2, 20));
      return corners(box, [
        [0, 1],
        [s, 0],
        [1 - s, 0],
        [1, 1],
      ]);
    }
    case 'stepPerimeter': {
      const s = share(0.2, 20);
      return corners(box, [
        [0, 0],
        [1 - s, 0],
        [1, 0.5],
        [1 - s, 1],
        [0, 1],
        [s, 0.5],
      ]);
    }
    case 'calloutPerimeter': {
      const tail = box.height === 0 ? 0 : Math.min(1, style.number('size', 30) / box.height);
      return corners(box, [
        [0, 0],
        [1, 0],
        [1, 1 - tail],
        [0, 1 - tail],
      ]);
    }
    default:
      return undefined;
  }
}

const TURNS: Record<string, number> = { south: 90, west: 180, north: 270 };

/** The outline of a polygon, turned by the style `direction`. */
function polygonOf(name: string, box: Box, style: CellStyle): Point[] | undefined {
  const turn = TURNS[style.get('direction') ?? ''] ?? 0;
  const middle = centre(box);
  const isAcross = turn === 90 || turn === 270;
  const own = isAcross
    ? { x: middle.x - box.height / 2, y: middle.y - box.width / 2, width: box.height, height: box.width }
    : box;
  return outlineOf(name, own, style)?.map((point) => turned(point, middle, turn));
}

/** The point of a box's middle lines at which a line from `next` aims: right-angled lines keep their direction. */
function aimOf(box: Box, next: Point, isOrthogonal: boolean): Point {
  const middle = centre(box);
  if (!isOrthogonal) return middle;
  if (next.x >= box.x && next.x <= box.x + box.width) return { x: next.x, y: middle.y };
  if (next.y >= box.y && next.y <= box.y + box.height) return { x: middle.x, y: next.y };
  return middle;
}

function onPolygon(points: readonly Point[], box: Box, next: Point, isOrthogonal: boolean): Point | undefined {
  const aims = [aimOf(box, next, isOrthogonal), centre(box)];
  for (const aim of aims) {
    const found = points.flatMap((point, i) => crossing(next, aim, point, points[(i + 1) % points.length]!) ?? []);
    found.sort((a, b) => distance(a, next) - distance(b, next));
    if (found[0]) return found[0];
  }
  return undefined;
}

function onEllipse(box: Box, next: Point, isOrthogonal: boolean): Point {
  const middle = centre(box);
  const [a, b] = [box.width / 2, box.height / 2];
  if (a === 0 || b === 0) return middle;
  const aim = aimOf(box, next, isOrthogonal);
  const [dx, dy] = [next.x - middle.x, next.y - middle.y];
  if (isOrthogonal && aim.x === next.x && dy !== 0)
    return { x: next.x, y: middle.y + Math.sign(dy) * b * Math.sqrt(Math.max(0, 1 - (dx / a) ** 2)) };
  if (isOrthogonal && aim.y === next.y && dx !== 0)
    return { x: middle.x + Math.sign(dx) * a * Math.sqrt(Math.max(0, 1 - (dy / b) ** 2)), y: next.y };
  const length = Math.hypot(dx / a, dy / b);
  return length === 0 ? next : { x: middle.x + dx / length, y: middle.y + dy / length };
}

function onRectangle(box: Box, next: Point, isOrthogonal: boolean): Point {
  const middle = centre(box);
  const [dx, dy] = [next.x - middle.x, next.y - middle.y];
  const [right, bottom] = [box.x + box.width, box.y + box.height];
  const factor = Math.min(
    dx === 0 ? Infinity : box.width / 2 / Math.abs(dx),
    dy === 0 ? Infinity : box.height / 2 / Math.abs(dy),
  );
  const point = Number.isFinite(factor)
    ? { x: middle.x + dx * factor, y: middle.y + dy * factor }
    : { x: right, y: middle.y };
  if (!isOrthogonal) return point;
  if (next.x >= box.x && next.x <= right) point.x = next.x;
  else if (next.y >= box.y && next.y <= bottom) point.y = next.y;
  if (next.x < box.x) point.x = box.x;
  else if (next.x > right) point.x = right;
  if (next.y < box.y) point.y = box.y;
  else if (next.y > bottom) point.y = bottom;
  return point;
}

/** A life line is met on its dashed line, below the head. */
function onLifeline(box: Box, next: Point, style: CellStyle): Point {
  const size = style.number('size', 40);
  const x = box.x + box.width / 2;
  if (next.y > box.y + Math.min(size, box.height)) return { x, y: Math.min(next.y, box.y + box.height) };
  return onRectangle({ ...box, height: Math.min(size, box.height) }, next, true);
}

/**
 * Where a line from `next` meets the outline of a shape.
 * @param spacing px between the outline and the end of the line
 */
export function perimeterPoint(shape: Box, next: Point, style: CellStyle, isOrthogonal: boolean, spacing = 0): Point {
  const grown = spacing + style.number('perimeterSpacing', 0, 1_000);
  const box = {
    x: shape.x - grown,
    y: shape.y - grown,
    width: shape.width + 2 * grown,
    height: shape.height + 2 * grown,
  };
  const name = style.get('perimeter') ?? 'none';
  const middle = centre(box);
  const mirror = (point: Point): Point => ({
    x: style.is('flipH') ? 2 * middle.x - point.x : point.x,
    y: style.is('flipV') ? 2 * middle.y - point.y : point.y,
  });
  if (name === 'none' || name === 'centerPerimeter' || (box.width <= 0 && box.height <= 0)) return middle;
  const from = mirror(next);
  if (name === 'lifelinePerimeter') return mirror(onLifeline(box, from, style));
  if (name === 'backbonePerimeter') return mirror(onBackbone(box, from));
  if (name === 'ellipsePerimeter') return mirror(onEllipse(box, from, isOrthogonal));
  const outline = polygonOf(name, box, style);
  const isInside = outline === undefined && !isOrthogonal && contains(box, from) && distance(from, middle) < 0.01;
  if (isInside) return middle;
  const met = outline && onPolygon(outline, box, from, isOrthogonal);
  return mirror(met ?? onRectangle(box, from, isOrthogonal));
}

/** A bar is met at its middle line. */
function onBackbone(box: Box, next: Point): Point {
  const middle = centre(box);
  if (box.width > box.height) return { x: Math.max(box.x, Math.min(box.x + box.width, next.x)), y: middle.y };
  return { x: middle.x, y: Math.max(box.y, Math.min(box.y + box.height, next.y)) };
}
