/** Lines over time, each with its name and last value at its end. */
import { at, type Block, element, line, measure, mix, shorten, text, textBlock, widthOf } from '@lintel/sdk/drawing';
import type { LinesPicture } from '@lintel/sdk';
import {
  gridOption,
  leftAxis,
  numberFormat,
  shareOf,
  TICK,
  tickTexts,
  unitText,
  valueAxis,
  widest,
  zeroLine,
} from './axes.js';
import type { Plot } from './axes.js';
import { more, type Canvas, type Drawn } from './canvas.js';
import { marksOf } from './charts.js';
import { dateTicks, dayOf } from './dates.js';
import { emptyDrawing, legend } from './legend.js';
import { drawable, scaleOf, type Scale } from './scale.js';
import { colorOr, seriesColor } from './theme.js';

const MAX_SERIES = 12;
/** Up to so many dates, each has a dot. */
const MAX_DOTS = 32;
const END = { size: 13 };
const PITCH = 18;
const HEAD = 32;
/** Below this width, names are in a legend above the lines. */
const MIN_WIDTH_FOR_NAMES = 560;

interface Line {
  label: string;
  color: string;
  /** Places of the values with their days, in order; undefined for none. */
  values: readonly (number | undefined)[];
}
interface Lines {
  days: readonly number[];
  lines: readonly Line[];
}

function read({ dates, series }: LinesPicture, { theme }: Canvas): Lines {
  const all = dates.map((date, i) => ({ day: dayOf(date), i })).filter(({ day }) => !Number.isNaN(day));
  all.sort((a, b) => a.day - b.day);
  return {
    days: all.map(({ day }) => day),
    lines: series.slice(0, MAX_SERIES).map(({ label, color, values }, n) => ({
      label,
      color: colorOr(color, seriesColor(theme, n)),
      values: all.map(({ i }) => drawable(values[i])),
    })),
  };
}

function scaleFor(lines: readonly Line[], height: number): Scale | undefined {
  const values = lines.flatMap((one) => one.values.filter((value) => value !== undefined));
  if (values.length === 0) return undefined;
  // One by one: a call with all values as arguments fails for many.
  const low = values.reduce((least, value) => Math.min(least, value));
  const high = values.reduce((most, value) => Math.max(most, value));
  // Values that hardly differ, compared with their size, would be one line at the top of a scale from 0.
  const isFlat = low > 0 && high > low && high - low < high * 0.25;
  const isWhole = values.every((value) => Number.isInteger(value));
  return scaleOf(isFlat ? low : Math.min(low, 0), Math.max(high, 0), Math.max(3, Math.round(height / 60)), isWhole);
}

function marks({ days, lines }: Lines, plot: Plot, scale: Scale, canvas: Canvas): string {
  const [first, last] = [days[0]!, days.at(-1)!];
  const option = {
    grid: gridOption(plot),
    xAxis: { type: 'value', min: first, max: Math.max(last, first + 1), show: false },
    yAxis: valueAxis(scale, canvas),
    series: lines.map(({ color, values }, n) => ({
      type: 'line',
      clip: false,
      showAllSymbol: true,
      symbol: 'circle',
      symbolSize: 6,
      lineStyle: { color, width: 2.5, type: n < canvas.theme.palette.length ? 'solid' : 'dashed' },
      itemStyle: { color },
      data: values.map((value, i) => {
        // A value without neighbours has no line, and would not be visible without a dot.
        const isAlone = values[i - 1] === undefined && values[i + 1] === undefined;
        const symbol = days.length <= MAX_DOTS || isAlone ? 'circle' : 'none';
        return { value: [days[i]!, value ?? '-'], symbol };
      }),
    })),
  };
  return marksOf(option, plot.left + plot.width, plot.top + plot.height, (svg) => svg);
}

