/**
 * Right-angled lines around their two shapes, with the same bends as in draw.io: the tables and the order of decisions follow
 * `mxEdgeStyle.OrthConnector` of mxGraph 4.2.2 (https://github.com/jgraph/mxgraph, Apache-2.0, © JGraph Ltd).
 */
import { turnedBox, type Box, type Point } from '../geometry.js';
import type { CellStyle } from '../style.js';
import { segments } from './segments.js';
import { ALL_SIDES, EAST, NORTH, sidesOf, SOUTH, WEST, type Route } from './terminals.js';

/** Px of a line before its first bend, for `jettySize` without a value. */
const JETTY = 10;

/** Moves of a route by the side of its begin and of its end, turned so that the target is at the lower right. */
const PATTERNS: readonly (readonly (readonly number[])[])[] = [
  [
    [513, 2308, 2081, 2562],
    [513, 1090, 514, 2184, 2114, 2561],
    [513, 1090, 514, 2564, 2184, 2562],
    [513, 2308, 2561, 1090, 514, 2568, 2308],
  ],
  [
    [514, 1057, 513, 2308, 2081, 2562],
    [514, 2184, 2114, 2561],
    [514, 2184, 2562, 1057, 513, 2564, 2184],
    [514, 1057, 513, 2568, 2308, 2561],
  ],
  [
    [1090, 514, 1057, 513, 2308, 2081, 2562],
    [2114, 2561],
    [1090, 2562, 1057, 513, 2564, 2184],
    [1090, 514, 1057, 513, 2308, 2561, 2568],
  ],
  [
    [2081, 2562],
    [1057, 513, 1090, 514, 2184, 2114, 2561],
    [1057, 513, 1090, 514, 2184, 2562, 2564],
    [1057, 2561, 1090, 514, 2568, 2308],
  ],
];
/** Bits of a move: its direction is in the lowest four, the side of a shape in those from the sixth. */
const [SIDE, CENTRE, OF_SOURCE, OF_TARGET] = [480, 512, 1024, 2048];
const VECTORS: readonly (readonly [number, number])[] = [
  [-1, 0],
  [0, -1],
  [1, 0],
  [0, 1],
];

/** The length of a line before its first bend. */
export function jettyOf(style: CellStyle, isSource: boolean): number {
  const value = style.get(isSource ? 'sourceJettySize' : 'targetJettySize') ?? style.get('jettySize');
  if (value !== 'auto')
    return Math.max(
      0,
      style.number(isSource ? 'sourceJettySize' : 'targetJettySize', style.number('jettySize', JETTY)),
    );
  const arrow = style.get(isSource ? 'startArrow' : 'endArrow') ?? 'none';
  if (arrow === 'none') return 2 * JETTY;
  const size = style.number(isSource ? 'startSize' : 'endSize', 6);
  return Math.max(2, Math.ceil((size + JETTY) / JETTY)) * JETTY;
}

/** One end of a line. */
interface End {
  box: Box;
  jetty: number;
  allowed: number;
  /** The side at which the line ends; 0 while it is open. */
  side: number;
  /** Share of the box at which it ends. */
  at: [number, number];
}

const pointBox = ({ x, y }: Point): Box => ({ x, y, width: 0, height: 0 });

function endOf(route: Route, isSource: boolean, jetty: number): End {
  const terminal = isSource ? route.source : route.target;
  const fixed = isSource ? route.start : route.end;
  const box = terminal ? turnedBox(terminal.box, terminal.style.rotation) : pointBox(fixed ?? { x: 0, y: 0 });
  const end: End = {
    box,
    jetty,
    allowed: terminal ? sidesOf(terminal, route.style, isSource, ALL_SIDES) : ALL_SIDES,
    side: 0,
    at: [0.5, 0.5],
  };
  if (!terminal || !fixed) return end;
  end.at = [(fixed.x - box.x) / (box.width || 1), (fixed.y - box.y) / (box.height || 1)];
  if (Math.abs(fixed.x - box.x) <= 1) end.side = WEST;
  else if (Math.abs(fixed.x - box.x - box.width) <= 1) end.side = EAST;
  if (Math.abs(fixed.y - box.y) <= 1) end.side = NORTH;
  else if (Math.abs(fixed.y - box.y - box.height) <= 1) end.side = SOUTH;
  return end;
}

