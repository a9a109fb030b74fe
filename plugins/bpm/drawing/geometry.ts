/** Points, boxes and lines of a drawing, in px. */
import { rounded } from '@lintel/sdk/drawing';

export interface Point {
  x: number;
  y: number;
}

export interface Bounds extends Point {
  width: number;
  height: number;
}

export const centerOf = ({ x, y, width, height }: Bounds): Point => ({ x: x + width / 2, y: y + height / 2 });

/** A box that is larger on each side, or smaller if `by` is negative; never smaller than nothing. */
export const grown = ({ x, y, width, height }: Bounds, by: number): Bounds => {
  const [inX, inY] = [Math.max(by, -width / 2), Math.max(by, -height / 2)];
  return { x: x - inX, y: y - inY, width: width + 2 * inX, height: height + 2 * inY };
};

/** The frame of a box as a closed line. */
export const cornersOf = ({ x, y, width, height }: Bounds): Point[] => [
  { x, y },
  { x: x + width, y },
  { x: x + width, y: y + height },
  { x, y: y + height },
  { x, y },
];

/** Whether a point is inside of a box, at least `depth` px from its border. */
export const isInside = (point: Point, box: Bounds, depth = 0): boolean =>
  point.x > box.x + depth &&
  point.x < box.x + box.width - depth &&
  point.y > box.y + depth &&
  point.y < box.y + box.height - depth;

/** Whether two boxes have an area in common. */
export const overlap = (a: Bounds, b: Bounds): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** The smallest box around others; undefined around nothing. */
export function boxAround(boxes: Iterable<Bounds>): Bounds | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return left === Infinity ? undefined : { x: left, y: top, width: right - left, height: bottom - top };
}

/** The box around a line. */
export const boxOfPoints = (points: readonly Point[]): Bounds =>
  boxAround(points.map(({ x, y }) => ({ x, y, width: 0, height: 0 }))) ?? { x: 0, y: 0, width: 0, height: 0 };

export const distance = (a: Point, b: Point): number => Math.hypot(b.x - a.x, b.y - a.y);

/** The point at a share of the way from one point to another. */
export const between = (a: Point, b: Point, share: number): Point => ({
  x: a.x + (b.x - a.x) * share,
  y: a.y + (b.y - a.y) * share,
});

/** The point at `length` px from `a` on the way to `b`; `b` where it is nearer. */
export function towards(a: Point, b: Point, length: number): Point {
  const whole = distance(a, b);
  return whole <= length || whole === 0 ? b : between(a, b, length / whole);
}

/** The middle of a line by its length, with the direction of its segment there. */
export function middleOf(points: readonly Point[]): { point: Point; from: Point; to: Point } {
  const lengths = points.slice(1).map((point, i) => distance(points[i]!, point));
  let rest = lengths.reduce((sum, length) => sum + length, 0) / 2;
  for (const [i, length] of lengths.entries()) {
    if (rest <= length)
      return {
        point: between(points[i]!, points[i + 1]!, length === 0 ? 0 : rest / length),
        from: points[i]!,
        to: points[i + 1]!,
      };
    rest -= length;
  }
  const last = points.at(-1) ?? { x: 0, y: 0 };
  return { point: last, from: points.at(-2) ?? last, to: last };
}

const pair = ({ x, y }: Point): string => `${rounded(x)} ${rounded(y)}`;

/** The path of a line whose bends are rounded. @param radius in px; less where a segment is short */
export function linePath(points: readonly Point[], radius = 5): string {
  const [first, ...others] = points;
  if (first === undefined) return '';
  let path = `M${pair(first)}`;
  for (const [i, point] of others.entries()) {
    const next = others[i + 1];
    if (next === undefined) return `${path}L${pair(point)}`;
    const before = points[i]!;
    const round = Math.min(radius, distance(before, point) / 2, distance(point, next) / 2);
    path +=
      round < 0.5
        ? `L${pair(point)}`
        : `L${pair(towards(point, before, round))}Q${pair(point)} ${pair(towards(point, next, round))}`;
  }
  return path;
}

/** The outline of a shape, for the place at which a line meets it. */
export type Outline = 'rectangle' | 'ellipse' | 'diamond';

/** The part, from 0 to 1, of the way from the centre of a box to `point` that is inside of the outline. */
function reach({ width, height }: Bounds, { x, y }: Point, outline: Outline): number {
  const [across, down] = [Math.abs(x) / (width / 2), Math.abs(y) / (height / 2)];
  if (outline === 'ellipse') return 1 / Math.hypot(across, down);
  return 1 / (outline === 'diamond' ? across + down : Math.max(across, down));
}

/** The last point, of a segment that begins outside of a shape and ends inside, that is not inside. */
export function entering(outside: Point, inside: Point, box: Bounds, outline: Outline): Point {
  const center = centerOf(box);
  const isIn = (point: Point): boolean => reach(box, { x: point.x - center.x, y: point.y - center.y }, outline) > 1;
  let [low, high] = [0, 1];
  // Thirty halves of the longest segment of a drawing are less than a hundredth of a px.
  for (let i = 0; i < 30; i++) {
    const share = (low + high) / 2;
    if (isIn(between(outside, inside, share))) high = share;
    else low = share;
  }
  return between(outside, inside, low);
}
