/** The bars and points of a timeline: those of one item below each other where they overlap. */
import { clean, element, measure, mix, rect, shorten, text, title } from '@lintel/sdk/drawing';
import type { TimelinePicture } from '@lintel/sdk';
import type { Canvas } from './canvas.js';
import { dateText, dayOf } from './dates.js';
import { colorOr, filled } from './theme.js';
import type { Axis } from './timeline.js';

const MAX_LANES = 6;
const LANE = 22;
const BAR = 18;
const LABEL = { size: 11 };
/** Half the width of the mark of a point, and the widest label beside it. */
const [POINT, POINT_LABEL] = [7, 150];
const GAP = 4;

/** The name beside a point. */
interface Name {
  text: string;
  /** Its left edge. */
  x: number;
}

/** A bar or a point with its place on the axis, in pixels. */
export interface Span {
  x: number;
  width: number;
  /** The room that it takes in its lane, with the name beside it. */
  left: number;
  right: number;
  /** Its days, for the title. */
  days: [number, number];
  label: string;
  color: string;
  isPoint: boolean;
  /** The name beside a point, if there is room for it. */
  name: Name | undefined;
}

type Source = TimelinePicture['groups'][number]['items'][number]['spans'];

/** The bar of a span; undefined for one that is not on the axis. */
function spanOf({ from, to, label: full, color, isPoint = false }: Source[number], axis: Axis): Span | undefined {
  const days: [number, number] = [dayOf(from), dayOf(isPoint ? from : to)];
  const [first, last] = [Math.max(days[0], axis.from), Math.min(days[1] + 1, axis.to)];
  // Also refuses days that are no dates.
  if (!(last > first)) return undefined;
  const label = clean(full);
  const [x, end] = [axis.x(first), axis.x(last)];
  const base = { days, label, color, isPoint };
  if (!isPoint) return { ...base, x, width: Math.max(end - x - 1, 1.5), left: x, right: end, name: undefined };
  const edge = axis.left + axis.width;
  const middle = Math.min(Math.max((x + end) / 2, axis.left + POINT), edge - POINT);
  const [left, right] = [middle - POINT, middle + POINT];
  const [name = ''] = shorten(label, POINT_LABEL, LABEL).lines;
  const room = measure(name, LABEL) + 2 * GAP;
  const bare = { ...base, x: left, width: 2 * POINT, left, right, name: undefined };
  if (name === '') return bare;
  if (right + room <= edge) return { ...bare, right: right + room, name: { text: name, x: right + GAP } };
  if (left - room < axis.left) return bare;
  return { ...bare, left: left - room, name: { text: name, x: left - room + GAP } };
}

/** A span without the name beside it, whose room is taken by another one. */
const unnamed = (span: Span): Span =>
  span.isPoint ? { ...span, left: span.x, right: span.x + span.width, name: undefined } : span;

/** The spans that are on the axis, in at most 6 lanes without overlap. @param most spans that are drawn */
export function lanesOf(spans: Source, axis: Axis, most: number): Span[][] {
  const lanes: Span[][] = [];
  const visible = spans
    .slice(0, most)
    .flatMap((span) => spanOf(span, axis) ?? [])
    .sort((a, b) => a.x - b.x);
  for (const span of visible) {
    const lane = lanes.find((one) => one.at(-1)!.right <= span.left);
    if (lane) lane.push(span);
    else if (lanes.length < MAX_LANES) lanes.push([span]);
    else {
      // Without the name of the one before there may be room; a point that has none is drawn on another.
      const bare = unnamed(span);
      const isRoom = (left: number) => (one: Span[]) => unnamed(one.at(-1)!).right <= left;
      const place =
        lanes.find(isRoom(span.left)) ?? lanes.find(isRoom(bare.left)) ?? (span.isPoint ? lanes.at(-1) : undefined);
      const last = place?.pop();
      if (place && last) place.push(unnamed(last), unnamed(last).right <= span.left ? span : bare);
    }
  }
  return lanes;
}

/**
 * @param top upper edge of the row
 * @param ground colour of the row: the names of points cover the lines below them
 */
export function drawSpans(
  lanes: readonly (readonly Span[])[],
  top: number,
  height: number,
  canvas: Canvas,
  ground: string,
): string {
  const first = top + (height - lanes.length * LANE) / 2;
  return lanes
    .flatMap((lane, row) => lane.map((span) => drawSpan(span, first + row * LANE + (LANE - BAR) / 2, canvas, ground)))
    .join('');
}

/** @param y upper edge of the bar */
function drawSpan(
  { x, width, days, label, color, isPoint, name }: Span,
  y: number,
  canvas: Canvas,
  ground: string,
): string {
  const { fill, ink } = filled(colorOr(color, canvas.theme.accent));
  const [from, to] = days.map((day) => dateText(day, canvas.lang));
  const look = { fill, stroke: mix(fill, canvas.theme.ink, 0.2) };
  if (isPoint) {
    const half = POINT;
    const mark = element('path', {
      d: `M${(x + half).toFixed(2)} ${(y + BAR / 2 - half).toFixed(2)}l${half} ${half}l-${half} ${half}l-${half} -${half}z`,
      ...look,
    });
    const under = name ? rect(name.x - 1, y + 2, measure(name.text, LABEL) + 2, BAR - 4, { fill: ground }) : '';
    const shown = name ? text(name.x, y + 13, name.text, { ...LABEL, fill: canvas.theme.ink }) : '';
    return element('g', {}, title(`${label}: ${from}`), under, mark, shown);
  }
  const bar = rect(x, y, width, BAR, { rx: Math.min(3, width / 2), ...look });
  const fits = measure(label, LABEL) <= width - 8;
  const shown = fits ? text(x + width / 2, y + 13, label, { ...LABEL, fill: ink, anchor: 'middle' }) : '';
  return element('g', {}, title(`${label}: ${from} – ${to}`), bar, shown);
}