const opposite = (side: number): number =>
  side === WEST ? EAST : side === EAST ? WEST : side === NORTH ? SOUTH : NORTH;

/** Distances of the boxes: positive where the target lies at that side of the source. */
const gapsOf = (a: Box, b: Box) => ({
  top: a.y - (b.y + b.height),
  left: a.x - (b.x + b.width),
  bottom: b.y - (a.y + a.height),
  right: b.x - (a.x + a.width),
});
type Gaps = ReturnType<typeof gapsOf>;

/** The quarter of the plane in which the target lies: 0 upper left, then clockwise. */
function quarterOf(source: Box, target: Box): number {
  const dx = source.x + source.width / 2 - (target.x + target.width / 2);
  const dy = source.y + source.height / 2 - (target.y + target.height / 2);
  if (dx < 0) return dy < 0 ? 2 : 1;
  if (dy > 0) return 0;
  return dx === 0 ? 2 : 3;
}

/** Preferred sides of both ends, the better one first. */
function preferences(ends: readonly [End, End], gaps: Gaps): [number, number][] {
  const across = gaps.left >= gaps.right ? WEST : EAST;
  const along = gaps.top >= gaps.bottom ? NORTH : SOUTH;
  const horizontal = [across, opposite(across)];
  const vertical = [along, opposite(along)];
  const order: [number, number][] = [
    [0, 0],
    [0, 0],
  ];
  for (const [i, { side, allowed }] of ends.entries()) {
    if (side !== 0) continue;
    if ((horizontal[i]! & allowed) === 0) horizontal[i] = opposite(horizontal[i]!);
    if ((vertical[i]! & allowed) === 0) vertical[i] = opposite(vertical[i]!);
    order[i] = [vertical[i]!, horizontal[i]!];
  }
  const [down, side] = [Math.max(gaps.top, gaps.bottom), Math.max(gaps.left, gaps.right)];
  const [h0, h1, v0, v1] = [horizontal[0]!, horizontal[1]!, vertical[0]!, vertical[1]!];
  const [{ allowed: a0 }, { allowed: a1 }] = ends;
  if (down > 0 && side > 0 && (h0 & a0) > 0 && (v1 & a1) > 0)
    return [
      [h0, v0],
      [v1, h1],
    ];
  if (down > 0 && side > 0 && (v0 & a0) > 0 && (h1 & a1) > 0)
    return [
      [v0, h0],
      [h1, v1],
    ];
  if (down > 0)
    return [
      [v0, h0],
      [v1, h1],
    ];
  if (side > 0)
    return [
      [h0, v0],
      [h1, v1],
    ];
  return order;
}

/** Decides the sides of ends that are open. */
function chooseSides(ends: readonly [End, End], gaps: Gaps): void {
  const order = preferences(ends, gaps);
  const sides = ends.map(({ side, allowed }, i) => {
    if (side !== 0) return side;
    if ([WEST, NORTH, SOUTH, EAST].includes(allowed)) return allowed;
    const own = order[i]!;
    const other = order[1 - i]!;
    const first = (own[0] & allowed) === 0 ? own[1] : own[0];
    return [first, own[1], other[i]!, other[1 - i]!].find((one) => (one & allowed) > 0) ?? 0;
  });
  ends[0].side = sides[0]!;
  ends[1].side = sides[1]!;
}

const indexOf = (side: number, quarter: number): number => {
  const index = (side === EAST ? 3 : side) - quarter;
  return index < 1 ? index + 4 : index;
};

/** Where the line is after its first, straight part. */
function departure({ box, side, jetty, at }: End): Point {
  const x = box.x + at[0] * box.width;
  const y = box.y + at[1] * box.height;
  if (side === WEST) return { x: box.x - jetty, y };
  if (side === EAST) return { x: box.x + box.width + jetty, y };
  return side === NORTH ? { x, y: box.y - jetty } : { x, y: box.y + box.height + jetty };
}

