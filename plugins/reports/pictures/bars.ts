/** Bars: as columns where the labels fit below them, otherwise in rows. Series are stacked. */
import { at, type Block, clean, element, mix, textBlock, textHeight, title, widthOf, wrap } from '@lintel/sdk/drawing';
import type { BarsPicture } from '@lintel/sdk';
import {
  bottomAxis,
  gridOption,
  leftAxis,
  numberFormat,
  tickTexts,
  unitText,
  valueAxis,
  widest,
  zeroLine,
} from './axes.js';
import type { Plot } from './axes.js';
import { barLabels, type BarLayout } from './bar-labels.js';
import { more, type Canvas, type Drawn } from './canvas.js';
import { marksOf } from './charts.js';
import { icon, isIcon } from './icons.js';
import { emptyDrawing, legend } from './legend.js';
import { drawable, scaleOf, type Scale } from './scale.js';
import { colorOr, filled, seriesColor, signColor } from './theme.js';

const MAX_CATEGORIES = 60;
const MAX_COLUMNS = 24;
const MAX_SERIES = 12;
const LABEL = { size: 12 };
/** Space for the unit and the value of the greatest bar. */
const HEAD = 42;
const [ICON, ICON_GAP] = [18, 6];
/** The axis extends beyond the lowest bar, so that its value has room below it. */
const ROOM_BELOW = 1.12;

/** The part of the content that is drawn, with the values as numbers. */
export interface Bars {
  labels: readonly BarsPicture['categories'][number][];
  series: readonly { label: string; values: readonly (number | undefined)[]; colors: readonly string[] }[];
  hrefs: readonly (readonly (string | undefined)[])[];
  /** Sums of the values above and below 0, by category. */
  sums: readonly { up: number; down: number; isEmpty: boolean }[];
}

function read({ categories, series }: BarsPicture, canvas: Canvas): Bars {
  const labels = categories.slice(0, MAX_CATEGORIES);
  const shown = series.slice(0, MAX_SERIES).map(({ label, values, color, colors }, i) => {
    const own = colorOr(color, seriesColor(canvas.theme, i));
    return {
      label: clean(label),
      values: labels.map((_, n) => drawable(values[n])),
      colors: labels.map((_, n) => filled(colorOr(colors?.[n], own)).fill),
    };
  });
  const sums = labels.map((_, n) => {
    const values = shown.map(({ values }) => values[n]).filter((value) => value !== undefined);
    const sum = (sign: 1 | -1) => values.filter((value) => value * sign > 0).reduce((all, value) => all + value, 0);
    return { up: sum(1), down: sum(-1), isEmpty: values.length === 0 };
  });
  return { labels, series: shown, hrefs: series.slice(0, MAX_SERIES).map(({ hrefs }) => hrefs ?? []), sums };
}

function scaleFor({ series, sums }: Bars, length: number): Scale {
  const isWhole = series.every(({ values }) => values.every((value) => value === undefined || Number.isInteger(value)));
  const [low, high] = [
    Math.min(0, ...sums.map(({ down }) => down * ROOM_BELOW)),
    Math.max(0, ...sums.map(({ up }) => up)),
  ];
  return scaleOf(low, high, Math.max(2, Math.round(length / 70)), isWhole);
}

/** The marks, each with a title and a link. */
function marks(bars: Bars, plot: Plot, scale: Scale, thickness: number, isRows: boolean, canvas: Canvas): string {
  const categories = { type: 'category', data: bars.labels.map((_, n) => n), show: false, inverse: isRows };
  const values = valueAxis(scale, canvas);
  const option = {
    grid: gridOption(plot),
    xAxis: isRows ? values : categories,
    yAxis: isRows ? categories : values,
    series: bars.series.map(({ values, colors }) => ({
      type: 'bar',
      stack: 'all',
      barWidth: thickness,
      clip: false,
      data: values.map((value, n) => {
        // The parts of a stack are apart; single bars have an outline, which shows dark colours on dark ground.
        const borderColor = bars.series.length > 1 ? canvas.theme.background : mix(colors[n]!, canvas.theme.ink, 0.3);
        return value === undefined ? '-' : { value, itemStyle: { color: colors[n], borderColor, borderWidth: 1 } };
      }),
    })),
  };
  const [width, height] = [plot.left + plot.width, plot.top + plot.height];
  return marksOf(option, width, height, (svg, series, n) => {
    const { label, values } = bars.series[series]!;
    const name = [clean(bars.labels[n]!.label), label].filter((part) => part !== '').join(', ');
    const about = title(`${name}: ${canvas.number(values[n] ?? 0)}`);
    return canvas.link(bars.hrefs[series]![n], element('g', {}, about, svg));
  });
}

/** The icon of a category, about in the colour of its bar where that is not a stack. */
function categoryIcon({ labels, series }: Bars, n: number, x: number, y: number, { theme }: Canvas): string {
  const color = series.length === 1 ? signColor(series[0]!.colors[n]!, theme) : theme.ink;
  return icon(labels[n]!.icon, x, y, ICON, color);
}

