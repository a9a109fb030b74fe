/** Places at which a line jumps over those drawn before it (`jumpStyle`). */
import { distance, type Point } from './geometry.js';
import type { Pen } from './pen.js';
import type { CellStyle } from './style.js';

/** A straight part of a line. */
export type Part = readonly [Point, Point];

/** Parts that are compared: each part of a line with all before it. */
const MAX_PARTS = 4_000;

/** Straight parts of lines that were drawn, and the places where a new line crosses them. */
export class DrawnParts {
  private readonly parts: Part[] = [];

  add(points: readonly Point[]): void {
    for (let i = 1; i < points.length && this.parts.length < MAX_PARTS; i++)
      this.parts.push([points[i - 1]!, points[i]!]);
  }

  /** For each part of a line the distances from its begin at which it crosses others. */
  crossings(points: readonly Point[]): number[][] {
    return points.slice(1).map((to, i) => {
      const from = points[i]!;
      return this.parts.flatMap((part) => crossingAt(from, to, part) ?? []).sort((a, b) => a - b);
    });
  }
}

/** Where a part crosses another one inside of both, as the distance from its begin. */
function crossingAt(from: Point, to: Point, [a, b]: Part): number | undefined {
  const divisor = (to.x - from.x) * (b.y - a.y) - (to.y - from.y) * (b.x - a.x);
  if (Math.abs(divisor) < 1e-6) return undefined;
  const own = ((a.x - from.x) * (b.y - a.y) - (a.y - from.y) * (b.x - a.x)) / divisor;
  const other = ((a.x - from.x) * (to.y - from.y) - (a.y - from.y) * (to.x - from.x)) / divisor;
  return own > 0 && own < 1 && other > 0 && other < 1 ? own * distance(from, to) : undefined;
}

/** Whether a line jumps. */
export const isJumping = (style: CellStyle): boolean => /^(arc|gap|sharp|line)$/.test(style.get('jumpStyle') ?? '');

/** One jump. @param u direction of the line */
function jump(pen: Pen, kind: string, at: Point, u: Point, size: number): void {
  const place = (along: number, up: number): Point => ({
    x: at.x + u.x * along + u.y * up,
    y: at.y + u.y * along - u.x * up,
  });
  const [begin, end] = [place(-size, 0), place(size, 0)];
  pen.line(begin.x, begin.y);
  if (kind === 'arc') pen.arc(size, size, 0, false, u.x > 0 || (u.x === 0 && u.y > 0), end.x, end.y);
  else if (kind === 'sharp') {
    const top = place(0, size);
    pen.line(top.x, top.y).line(end.x, end.y);
  } else if (kind === 'line') {
    for (const along of [-size, size]) {
      const [low, high] = [place(along, -size), place(along, size)];
      pen.move(low.x, low.y).line(high.x, high.y);
    }
    pen.move(end.x, end.y);
  } else pen.move(end.x, end.y);
}

/** Draws a line with jumps. @param radius of its corners @param crossings of its parts, see `DrawnParts` */
export function jumpingLine(
  pen: Pen,
  points: readonly Point[],
  radius: number,
  crossings: readonly number[][],
  style: CellStyle,
): void {
  const size = Math.max(1, style.number('jumpSize', 6, 100)) / 2 + style.strokeWidth;
  const kind = style.get('jumpStyle')!;
  const [first] = points;
  pen.begin().move(first!.x, first!.y);
  for (let i = 1; i < points.length; i++) {
    const [from, to, next] = [points[i - 1]!, points[i]!, points[i + 1]];
    const length = distance(from, to) || 1;
    const u = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
    const bend = next ? Math.min(radius, length / 2, distance(to, next) / 2) : 0;
    let reached = i === 1 ? 0 : Math.min(radius, length / 2);
    for (const along of crossings[i - 1] ?? []) {
      if (along - size <= reached || along + size >= length - bend) continue;
      jump(pen, kind, { x: from.x + u.x * along, y: from.y + u.y * along }, u, size);
      reached = along + size;
    }
    pen.line(to.x - u.x * bend, to.y - u.y * bend);
    if (!next || bend === 0) continue;
    const rest = distance(to, next) || 1;
    pen.quad(to.x, to.y, to.x + ((next.x - to.x) / rest) * bend, to.y + ((next.y - to.y) / rest) * bend);
  }
  pen.stroke();
}
