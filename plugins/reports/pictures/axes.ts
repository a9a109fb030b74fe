/** What the charts have in common: plot areas, axes of numbers and their texts. */
import { type Font, line, measure, shorten, text, textBlock } from '@lintel/sdk/drawing';
import type { Canvas } from './canvas.js';
import type { Scale } from './scale.js';

/** The area of the data within the drawing. */
export interface Plot {
  left: number;
  top: number;
  width: number;
  height: number;
}

export const TICK = { size: 12 };
const LARGE = 100_000;

/** The texts of the values at an axis: short ones where they are large numbers. */
export function tickTexts({ ticks, max, min }: Scale, canvas: Canvas): string[] {
  return ticks.map(numberFormat({ max, min }, canvas));
}

/** How the values of a scale are written: large ones with three digits, all in the same way. */
export function numberFormat({ min, max }: Pick<Scale, 'min' | 'max'>, canvas: Canvas): (value: number) => string {
  return Math.max(Math.abs(max), Math.abs(min)) >= LARGE ? canvas.compact : canvas.number;
}

/** The width of the widest of the texts. */
export const widest = (texts: readonly string[], font: Font = TICK): number =>
  texts.reduce((most, one) => Math.max(most, measure(one, font)), 0);

/** The unit above an axis. */
export const unitText = (unit: string, x: number, width: number, { theme }: Canvas): string =>
  textBlock(x, 11, shorten(unit, width, TICK), { ...TICK, fill: theme.soft });

/** The place of a value on a scale, from 0 to 1. */
export const shareOf = ({ min, max }: Scale, value: number): number => (value - min) / (max - min);

/** The texts of a vertical axis, to the left of the plot. */
export function leftAxis(plot: Plot, scale: Scale, texts: readonly string[], { theme }: Canvas): string {
  return scale.ticks
    .map((tick, i) => {
      const y = plot.top + plot.height * (1 - shareOf(scale, tick));
      return text(plot.left - 8, y + 4.2, texts[i]!, { ...TICK, fill: theme.soft, anchor: 'end' });
    })
    .join('');
}

/** The texts of a horizontal axis, below the plot; those that would touch the one before are omitted. */
export function bottomAxis(plot: Plot, scale: Scale, texts: readonly string[], { theme }: Canvas): string {
  let free = Number.NEGATIVE_INFINITY;
  return scale.ticks
    .map((tick, i) => {
      const [x, half] = [plot.left + plot.width * shareOf(scale, tick), measure(texts[i]!, TICK) / 2];
      if (x - half < free) return '';
      free = x + half + 10;
      return text(x, plot.top + plot.height + 18, texts[i]!, { ...TICK, fill: theme.soft, anchor: 'middle' });
    })
    .join('');
}

/** The line of the value 0 where it is not an edge of the plot. */
export function zeroLine(plot: Plot, scale: Scale, isHorizontal: boolean, { theme }: Canvas): string {
  const share = shareOf(scale, Math.min(Math.max(0, scale.min), scale.max));
  const style = { stroke: theme.line, 'stroke-width': 1.5 };
  if (isHorizontal) {
    const x = plot.left + plot.width * share;
    return line(x, plot.top, x, plot.top + plot.height, style);
  }
  const y = plot.top + plot.height * (1 - share);
  return line(plot.left, y, plot.left + plot.width, y, style);
}

/** The options of echarts for the place of the plot and for an axis of numbers with lines across the plot. */
export const gridOption = ({ left, top, width, height }: Plot): object => ({ left, top, width, height });
export const valueAxis = ({ min, max, step }: Scale, { theme }: Canvas): object => ({
  type: 'value',
  min,
  max,
  interval: step,
  axisLabel: { show: false },
  axisTick: { show: false },
  axisLine: { show: false },
  splitLine: { lineStyle: { color: theme.faintLine, width: 1 } },
});