/** The coordinate that a move at a shape reaches. @param side as bits: left 1, top 2, right 4, bottom 8 */
function limitOf({ box, jetty, at }: End, side: number, isCentre: boolean, isHorizontal: boolean): number {
  if (isCentre) return isHorizontal ? box.x + at[0] * box.width : box.y + at[1] * box.height;
  if (side === 1) return box.x - jetty;
  if (side === 2) return box.y - jetty;
  return side === 4 ? box.x + box.width + jetty : box.y + box.height + jetty;
}

const isAcross = (side: number): boolean => (side & (EAST | WEST)) > 0;

/** Follows the moves of a pattern. */
function follow(ends: readonly [End, End], quarter: number, separations: readonly number[]): Point[] {
  const [source, target] = ends;
  const pattern = PATTERNS[indexOf(source.side, quarter) - 1]?.[indexOf(target.side, quarter) - 1] ?? [];
  const points: Point[] = [departure(source)];
  let at = 0;
  let wasVertical = !isAcross(source.side);
  for (const move of pattern) {
    const direction = move & 15;
    let index = (direction === EAST ? 3 : direction) + quarter;
    if (index > 4) index -= 4;
    const [dx, dy] = VECTORS[index - 1]!;
    const isVertical = index % 2 === 0;
    if (isVertical !== wasVertical) points[++at] = { ...points[at - 1]! };
    const point = points[at]!;
    let side = ((move & SIDE) >> 5) << quarter;
    if (side > 15) side >>= 4;
    const isCentre = (move & CENTRE) > 0;
    if ((move & (OF_SOURCE | OF_TARGET)) > 0 && side < 9) {
      const limit = limitOf((move & OF_SOURCE) > 0 ? source : target, side, isCentre, !isVertical);
      const [way, forward] = isVertical ? [limit - point.y, dy] : [limit - point.x, dx];
      if (way * forward > 0) {
        if (isVertical) point.y = limit;
        else point.x = limit;
      }
    } else if (isCentre) {
      point.x += dx * Math.abs(separations[index]! / 2);
      point.y += dy * Math.abs(separations[index]! / 2);
    }
    const before = points[at - 1];
    if (before && (isVertical ? point.y === before.y : point.x === before.x)) at--;
    else wasVertical = isVertical;
  }
  points.length = at + 1;
  // The last point is not needed where the line already runs in the direction of its end.
  const parity = isAcross(target.side) === isAcross(source.side) ? 0 : 1;
  if (parity !== points.length % 2) points.pop();
  return points;
}

const roundedPoint = ({ x, y }: Point): Point => ({ x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 });

/** The bends of a right-angled line. With waypoints, too little room or a line as an end, it follows the waypoints. */
export function orthogonal(route: Route): Point[] {
  const { start, end, source, target, waypoints, style } = route;
  let [sourceJetty, targetJetty] = [jettyOf(style, true), jettyOf(style, false)];
  if (source && source === target) sourceJetty = targetJetty = Math.max(sourceJetty, targetJetty);
  const total = sourceJetty + targetJetty;
  const isShort = start && end && Math.hypot(end.x - start.x, end.y - start.y) < total;
  if (isShort || waypoints.length > 0 || source?.isEdge || target?.isEdge) return segments(route);
  const ends = [endOf(route, true, sourceJetty), endOf(route, false, targetJetty)] as const;
  const gaps = gapsOf(ends[0].box, ends[1].box);
  const room = (gap: number): number => Math.max(gap - total, 0);
  const separations = [0, room(gaps.left), room(gaps.top), room(gaps.right), room(gaps.bottom)];
  chooseSides(ends, gaps);
  const points = follow(ends, quarterOf(ends[0].box, ends[1].box), separations).map(roundedPoint);
  return points.filter((point, i) => {
    const before = i === 0 ? start : points[i - 1];
    return before === undefined || point.x !== before.x || point.y !== before.y;
  });
}
