/** Lines with one bend or two: elbows, relations of entities, loops and isometric lines, as in mxGraph's `mxEdgeStyle`. */
import { centre, contains, type Box, type Point } from '../geometry.js';
import { EAST, sidesOf, WEST, type Route, type Terminal } from './terminals.js';

const pointBox = ({ x, y }: Point): Box => ({ x, y, width: 0, height: 0 });
const boxOf = (fixed: Point | undefined, terminal: Terminal | undefined): Box | undefined =>
  fixed ? pointBox(fixed) : terminal?.box;

const right = ({ x, width }: Box): number => x + width;
const bottom = ({ y, height }: Box): number => y + height;

/** A vertical part between two horizontal ones. */
function sideToSide(a: Box, b: Box, hint: Point | undefined): Point[] {
  const [l, r] = [Math.max(a.x, b.x), Math.min(right(a), right(b))];
  const x = hint ? hint.x : Math.round(r + (l - r) / 2);
  const inRows = (box: Box): boolean => hint !== undefined && hint.y >= box.y && hint.y <= bottom(box);
  const y1 = inRows(a) ? hint!.y : centre(a).y;
  const y2 = inRows(b) ? hint!.y : centre(b).y;
  const isFree = (point: Point): boolean => !contains(a, point) && !contains(b, point);
  const points = [
    { x, y: y1 },
    { x, y: y2 },
  ].filter(isFree);
  if (points.length > 0) return points;
  if (hint) return isFree({ x, y: hint.y }) ? [{ x, y: hint.y }] : [];
  const [t, u] = [Math.max(a.y, b.y), Math.min(bottom(a), bottom(b))];
  return [{ x, y: t + (u - t) / 2 }];
}

const transposed = ({ x, y, width, height }: Box): Box => ({ x: y, y: x, width: height, height: width });
const swapped = ({ x, y }: Point): Point => ({ x: y, y: x });

/** A line with two bends, beside or below each other by the style `elbow`, the places of the shapes and the waypoint. */
export function elbow({ start, end, source, target, waypoints, style }: Route): Point[] {
  const [hint] = waypoints;
  const [a, b] = [boxOf(start, source), boxOf(end, target)];
  if (!a || !b) return [];
  let [vertical, horizontal] = [false, false];
  if (source && target) {
    const [s, t] = [source.box, target.box];
    if (hint) {
      vertical = hint.y < Math.min(s.y, t.y) || hint.y > Math.max(bottom(s), bottom(t));
      horizontal = hint.x < Math.min(s.x, t.x) || hint.x > Math.max(right(s), right(t));
    } else {
      vertical = Math.max(s.x, t.x) === Math.min(right(s), right(t));
      horizontal = !vertical && Math.max(s.y, t.y) === Math.min(bottom(s), bottom(t));
    }
  }
  if (horizontal || !(vertical || style.get('elbow') === 'vertical')) return sideToSide(a, b, hint);
  return sideToSide(transposed(a), transposed(b), hint && swapped(hint)).map(swapped);
}

