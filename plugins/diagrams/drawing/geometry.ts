/** Points and rectangles. */
import type { Point } from '../drawio/index.js';

export type { Point } from '../drawio/index.js';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const centre = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 });

/** Whether a point is in a box or on its edge. */
export const contains = (box: Box, { x, y }: Point): boolean =>
  x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;

/** A point turned around another one. @param degrees clockwise */
export function turned({ x, y }: Point, around: Point, degrees: number): Point {
  if (degrees === 0) return { x, y };
  const angle = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const [dx, dy] = [x - around.x, y - around.y];
  return { x: around.x + dx * cos - dy * sin, y: around.y + dx * sin + dy * cos };
}

/** The smallest box around a turned box. */
export function turnedBox(box: Box, degrees: number): Box {
  if (degrees === 0) return box;
  const middle = centre(box);
  const corners = [
    { x: box.x, y: box.y },
    { x: box.x + box.width, y: box.y },
    { x: box.x, y: box.y + box.height },
    { x: box.x + box.width, y: box.y + box.height },
  ].map((corner) => turned(corner, middle, degrees));
  return boxOf(corners)!;
}

/** The smallest box around points; undefined without any. */
export function boxOf(points: readonly Point[]): Box | undefined {
  if (points.length === 0) return undefined;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The smallest box around two. */
export function union(a: Box | undefined, b: Box): Box {
  if (!a) return { ...b };
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** Where the lines through a–b and c–d cross; undefined if they are parallel or the point is outside of c–d. */
export function crossing(a: Point, b: Point, c: Point, d: Point): Point | undefined {
  const divisor = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x);
  if (Math.abs(divisor) < 1e-9) return undefined;
  const share = ((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x)) / divisor;
  const point = { x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) };
  const box = boxOf([c, d])!;
  return contains({ x: box.x - 0.01, y: box.y - 0.01, width: box.width + 0.02, height: box.height + 0.02 }, point)
    ? point
    : undefined;
}

export const distance = (a: Point, b: Point): number => Math.hypot(b.x - a.x, b.y - a.y);
export const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));
