/** The bars of a timeline: those of one item below each other where they overlap in time. */
import { clean, element, measure, mix, rect, text, title } from '@lintel/sdk/drawing';
import type { TimelinePicture } from '@lintel/sdk';
import type { Canvas } from './canvas.js';
import { dateText, dayOf } from './dates.js';
import { colorOr, filled } from './theme.js';
import type { Axis } from './timeline.js';

const MAX_LANES = 6;
const LANE = 22;
const BAR = 18;
const LABEL = { size: 11 };

/** A span within the axis. `to` is the day after its last one. */
export interface Span {
  from: number;
  to: number;
  /** The days of the source, for the title. */
  days: [number, number];
  label: string;
  color: string;
}

type Source = TimelinePicture['groups'][number]['items'][number]['spans'];

/** The spans that are on the axis, in at most 6 lanes without overlap. @param most spans that are drawn */
export function lanesOf(spans: Source, axis: Pick<Axis, 'from' | 'to'>, most: number): Span[][] {
  const lanes: Span[][] = [];
  const visible = spans
    .slice(0, most)
    .map(({ from, to, label, color }) => {
      const days: [number, number] = [dayOf(from), dayOf(to)];
      return {
        from: Math.max(days[0], axis.from),
        to: Math.min(days[1] + 1, axis.to),
        days,
        label: clean(label),
        color,
      };
    })
    .filter(({ from, to }) => to > from)
    .sort((a, b) => a.from - b.from);
  for (const span of visible) {
    const lane = lanes.find((one) => one.at(-1)!.to <= span.from);
    if (lane) lane.push(span);
    else if (lanes.length < MAX_LANES) lanes.push([span]);
  }
  return lanes;
}

/** @param top upper edge of the row */
export function drawSpans(
  lanes: readonly (readonly Span[])[],
  top: number,
  height: number,
  axis: Axis,
  canvas: Canvas,
): string {
  const first = top + (height - lanes.length * LANE) / 2;
  const date = (day: number): string => dateText(day, canvas.lang);
  return lanes
    .flatMap((lane, row) =>
      lane.map(({ from, to, days, label, color }) => {
        const { fill, ink } = filled(colorOr(color, canvas.theme.accent));
        const [x, y] = [axis.x(from), first + row * LANE + (LANE - BAR) / 2];
        const width = Math.max(axis.x(to) - x - 1, 1.5);
        const about = title(`${label}: ${date(days[0])} – ${date(days[1])}`);
        const bar = rect(x, y, width, BAR, {
          rx: Math.min(3, width / 2),
          fill,
          stroke: mix(fill, canvas.theme.ink, 0.2),
        });
        const fits = measure(label, LABEL) <= width - 8;
        const name = fits ? text(x + width / 2, y + 13, label, { ...LABEL, fill: ink, anchor: 'middle' }) : '';
        return element('g', {}, about, bar, name);
      }),
    )
    .join('');
}
