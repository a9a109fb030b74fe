/** The values at bars: the sums at their ends, and the values of a stack in its parts where there is room. */
import { type Font, measure, text } from '@lintel/sdk/drawing';
import { numberFormat, shareOf, type Plot } from './axes.js';
import type { Bars } from './bars.js';
import type { Canvas } from './canvas.js';
import type { Scale } from './scale.js';
import { inkOn } from './theme.js';

export interface BarLayout {
  plot: Plot;
  scale: Scale;
  /** Space of a category across the bars, and the part of it that its bar takes. */
  band: number;
  thickness: number;
  /** Whether the bars lie side by side or below each other. */
  isRows: boolean;
}

const SUM = { size: 13, bold: true };
const PART = { size: 11 };

/** The value as text if it is at most as wide as the room. */
function fitting(value: number, room: number, font: Font, scale: Scale, canvas: Canvas): string | undefined {
  const label = numberFormat(scale, canvas)(value);
  return measure(label, font) <= room ? label : undefined;
}

function sumLabels({ sums, series }: Bars, { plot, scale, band, isRows }: BarLayout, canvas: Canvas): string[] {
  const end = (value: number): number => shareOf(scale, value);
  const style = { ...SUM, fill: canvas.theme.ink };
  return sums.flatMap(({ up, down, isEmpty }, n) => {
    if (isEmpty) return [];
    // A stack with parts above and below 0 has two sums; otherwise there is one, which may be 0.
    const ends = [...(up > 0 || down === 0 ? [up] : []), ...(down < 0 ? [down] : [])];
    if (series.length > 1 && ends.length > 1) return [];
    const value = ends[0]!;
    const label = isRows ? numberFormat(scale, canvas)(value) : fitting(value, band - 4, SUM, scale, canvas);
    if (label === undefined) return [];
    if (!isRows) {
      const y = plot.top + plot.height * (1 - end(value)) + (value < 0 ? 15 : -6);
      // Below the lowest bar are the names of the categories.
      if (y > plot.top + plot.height - 2) return [];
      return [text(plot.left + (n + 0.5) * band, y, label, { ...style, anchor: 'middle' })];
    }
    const x = plot.left + plot.width * end(Math.max(value, 0));
    return [text(x + 6, plot.top + (n + 0.5) * band + 4.6, label, style)];
  });
}

function partLabels(bars: Bars, { plot, scale, band, thickness, isRows }: BarLayout, canvas: Canvas): string[] {
  if (bars.series.length < 2) return [];
  return bars.labels.flatMap((_, n) => {
    let [up, down] = [0, 0];
    return bars.series.flatMap(({ values, colors }) => {
      const value = values[n];
      if (value === undefined || value === 0) return [];
      const start = value > 0 ? up : down;
      if (value > 0) up += value;
      else down += value;
      const [from, to] = [shareOf(scale, start), shareOf(scale, start + value)];
      const length = Math.abs(to - from) * (isRows ? plot.width : plot.height);
      const label = fitting(value, (isRows ? length : thickness) - 6, PART, scale, canvas);
      if (label === undefined || (!isRows && length < 16)) return [];
      const middle = (from + to) / 2;
      const [x, y] = isRows
        ? [plot.left + plot.width * middle, plot.top + (n + 0.5) * band + 4]
        : [plot.left + (n + 0.5) * band, plot.top + plot.height * (1 - middle) + 4];
      return [text(x, y, label, { ...PART, fill: inkOn(colors[n]!), anchor: 'middle' })];
    });
  });
}

/** All values at and in the bars. */
export const barLabels = (bars: Bars, layout: BarLayout, canvas: Canvas): string =>
  [...partLabels(bars, layout, canvas), ...sumLabels(bars, layout, canvas)].join('');
