/** Draws lines: straight, round or curved, with heads; and the thick arrows. */
import { distance, type Point } from './geometry.js';
import { isJumping, jumpingLine, type DrawnParts } from './jumps.js';
import { markerOf } from './markers.js';
import type { Pen } from './pen.js';
import { arcSizeOf } from './shapes/shape.js';
import type { CellStyle } from './style.js';

/** Points without those that repeat the one before. */
function distinct(points: readonly Point[]): Point[] {
  return points.filter((point, i) => i === 0 || distance(point, points[i - 1]!) > 0.01);
}

/** A head at an end of a line, and where the line ends for it. */
function head(points: readonly Point[], style: CellStyle, isSource: boolean) {
  const along = isSource ? points : points.toReversed();
  const [tip, next] = along;
  if (!tip || !next) return undefined;
  const length = distance(next, tip);
  const [ux, uy] = length === 0 ? [1, 0] : [(tip.x - next.x) / length, (tip.y - next.y) / length];
  const [name, size, fill] = isSource ? ['startArrow', 'startSize', 'startFill'] : ['endArrow', 'endSize', 'endFill'];
  return markerOf(style.get(name), {
    tip,
    ux,
    uy,
    size: Math.max(0, style.number(size, 6, 500)),
    width: style.strokeWidth,
    isFilled: style.is(fill, true),
  });
}

/** A curve through the middles of the parts of a line. */
function curve(pen: Pen, points: readonly Point[]): void {
  const [first] = points;
  pen.begin().move(first!.x, first!.y);
  const last = points.length - 1;
  for (let i = 1; i < last - 1; i++) {
    const [at, next] = [points[i]!, points[i + 1]!];
    pen.quad(at.x, at.y, (at.x + next.x) / 2, (at.y + next.y) / 2);
  }
  const [before, end] = [points[Math.max(1, last - 1)]!, points[last]!];
  pen.quad(before.x, before.y, end.x, end.y).stroke();
}

function connector(pen: Pen, all: readonly Point[], style: CellStyle, before: DrawnParts): void {
  const points = distinct(all);
  if (points.length < 2) return;
  const [start, end] = [head(points, style, true), head(points, style, false)];
  const line = points.map((point, i) => {
    if (i === 0) return start?.end ?? point;
    return i === points.length - 1 ? (end?.end ?? point) : point;
  });
  if (style.is('curved') && line.length > 2) curve(pen, line);
  else {
    const radius = style.is('rounded') ? arcSizeOf(style) : 0;
    if (isJumping(style)) jumpingLine(pen, line, radius, before.crossings(line), style);
    else pen.begin().points(line, { radius }).stroke();
    before.add(line);
  }
  pen.with({ dash: undefined, fill: pen.ink.stroke }, () => {
    start?.draw(pen);
    end?.draw(pen);
  });
}

/** The sides of a band along a line, at a distance to its left and right. */
function sidesOf(points: readonly Point[], half: number): { left: Point[]; right: Point[] } {
  const [left, right]: [Point[], Point[]] = [[], []];
  const unit = (a: Point, b: Point): Point => {
    const length = distance(a, b) || 1;
    return { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
  };
  points.forEach((point, i) => {
    const before = i > 0 ? unit(points[i - 1]!, point) : unit(point, points[1]!);
    const after = i < points.length - 1 ? unit(point, points[i + 1]!) : before;
    const sum = { x: before.x + after.x, y: before.y + after.y };
    const length = Math.hypot(sum.x, sum.y);
    const [nx, ny] = length < 0.01 ? [-before.y, before.x] : [-sum.y / length, sum.x / length];
    // The corner of a band lies further out than its sides, at sharp angles at most three times.
    const reach = half / Math.max(1 / 3, nx * -before.y + ny * before.x);
    left.push({ x: point.x - nx * reach, y: point.y - ny * reach });
    right.push({ x: point.x + nx * reach, y: point.y + ny * reach });
  });
  return { left, right };
}

/** Moves an end of a line inwards. */
function shortened(points: readonly Point[], by: number, isSource: boolean): Point[] {
  const along = isSource ? [...points] : points.toReversed();
  const [first, second] = along as [Point, Point];
  const length = distance(first, second) || 1;
  const share = Math.min(by / length, 0.95);
  along[0] = { x: first.x + (second.x - first.x) * share, y: first.y + (second.y - first.y) * share };
  return isSource ? along : along.toReversed();
}

/** The head of a thick arrow: from the left side of the band over its tip to the right side. */
function broadHead(points: readonly Point[], inner: Point, half: number, isSource: boolean): Point[] {
  const tip = isSource ? points[0]! : points.at(-1)!;
  const length = distance(inner, tip) || 1;
  const [ux, uy] = [(tip.x - inner.x) / length, (tip.y - inner.y) / length];
  const side = (sign: number): Point => ({ x: inner.x + uy * half * sign, y: inner.y - ux * half * sign });
  return [side(1), tip, side(-1)];
}

/** A thick arrow: a filled band with heads. @param defaults width of the band and of the heads, and length of the heads */
function broadArrow(
  pen: Pen,
  all: readonly Point[],
  style: CellStyle,
  defaults: { band: number; head: number; length: number },
): void {
  const points = distinct(all);
  if (points.length < 2) return;
  const band = Math.max(0, style.number('width', defaults.band, 2_000));
  const heads = {
    source: (style.get('startArrow') ?? 'none') !== 'none',
    target: (style.get('endArrow') ?? 'none') !== 'none',
  };
  const wide = (name: string): number => (band + Math.max(0, style.number(name, defaults.head, 2_000))) / 2;
  const long = (name: string): number => Math.max(0, style.number(name, defaults.length / 3, 2_000)) * 3;
  let line = points;
  if (heads.source) line = shortened(line, long('startSize'), true);
  if (heads.target) line = shortened(line, long('endSize'), false);
  const { left, right } = sidesOf(line, band / 2);
  const outline = [
    ...left,
    ...(heads.target ? broadHead(points, line.at(-1)!, wide('endWidth'), false) : []),
    ...right.toReversed(),
    ...(heads.source ? broadHead(points, line[0]!, wide('startWidth'), true) : []),
  ];
  pen.begin().points(outline, { isClosed: true }).fillStroke();
}

/** Two parallel lines. */
function link(pen: Pen, all: readonly Point[], style: CellStyle): void {
  const points = distinct(all);
  if (points.length < 2) return;
  const { left, right } = sidesOf(points, Math.max(0, style.number('width', 4, 2_000)) / 2);
  pen.begin().points(left).stroke();
  pen.begin().points(right).stroke();
}

/**
 * Draws a line through its points.
 * @param before the lines drawn before it, to which it is added
 * @returns whether it is drawn in the way of draw.io
 */
export function drawLine(pen: Pen, points: readonly Point[], style: CellStyle, before: DrawnParts): boolean {
  const { shape } = style;
  if (shape === 'link') link(pen, points, style);
  else if (shape === 'flexArrow') broadArrow(pen, points, style, { band: 10, head: 20, length: 18 });
  else if (shape === 'arrow') broadArrow(pen, [points[0]!, points.at(-1)!], style, { band: 10, head: 20, length: 30 });
  else connector(pen, points, style, before);
  return /^(connector|link|flexArrow|arrow|wire|filledEdge|label|line|edgeLabel|text)$/.test(shape);
}