/** A line that leaves and meets tables of an entity relationship model at their left or right side. */
export function entityRelation({ start, end, source, target, style }: Route): Point[] {
  const length = style.number('segment', 30, 2_000);
  const [a, b] = [boxOf(start, source), boxOf(end, target)];
  if (!a || !b) return [];
  const sideOf = (
    terminal: Terminal | undefined,
    fixed: Point | undefined,
    isSource: boolean,
    left: boolean,
  ): boolean => {
    if (fixed || !terminal) return left;
    const sides = sidesOf(terminal, style, isSource, 0);
    return sides === 0 || sides === WEST + EAST ? left : sides === WEST;
  };
  const relative = (terminal: Terminal | undefined, fixed: Point | undefined): boolean | undefined =>
    terminal && fixed && terminal.box.width > 0
      ? fixed.x <= terminal.box.x + 1
        ? true
        : fixed.x >= right(terminal.box) - 1
          ? false
          : undefined
      : undefined;
  const isSourceLeft = sideOf(source, start, true, relative(source, start) ?? (source !== undefined && right(b) < a.x));
  const isTargetLeft = sideOf(
    target,
    end,
    false,
    relative(target, end) ?? !(target !== undefined && source !== undefined && right(a) >= b.x),
  );
  const [x0, y0] = [isSourceLeft ? a.x : right(a), centre(a).y];
  const [xe, ye] = [isTargetLeft ? b.x : right(b), centre(b).y];
  const leave = { x: x0 + (isSourceLeft ? -length : length), y: y0 };
  const arrive = { x: xe + (isTargetLeft ? -length : length), y: ye };
  if (isSourceLeft === isTargetLeft) {
    const x = isSourceLeft ? Math.min(x0, xe) - length : Math.max(x0, xe) + length;
    return [
      { x, y: y0 },
      { x, y: ye },
    ];
  }
  if (leave.x < arrive.x !== isSourceLeft) return [leave, arrive];
  const y = y0 + (ye - y0) / 2;
  return [leave, { x: leave.x, y }, { x: arrive.x, y }, arrive];
}

/** A line from a shape to itself. */
export function loop({ start, end, source, waypoints, style }: Route): Point[] {
  if (!source) return [];
  if (start && end) return [...waypoints];
  const { box } = source;
  const [given] = waypoints;
  const hint = given && !contains(box, given) ? given : undefined;
  const length = style.number('segment', 10, 2_000);
  const direction = style.get('direction') ?? 'west';
  const isVertical = direction === 'north' || direction === 'south';
  const middle = centre(box);
  let [x, y, dx, dy] = isVertical ? [middle.x, 0, length, 0] : [0, middle.y, 0, length];
  if (hint && (hint.x < box.x || hint.x > right(box))) {
    x = hint.x;
    dy = Math.max(Math.abs((isVertical ? hint.y : y) - hint.y), dy);
    y = isVertical ? hint.y : y;
  } else if (hint) {
    x = middle.x;
    dx = Math.max(Math.abs(x - hint.x), dy);
    y = hint.y;
    dy = 0;
  } else if (direction === 'north') y = box.y - 2 * dx;
  else if (direction === 'south') y = bottom(box) + 2 * dx;
  else if (direction === 'east') x = box.x - 2 * dy;
  else x = right(box) + 2 * dy;
  return [
    { x: x - dx, y: y - dy },
    { x: x + dx, y: y + dy },
  ];
}

/** The slope of isometric lines: 30°. */
const SLOPE = Math.tan(Math.PI / 6);

/** A bend between two points where one line rises and the other falls by 30°, or one is vertical. */
function isometricBend(a: Point, b: Point, isVertical: boolean): Point[] {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const sign = Math.sign(dy || 1) * Math.sign(dx || 1);
  if (isVertical || Math.abs(dy) > Math.abs(dx) * SLOPE) {
    const y = b.y - Math.sign(dy || 1) * Math.abs(dx) * SLOPE;
    return dx === 0 ? [] : [{ x: a.x, y }];
  }
  // x where the line from a with one slope meets the line into b with the other.
  const x = (dy / (SLOPE * sign) + a.x + b.x) / 2;
  return [{ x, y: a.y + (x - a.x) * SLOPE * sign }];
}

/** A line along the axes of an isometric drawing. */
export function isometric({ start, end, source, target, waypoints, style }: Route): Point[] {
  const first = start ?? (source && centre(source.box));
  const last = end ?? (target && centre(target.box));
  if (!first || !last) return [...waypoints];
  const points = [first, ...waypoints, last];
  const isVertical = style.get('elbow') === 'vertical';
  return points.slice(0, -1).flatMap((point, i) => {
    const next = points[i + 1]!;
    const bends = isometricBend(point, next, isVertical);
    return i === points.length - 2 ? bends : [...bends, next];
  });
}
