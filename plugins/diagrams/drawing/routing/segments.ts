/**
 * Right-angled lines through waypoints: alternately horizontal and vertical parts, as `mxEdgeStyle.SegmentConnector` of mxGraph
 * 4.2.2 (https://github.com/jgraph/mxgraph, Apache-2.0, © JGraph Ltd) decides them.
 */
import { centre, contains, type Point } from '../geometry.js';
import type { Route, Terminal } from './terminals.js';

const snap = (hint: Point, to: Point | undefined): Point => ({
  x: to && Math.abs(hint.x - to.x) < 1 ? to.x : hint.x,
  y: to && Math.abs(hint.y - to.y) < 1 ? to.y : hint.y,
});

/** Whether a hint lies beside (`horizontal`) or above or below a shape, or on a level with a fixed end. */
function channels(hint: Point, fixed: Point | undefined, terminal: Terminal | undefined) {
  const box = terminal?.box;
  const alignedX = fixed !== undefined && fixed.x === hint.x;
  const alignedY = fixed !== undefined && fixed.y === hint.y;
  const inRows = !fixed && box !== undefined && hint.y >= box.y && hint.y <= box.y + box.height;
  const inColumns = !fixed && box !== undefined && hint.x >= box.x && hint.x <= box.x + box.width;
  return { alignedX, alignedY, horizontal: alignedY || inRows, vertical: alignedX || inColumns };
}

/** Whether the first part is horizontal, and the waypoints that remain. */
function orientation(route: Route, hints: Point[]): { horizontal: boolean; hints: Point[] } {
  let rest = hints;
  for (const isLast of [false, true]) {
    const hint = (isLast ? rest.at(-1) : hints[0]) ?? hints[0]!;
    const fixed = isLast ? route.end : route.start;
    const found = channels(hint, fixed, isLast ? route.target : route.source);
    const isUnclear = (found.horizontal && found.vertical) || (found.alignedX && found.alignedY);
    if ((isLast || !isUnclear) && (found.horizontal || found.vertical)) {
      if (!isLast) return { horizontal: found.horizontal, hints: rest };
      return { horizontal: rest.length % 2 === 0 ? found.horizontal : found.vertical, hints: rest };
    }
    if (found.alignedX && found.alignedY) rest = rest.slice(1);
  }
  return { horizontal: true, hints: rest };
}

const isOutside = (value: number, from: number, size: number): boolean => value < from || value > from + size;

/** Whether a bend between an end and the waypoint next to it is needed. */
function needsBend(
  horizontal: boolean,
  hint: Point,
  fixed: Point | undefined,
  terminal: Terminal | undefined,
): boolean {
  if (fixed) return horizontal ? fixed.y !== hint.y : fixed.x !== hint.x;
  if (!terminal) return false;
  const { x, y, width, height } = terminal.box;
  return horizontal ? isOutside(hint.y, y, height) : isOutside(hint.x, x, width);
}

/** Adds points; one less than 1 px from the one before it is left out. */
class Collected {
  readonly points: Point[] = [];

  /** @param last the end at which the line begins, if it is fixed */
  constructor(private last: Point | undefined) {}

  add({ x, y }: Point): void {
    const point = { x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 };
    const { last } = this;
    if (last && Math.abs(last.x - point.x) < 1 && Math.abs(last.y - point.y) < 1) return;
    this.points.push(point);
    this.last = point;
  }
}

/** The bends of a line through its waypoints. */
export function segments(route: Route): Point[] {
  const { start, end, source, target } = route;
  const at = start ? { ...start } : source ? centre(source.box) : { x: 0, y: 0 };
  const result = new Collected(start);
  let horizontal = true;
  let hint: Point = at;
  if (route.waypoints.length > 0) {
    const all = route.waypoints.map((point, i, { length }) => {
      const first = i === 0 ? snap(point, at) : point;
      return i === length - 1 ? snap(first, end) : first;
    });
    hint = all[0]!;
    const oriented = orientation(route, all);
    horizontal = oriented.horizontal;
    if (needsBend(horizontal, hint, start, source))
      result.add(horizontal ? { x: at.x, y: hint.y } : { x: hint.x, y: at.y });
    if (horizontal) at.y = hint.y;
    else at.x = hint.x;
    for (const one of oriented.hints) {
      horizontal = !horizontal;
      hint = one;
      if (horizontal) at.y = hint.y;
      else at.x = hint.x;
      result.add(at);
    }
  }
  const last = end ?? (target ? centre(target.box) : undefined);
  if (last && needsBend(horizontal, hint, end, target))
    result.add(horizontal ? { x: last.x, y: hint.y } : { x: hint.x, y: last.y });
  return trimmed(result.points, route);
}

/** Removes bends inside the shapes, and one at the end itself. */
function trimmed(points: Point[], { start, end, source, target }: Route): Point[] {
  const kept = [...points];
  if (!start && source) while (kept.length > 0 && contains(source.box, kept[0]!)) kept.shift();
  if (!end && target) while (kept.length > 0 && contains(target.box, kept.at(-1)!)) kept.pop();
  const last = kept.at(-1);
  if (end && last && Math.abs(end.x - last.x) <= 1 && Math.abs(end.y - last.y) <= 1) {
    kept.pop();
    const before = kept.at(-1);
    if (before) kept[kept.length - 1] = snap(before, end);
  }
  return kept;
}
