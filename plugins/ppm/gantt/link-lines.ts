/**
 * The lines of dependencies, with right angles: from the end of one mark to that of another. Horizontal parts run between
 * rows, where no labels are; vertical parts where they cross the fewest labels and bars.
 */
import type { GanttLink, Mark } from './chart.js';

type Point = readonly [x: number, y: number];
/** A line and the direction of its arrow head. */
export interface Route {
  points: readonly Point[];
  arrow: 'right' | 'left' | 'down' | 'up';
}

/** Distance of a line from the ends of bars. */
const STUB = 5;
/** Rows that are looked at for labels and bars in the way. */
const LOOKED_AT = 60;

/** The marks of the rows, and their heights. */
export interface Lanes {
  marks: readonly Mark[];
  isMilestone: readonly boolean[];
  /** Upper edge of a row; of the number of rows, the lower edge of the last one. */
  top(row: number): number;
}

/** @param link of two different rows */
export function routeOf({ from, to, type }: Pick<GanttLink, 'from' | 'to' | 'type'>, lanes: Lanes): Route {
  const isDown = to > from;
  /** Between the row and the next one on the way to the other. */
  const gutter = (row: number, towards: boolean): number => lanes.top(towards ? row + 1 : row);
  const [source, target] = [lanes.marks[from]!, lanes.marks[to]!];
  const exit = exitOf(source, type.startsWith('F'), lanes.isMilestone[from]!, isDown);
  const [first, last] = [gutter(from, isDown), gutter(to, !isDown)];
  const entry = entryOf(target, type, lanes.isMilestone[to]!, exit.x, isDown);
  const isFree = exit.isSide && (entry.isSide || Math.abs(exit.x - entry.x) < 0.5);
  // One vertical line is enough where it can be in the same place for both ends.
  if (isFree && (entry.isSide ? sharedSide(exit, entry) : true)) {
    const x = entry.isSide ? (exit.sign > 0 ? Math.max(exit.x, entry.x) : Math.min(exit.x, entry.x)) : exit.x;
    if (crossed(x, from, to, lanes) === 0)
      return { points: tidy([...exit.points.slice(0, 1), [x, exit.y], [x, entry.y], entry.end]), arrow: entry.arrow };
  }
  const atTarget: Point[] = [
    [exit.x, first],
    [entry.x, first],
  ];
  const atSource: Point[] = [
    [exit.x, last],
    [entry.x, last],
  ];
  const isBetter = crossed(exit.x, from, to, lanes) < crossed(entry.x, from, to, lanes);
  const middle = isBetter ? atSource : atTarget;
  return { points: tidy([...exit.points, ...middle, [entry.x, entry.y], entry.end]), arrow: entry.arrow };
}

interface Exit {
  points: Point[];
  /** Where the vertical part may begin. */
  x: number;
  y: number;
  /** Whether it leaves the mark at its left or right end. */
  isSide: boolean;
  /** 1 to the right, −1 to the left. */
  sign: number;
}

function exitOf(mark: Mark, isFinish: boolean, isMilestone: boolean, isDown: boolean): Exit {
  const vertical = mark.y + (isDown ? mark.half : -mark.half);
  const middle = (mark.x1 + mark.x2) / 2;
  if (isMilestone) return { points: [[middle, vertical]], x: middle, y: vertical, isSide: false, sign: 1 };
  if (isFinish && mark.label) {
    const x = Math.max(mark.x2 - 3, middle);
    return { points: [[x, vertical]], x, y: vertical, isSide: false, sign: 1 };
  }
  const sign = isFinish ? 1 : -1;
  const end = isFinish ? mark.x2 : mark.x1;
  const x = end + sign * STUB;
  return {
    points: [
      [end, mark.y],
      [x, mark.y],
    ],
    x,
    y: mark.y,
    isSide: true,
    sign,
  };
}

interface Entry {
  /** Where the vertical part ends. */
  x: number;
  y: number;
  end: Point;
  arrow: Route['arrow'];
  isSide: boolean;
  sign: number;
}

function entryOf(mark: Mark, type: GanttLink['type'], isMilestone: boolean, from: number, isDown: boolean): Entry {
  const edge = mark.y + (isDown ? -mark.half : mark.half);
  const fromAbove = (x: number): Entry => ({
    x,
    y: edge,
    end: [x, edge],
    arrow: isDown ? 'down' : 'up',
    isSide: false,
    sign: 0,
  });
  const middle = (mark.x1 + mark.x2) / 2;
  if (isMilestone) return fromAbove(middle);
  if (type.endsWith('F')) {
    // Beside a finish there may be a label.
    if (mark.label) return fromAbove(Math.max(mark.x2 - 3, middle));
    const x = mark.x2 + STUB + 3;
    return { x, y: mark.y, end: [mark.x2, mark.y], arrow: 'left', isSide: true, sign: 1 };
  }
  // A successor that starts later is entered from above, behind its start.
  const inside = Math.min(mark.x1 + STUB, middle);
  if (type === 'FS' && inside >= from - 0.5) return fromAbove(Math.abs(from - mark.x1 - STUB) < 1 ? from : inside);
  const x = mark.x1 - STUB - 3;
  return { x, y: mark.y, end: [mark.x1, mark.y], arrow: 'right', isSide: true, sign: -1 };
}

const sharedSide = (exit: Exit, entry: Entry): boolean => exit.sign === entry.sign;

/** Labels and bars between two rows that a vertical line would cross. */
function crossed(x: number, from: number, to: number, { marks }: Lanes): number {
  const [first, last] = [Math.min(from, to) + 1, Math.max(from, to)];
  let count = 0;
  for (let row = first; row < last && row - first < LOOKED_AT; row++) {
    const { x1, x2, label } = marks[row]!;
    if (x > x1 - 2 && x < x2 + 2) count++;
    if (label && x > label.from - 2 && x < label.to + 2) count += 2;
  }
  return count;
}

/** Without points on a straight line between their neighbours. */
function tidy(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    const [last, before] = [kept.at(-1), kept.at(-2)];
    if (last && same(last[0], point[0]) && same(last[1], point[1])) continue;
    const isStraight =
      last &&
      before &&
      ((same(before[0], last[0]) && same(last[0], point[0])) || (same(before[1], last[1]) && same(last[1], point[1])));
    if (isStraight) kept.pop();
    kept.push(point);
  }
  return kept;
}

const same = (a: number, b: number): boolean => Math.abs(a - b) < 0.01;
