/** The table to the left of the chart: outline numbers, titles and dates. */
import { element, measure, shorten, text, textBlock } from '@lintel/sdk/drawing';
import type { GanttRow } from './chart.js';
import type { Theme } from './theme.js';
import type { Words } from './words.js';

const DAY_MS = 86_400_000;
const FONT = { size: 12 };
const HEAD = { size: 11.5, bold: true };
const INDENT = 13;
/** Levels that are indented; deeper ones are in line with the last. */
const MAX_INDENT = 8;

/** The columns: right edges in pixels; dates only where there is room. */
export interface Columns {
  title: number;
  start: number | null;
  finish: number | null;
  width: number;
}

/** Dates in words of a language, without the year where all of them have the same one. */
export function dateFormat(rows: readonly GanttRow[], lang: string): (day: number) => string {
  const years = new Set<number>();
  for (const { start, finish } of rows)
    for (const day of [start, finish]) years.add(new Date(day * DAY_MS).getUTCFullYear());
  const format = new Intl.DateTimeFormat(lang, {
    day: 'numeric',
    month: 'short',
    ...(years.size > 1 && { year: 'numeric' }),
    timeZone: 'UTC',
    calendar: 'gregory',
  });
  return (day) => format.format(new Date(day * DAY_MS));
}

export const numberWidth = ({ outline }: GanttRow): number => measure(outline, FONT) + 7;
export const indentOf = ({ depth }: GanttRow): number => Math.min(depth, MAX_INDENT) * INDENT;
const fontOf = ({ kind }: GanttRow) => (kind === 'summary' ? { ...FONT, bold: true } : FONT);

/** @param width of the whole picture */
export function columnsOf(
  rows: readonly GanttRow[],
  width: number,
  words: Words,
  date: (day: number) => string,
): Columns {
  const most = Math.min(width * 0.27, 330);
  const widest = rows.reduce(
    (most, row) => Math.max(most, indentOf(row) + numberWidth(row) + measure(row.title.slice(0, 200), fontOf(row))),
    0,
  );
  const title = Math.min(Math.max(widest, measure(words.item, HEAD)), most) + 10;
  if (width < 900) return { title, start: null, finish: null, width: title };
  const dates = rows.reduce(
    (most, { start, finish }) => {
      return Math.max(most, measure(date(start), FONT), measure(date(finish), FONT));
    },
    measure(words.start, HEAD),
  );
  const start = title + dates + 10;
  return { title, start, finish: start + dates + 10, width: start + dates + 20 };
}

/** The titles of the columns. @param y the baseline */
export function drawHead({ start, finish }: Columns, words: Words, y: number, theme: Theme): string {
  const style = { ...HEAD, fill: theme.ink };
  return [
    text(0, y, words.item, style),
    start === null ? '' : text(start, y, words.start, { ...style, anchor: 'end' }),
    finish === null ? '' : text(finish, y, words.finish, { ...style, anchor: 'end' }),
  ].join('');
}

/** One row. @param y the baseline @param link draws elements as a link to the item */
export function drawCells(
  row: GanttRow,
  columns: Columns,
  y: number,
  theme: Theme,
  date: (day: number) => string,
  link: (href: string | undefined, content: string) => string,
): string {
  const x = indentOf(row);
  const from = x + numberWidth(row);
  const block = shorten(row.title, Math.max(columns.title - from - 8, 30), fontOf(row));
  const soft = { ...FONT, fill: theme.soft };
  return element(
    'g',
    {},
    text(x, y, row.outline, soft),
    link(row.href, textBlock(from, y, block, { ...fontOf(row), fill: row.isCritical ? theme.critical : theme.ink })),
    columns.start === null
      ? ''
      : text(columns.start, y, row.kind === 'milestone' ? '' : date(row.start), { ...soft, anchor: 'end' }),
    columns.finish === null ? '' : text(columns.finish, y, date(row.finish), { ...soft, anchor: 'end' }),
  );
}
