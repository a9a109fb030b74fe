/** Spans on a time axis, one row per item. */
import {
  at,
  type Block,
  element,
  line,
  measure,
  rect,
  shorten,
  text,
  textBlock,
  widthOf,
  wrap,
} from '@lintel/sdk/drawing';
import type { TimelinePicture } from '@lintel/sdk';
import { more, type Canvas, type Drawn } from './canvas.js';
import { dateText, dateTicks, dayOf, type DateTick } from './dates.js';
import { emptyDrawing, legend } from './legend.js';
import { drawSpans, lanesOf, type Span } from './timeline-spans.js';

const MAX_ITEMS = 200;
/** Spans of the picture, and those that each item may have in any case. */
const [MAX_SPANS, MIN_SPANS] = [2_400, 12];
const LABEL = { size: 12.5 };
const GROUP = { size: 13, bold: true };
const TICK = { size: 12 };
const LANE = 22;
/** Above the first row: the line of the dates and that of the marker. */
const HEAD = 44;
/** Rows after which the dates are repeated below the rows. */
const LONG = 24;

/** The time axis: from the beginning of the first day to the end of the last one. */
export interface Axis {
  from: number;
  to: number;
  left: number;
  width: number;
  /** The place of the beginning of a day. */
  x(day: number): number;
}

interface Row {
  block: Block;
  href: string | undefined;
  isGroup: boolean;
  lanes: readonly (readonly Span[])[];
  height: number;
}

const itemsOf = (groups: TimelinePicture['groups']): number => groups.reduce((sum, { items }) => sum + items.length, 0);

function rowsOf({ groups }: TimelinePicture, labelWidth: number, axis: Axis): Row[] {
  const rows: Row[] = [];
  const most = Math.max(MIN_SPANS, Math.floor(MAX_SPANS / Math.min(itemsOf(groups), MAX_ITEMS)));
  let items = 0;
  for (const group of groups) {
    if (items >= MAX_ITEMS) break;
    if (group.label.trim() !== '')
      rows.push({
        block: shorten(group.label, axis.left + axis.width, GROUP),
        href: undefined,
        isGroup: true,
        lanes: [],
        height: 32,
      });
    for (const { label, href, spans } of group.items.slice(0, MAX_ITEMS - items)) {
      const block = wrap(label, labelWidth, 2, LABEL);
      const lanes = lanesOf(spans, axis, most);
      const height = Math.max(lanes.length * LANE + 6, block.lines.length > 1 ? 38 : 28);
      rows.push({ block, href, isGroup: false, lanes, height });
      items++;
    }
  }
  return rows;
}

/** The colour of a row: every other one is shaded. */
const groundOf = (place: number, { theme }: Canvas): string => (place % 2 === 0 ? theme.faint : theme.background);

function drawRow(row: Row, y: number, axis: Axis, ground: string, canvas: Canvas): string {
  const { theme } = canvas;
  if (row.isGroup) {
    const under = { stroke: theme.line, 'stroke-width': 1.5 };
    return (
      textBlock(0, y + 22, row.block, { ...GROUP, fill: theme.ink }) +
      line(0, y + row.height - 2, axis.left + axis.width, y + row.height - 2, under)
    );
  }
  const baseline = y + row.height / 2 + 4.4 - (row.block.lines.length - 1) * 8;
  return [
    ground === theme.background ? '' : rect(0, y, axis.left + axis.width, row.height, { fill: ground }),
    canvas.link(row.href, textBlock(6, baseline, row.block, { ...LABEL, fill: theme.ink })),
  ].join('');
}

function dates(ticks: readonly DateTick[], y: number, axis: Axis, canvas: Canvas): string {
  let free = 0;
  return ticks
    .map(({ day, label }) => {
      const half = measure(label, TICK) / 2;
      const x = Math.min(Math.max(axis.x(day), half), axis.left + axis.width - half);
      // At the edges of the picture, labels are moved; there may be no room between them then.
      if (x - half < free) return '';
      free = x + half + 8;
      return text(x, y, label, { ...TICK, fill: canvas.theme.soft, anchor: 'middle' });
    })
    .join('');
}

function marker(date: string | undefined, bottom: number, axis: Axis, canvas: Canvas): string {
  const day = date === undefined ? Number.NaN : dayOf(date);
  if (!(day >= axis.from && day <= axis.to)) return '';
  const color = canvas.theme.ink;
  const label = dateText(day, canvas.lang);
  const font = { size: 12, bold: true };
  const half = measure(label, font) / 2;
  const x = axis.x(day);
  const place = Math.min(Math.max(x, axis.left + half), axis.left + axis.width - half);
  return [
    text(place, 30, label, { ...font, fill: color, anchor: 'middle' }),
    element('path', { d: `M${x.toFixed(2)} 41l-4.5 -6h9z`, fill: color }),
    line(x, 40, x, bottom, { stroke: color, 'stroke-width': 1.5, 'stroke-dasharray': '5 4' }),
  ].join('');
}

function axisOf({ from, to }: TimelinePicture, left: number, width: number): Axis | undefined {
  const [first, last] = [dayOf(from), dayOf(to) + 1];
  if (!(last > first)) return undefined;
  return { from: first, to: last, left, width, x: (day) => left + (width * (day - first)) / (last - first) };
}

/** Draws a timeline; at most 200 items. */
export function drawTimeline(content: TimelinePicture, width: number, canvas: Canvas): Drawn {
  const labels = content.groups.flatMap(({ items }) => items.slice(0, MAX_ITEMS)).slice(0, MAX_ITEMS);
  const most = Math.min(width * 0.3, 300);
  const labelWidth = labels.reduce((widest, { label }) => {
    return Math.max(widest, widthOf(wrap(label, most, 2, LABEL), LABEL));
  }, 0);
  const axis = axisOf(content, labelWidth + 20, width - labelWidth - 20);
  if (labels.length === 0 || !axis) return emptyDrawing(width, canvas);
  const key = legend(content.legend, width, canvas);
  const rows = rowsOf(content, labelWidth + 0.01, axis);
  const ticks = dateTicks(axis.from, axis.to - 1, axis.width, canvas.lang, TICK);
  let y = HEAD;
  const tops = rows.map(({ height }) => {
    y += height;
    return y - height;
  });
  const bars = rows.map(({ lanes, height }, i) => drawSpans(lanes, tops[i]!, height, canvas, groundOf(i, canvas)));
  const under = rows.map((row, i) => drawRow(row, tops[i]!, axis, groundOf(i, canvas), canvas));
  const lines = ticks.map(({ day }) => {
    const x = axis.x(day);
    return line(x, HEAD, x, y, { stroke: canvas.theme.faintLine });
  });
  const isLong = rows.length > LONG;
  const body = [
    ...under,
    ...lines,
    dates(ticks, 12, axis, canvas),
    marker(content.marker, y, axis, canvas),
    ...bars,
    isLong ? dates(ticks, y + 18, axis, canvas) : '',
  ].join('');
  return {
    body: key.body + at(0, key.height, body),
    height: key.height + y + (isLong ? 26 : 4),
    left: [...more(itemsOf(content.groups) - labels.length, 'rows', canvas), ...key.left],
  };
}