/** The labels of the categories below their columns; undefined where one of them does not fit. */
function columnLabels({ labels }: Bars, band: number): Block[] | undefined {
  if (labels.length > MAX_COLUMNS) return undefined;
  const blocks = labels.map(({ label }) => wrap(label, band - 10, 3, LABEL));
  return blocks.some(({ isBroken }) => isBroken) ? undefined : blocks;
}

function drawColumns(bars: Bars, width: number, canvas: Canvas, unit: string): Drawn | undefined {
  const height = Math.round(Math.min(Math.max(width * 0.32, 200), 400));
  const scale = scaleFor(bars, height);
  const texts = tickTexts(scale, canvas);
  const left = widest(texts) + 10;
  const plot: Plot = { left, top: HEAD, width: width - left, height };
  const band = plot.width / bars.labels.length;
  const blocks = columnLabels(bars, band);
  if (!blocks) return undefined;
  const layout: BarLayout = { plot, scale, band, thickness: Math.min(band * 0.64, 84), isRows: false };
  // Beside the names, icons would take the width that these need.
  const room = bars.labels.some((label) => isIcon(label.icon)) ? ICON + 4 : 0;
  const below = plot.top + plot.height + 18 + room;
  const names = blocks.map((block, n) => {
    const style = { ...LABEL, fill: canvas.theme.ink, anchor: 'middle' as const };
    const middle = plot.left + (n + 0.5) * band;
    const sign = categoryIcon(bars, n, middle - ICON / 2, plot.top + plot.height + 7, canvas);
    return canvas.link(bars.labels[n]!.href, sign, textBlock(middle, below, block, style));
  });
  const body = [
    unitText(unit, 0, width, canvas),
    marks(bars, plot, scale, layout.thickness, false, canvas),
    zeroLine(plot, scale, false, canvas),
    leftAxis(plot, scale, texts, canvas),
    ...names,
    barLabels(bars, layout, canvas),
  ].join('');
  const lines = Math.max(...blocks.map((block) => block.lines.length));
  return { body, height: plot.top + plot.height + 8 + room + textHeight(lines, LABEL.size), left: [] };
}

function drawRows(bars: Bars, width: number, canvas: Canvas, unit: string): Drawn {
  const blocks = bars.labels.map(({ label }) => wrap(label, width * 0.3, 2, LABEL));
  const room = bars.labels.some((label) => isIcon(label.icon)) ? ICON + ICON_GAP : 0;
  const left = Math.max(...blocks.map((block) => widthOf(block, LABEL))) + room + 12;
  const band = blocks.some(({ lines }) => lines.length > 1) ? 38 : 30;
  const scale = scaleFor(bars, width * 0.5);
  const format = numberFormat(scale, canvas);
  const sums = widest(
    bars.sums.flatMap(({ up, down }) => [format(up), format(down)]),
    { size: 13, bold: true },
  );
  const plot: Plot = { left, top: HEAD - 14, width: width - left - sums - 12, height: band * bars.labels.length };
  const layout: BarLayout = { plot, scale, band, thickness: band * 0.66, isRows: true };
  const names = blocks.map((block, n) => {
    const y = plot.top + (n + 0.5) * band + 4.2 - (block.lines.length - 1) * 7.7;
    const style = { ...LABEL, fill: canvas.theme.ink, anchor: 'end' as const };
    const x = left - 10 - widthOf(block, LABEL) - ICON_GAP - ICON;
    const sign = categoryIcon(bars, n, x, plot.top + (n + 0.5) * band - ICON / 2, canvas);
    return canvas.link(bars.labels[n]!.href, sign, textBlock(left - 10, y, block, style));
  });
  const body = [
    unitText(unit, left, width - left, canvas),
    marks(bars, plot, scale, layout.thickness, true, canvas),
    zeroLine(plot, scale, true, canvas),
    bottomAxis(plot, scale, tickTexts(scale, canvas), canvas),
    ...names,
    barLabels(bars, layout, canvas),
  ].join('');
  return { body, height: plot.top + plot.height + 24, left: [] };
}

/** Draws bars; at most 60 categories and 12 series. */
export function drawBars(content: BarsPicture, width: number, canvas: Canvas): Drawn {
  const bars = read(content, canvas);
  if (bars.labels.length === 0 || bars.series.length === 0) return emptyDrawing(width, canvas);
  const entries = content.series.slice(0, MAX_SERIES).map(({ label, color, icon: sign }, i) => ({
    label,
    icon: sign,
    color: colorOr(color, seriesColor(canvas.theme, i)),
  }));
  const key = entries.length > 1 ? legend(entries, width, canvas) : { body: '', height: 0, left: [] };
  const chart = drawColumns(bars, width, canvas, content.unit) ?? drawRows(bars, width, canvas, content.unit);
  const left = [
    ...more(content.categories.length - bars.labels.length, 'bars', canvas),
    ...more(content.series.length - bars.series.length, 'series', canvas),
    ...key.left,
  ];
  return { body: key.body + at(0, key.height, chart.body), height: key.height + chart.height, left };
}