function timeAxis({ days }: Lines, plot: Plot, width: number, canvas: Canvas): string {
  const [first, last] = [days[0]!, days.at(-1)!];
  const style = { ...TICK, fill: canvas.theme.soft, anchor: 'middle' as const };
  const bottom = plot.top + plot.height;
  let free = Number.NEGATIVE_INFINITY;
  return dateTicks(first, last, plot.width, canvas.lang, TICK)
    .map(({ day, label }) => {
      const x = plot.left + (plot.width * (day - first)) / Math.max(last - first, 1);
      const half = measure(label, TICK) / 2;
      const place = Math.min(Math.max(x, half), width - half);
      const mark = line(x, bottom, x, bottom + 5, { stroke: canvas.theme.line });
      if (place - half < free) return mark;
      free = place + half + 8;
      return mark + text(place, bottom + 20, label, style);
    })
    .join('');
}

/** The last value of each line. */
const endsOf = ({ lines }: Lines) =>
  lines.flatMap(({ label, color, values }) => {
    const i = values.findLastIndex((value) => value !== undefined);
    return i < 0 ? [] : [{ label, color, i, value: values[i]! }];
  });

/** Places for labels near the wanted ones, in order and without overlap, between two limits. */
export function spread(wanted: readonly number[], pitch: number, from: number, to: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const places = [...wanted];
  let free = from;
  for (const i of order) free = (places[i] = Math.max(wanted[i]!, free)) + pitch;
  let limit = to;
  for (const i of order.reverse()) limit = (places[i] = Math.min(places[i]!, limit)) - pitch;
  return places;
}

type End = ReturnType<typeof endsOf>[number] & { name: Block; value: number };

function endLabels(ends: readonly End[], days: readonly number[], plot: Plot, scale: Scale, canvas: Canvas): string {
  const { theme } = canvas;
  const right = plot.left + plot.width;
  const y = (value: number): number => plot.top + plot.height * (1 - shareOf(scale, value));
  const wanted = ends.map(({ value }) => y(value));
  const places = spread(wanted, PITCH, plot.top, plot.top + plot.height);
  return ends
    .map(({ name, color, value, i }, n) => {
      const x = plot.left + (plot.width * (days[i]! - days[0]!)) / Math.max(days.at(-1)! - days[0]!, 1);
      const place = places[n]!;
      const number = numberFormat(scale, canvas)(value);
      const points = `M${[x + 5, wanted[n]!, right + 10, place, right + 16, place].map((one) => one.toFixed(1)).join(' ')}`;
      return [
        element('path', { d: points, fill: 'none', stroke: mix(color, theme.background, 0.35), 'stroke-width': 1 }),
        text(right + 20, place + 4.6, number, { ...END, bold: true, fill: theme.ink }),
        textBlock(right + 26 + measure(number, { ...END, bold: true }), place + 4.6, name, {
          ...END,
          fill: theme.soft,
        }),
      ].join('');
    })
    .join('');
}

/** Draws lines; at most 12. */
export function drawLines(content: LinesPicture, width: number, canvas: Canvas): Drawn {
  const data = read(content, canvas);
  const height = Math.round(Math.min(Math.max(width * 0.34, 200), 420));
  const scale = scaleFor(data.lines, height);
  if (data.days.length === 0 || !scale) return emptyDrawing(width, canvas);
  const texts = tickTexts(scale, canvas);
  const left = widest(texts) + 10;
  const isNamed = width >= MIN_WIDTH_FOR_NAMES && data.lines.length * PITCH <= height;
  const ends = isNamed
    ? endsOf(data).map((end) => ({ ...end, name: shorten(end.label, Math.min(width * 0.2, 220), END) }))
    : [];
  const room = ends.map(
    ({ name, value }) => widthOf(name, END) + measure(numberFormat(scale, canvas)(value), { ...END, bold: true }),
  );
  const right = Math.max(0, ...room) + (isNamed ? 28 : 8);
  const key = isNamed ? { body: '', height: 0, left: [] } : legend(data.lines, width, canvas);
  const plot: Plot = { left, top: HEAD, width: width - left - right, height };
  const body = [
    unitText(content.unit, 0, width, canvas),
    marks(data, plot, scale, canvas),
    zeroLine(plot, scale, false, canvas),
    leftAxis(plot, scale, texts, canvas),
    timeAxis(data, plot, width, canvas),
    endLabels(ends, data.days, plot, scale, canvas),
  ].join('');
  return {
    body: key.body + at(0, key.height, body),
    height: key.height + plot.top + plot.height + 26,
    left: [...more(content.series.length - data.lines.length, 'lines', canvas), ...key.left],
  };
}
