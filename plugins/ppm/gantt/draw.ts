/** A Gantt chart as an SVG document. */
import {
  at,
  clean,
  element,
  escapeXml,
  line,
  measure,
  rect,
  rounded,
  text,
  textBlock,
  title,
  wrap,
} from '@lintel/sdk/drawing';
import { createHash } from 'node:crypto';
import { AXIS_HEIGHT, axisOf, restSpans, scaleOf, type Axis, type Scale } from './axis.js';
import { drawLegend } from './legend.js';
import { drawLinks } from './links.js';
import { drawBaseline, drawLabel, drawMark, labelWidth, placeOf } from './marks.js';
import type { Gantt, GanttOptions, GanttRow } from './chart.js';
import { columnsOf, dateFormat, drawCells, drawHead } from './table.js';
import { themeOf, type Theme } from './theme.js';
import { wordsOf, type Words } from './words.js';

const FONTS = 'DejaVu Sans, Verdana, sans-serif';
const MARGIN = 28;
const ROW = 25;
/** With the bar of a baseline below the mark. */
const ROW_WITH_BASELINE = 30;
/** After so many rows, the axis is repeated. */
const BLOCK = 50;
const MAX_DESCRIPTION = 4_000;
/** Pixels. */
const LINK_ROOM = 10;

/** The language if `Intl` knows it, otherwise English. */
function knownLanguage(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** The scale on which all marks and, as far as possible, the labels beside them have room. */
function fitted(gantt: Gantt, left: number, width: number): Scale {
  const days = gantt.rows.flatMap(({ start, finish, baseline }) => [
    start,
    finish,
    ...(baseline ? [baseline.start, baseline.finish] : []),
  ]);
  const from = days.reduce((least, day) => Math.min(least, day), days[0]!) - 1;
  const last = days.reduce((most, day) => Math.max(most, day), days[0]!) + 2;
  let dayWidth = width / (last - from);
  for (const row of gantt.rows) {
    const needed = row.finish + 1 - from;
    dayWidth = Math.min(dayWidth, (width - labelWidth(row) - 8) / needed);
  }
  // Labels that would need a third of the chart are written to the left of their marks.
  const to = Math.max(last, from + Math.min(width / dayWidth, ((last - from) * 4) / 3));
  // Lines of dependencies need room to the left of the first bar.
  const room = Math.ceil(((to - from) * LINK_ROOM) / width);
  return scaleOf(from - room, Math.ceil(to), left, width);
}

/** Where the rows are: after every block there is a line for the axis. */
function layout(count: number, height: number) {
  const top = (row: number): number => AXIS_HEIGHT + row * height + blocksBefore(row) * AXIS_HEIGHT;
  const blocksBefore = (row: number): number => Math.floor(row / BLOCK);
  return {
    top: (row: number): number => (row > 0 && row % BLOCK === 0 ? top(row - 1) + height : top(row)),
    first: top,
    heads: Array.from({ length: blocksBefore(count - 1) }, (_, i) => top((i + 1) * BLOCK) - AXIS_HEIGHT),
    bottom: top(count - 1) + height,
  };
}

/** The grounds and lines of the chart, behind everything else. */
function grid(gantt: Gantt, scale: Scale, axis: Axis, rows: ReturnType<typeof layout>, theme: Theme): string {
  const { bottom } = rows;
  const vertical = (places: readonly number[], stroke: string): string =>
    places.length === 0
      ? ''
      : element('path', {
          d: places.map((x) => `M${rounded(x)} ${AXIS_HEIGHT}V${rounded(bottom)}`).join(''),
          stroke,
          fill: 'none',
        });
  const lines = gantt.rows
    .map((_, i) => `M0 ${rounded(rows.top(i + 1))}H${rounded(scale.left + scale.width)}`)
    .join('');
  return [
    ...restSpans(gantt.nonWorking, scale).map(({ from, to }) =>
      rect(scale.x(from), AXIS_HEIGHT, scale.x(to) - scale.x(from), bottom - AXIS_HEIGHT, { fill: theme.rest }),
    ),
    scale.dayWidth < 10 || axis.lower.length < 60 ? vertical(axis.lower, theme.faintLine) : '',
    vertical(axis.upper, theme.line),
    element('path', { d: lines, stroke: theme.faintLine, fill: 'none' }),
  ].join('');
}

const isShown = (day: number, { from, to }: Scale): boolean => day >= from && day < to;

function todayLine(gantt: Gantt, scale: Scale, bottom: number, words: Words, theme: Theme): string {
  const x = scale.x(gantt.today + 0.5);
  if (!isShown(gantt.today, scale)) return '';
  const font = { size: 10.5, bold: true };
  const half = measure(words.today, font) / 2 + 4;
  const place = Math.min(Math.max(x, scale.left + half), scale.left + scale.width - half);
  return [
    line(x, AXIS_HEIGHT, x, bottom, { stroke: theme.today, 'stroke-width': 1.6, 'stroke-dasharray': '5 3' }),
    rect(place - half, -15, half * 2, 14, { rx: 3, fill: theme.today }),
    text(place, -4.3, words.today, { ...font, fill: theme.background, anchor: 'middle' }),
  ].join('');
}

/** @returns an SVG document: the same one for the same chart and options */
export function drawGantt(gantt: Gantt, options: GanttOptions): string {
  const lang = knownLanguage(options.lang);
  const [theme, words] = [themeOf(options.theme), wordsOf(lang)];
  const width = options.width - MARGIN * 2;
  const id = createHash('sha256')
    .update(JSON.stringify([gantt.title, gantt.rows.length, gantt.today, options]))
    .digest('hex')
    .slice(0, 8);
  const number = new Intl.NumberFormat(lang);
  const titleBlock = wrap(gantt.title, width, 2, { size: 22, bold: true });
  const count = words.items(number.format(gantt.rows.length));
  const subtitle = gantt.part
    ? words.part(
        number.format(gantt.part.first),
        number.format(gantt.part.first + gantt.rows.length - 1),
        number.format(gantt.part.total),
      )
    : count;
  const content =
    gantt.rows.length === 0
      ? empty(width, words, theme)
      : chart(gantt, { ...options, lang }, width, { theme, words, id });
  const top = MARGIN + titleBlock.lines.length * 28 + 44;
  const height = Math.ceil(top + content.height + MARGIN);
  const head = [
    textBlock(MARGIN, MARGIN + 18, titleBlock, { size: 22, bold: true, fill: theme.ink }),
    text(
      MARGIN,
      MARGIN + titleBlock.lines.length * 28 + 8,
      `${subtitle}${content.span === '' ? '' : `, ${content.span}`}`,
      { size: 13, fill: theme.soft },
    ),
  ];
  const described = gantt.rows
    .slice(0, 60)
    .map(({ outline, title }) => `${outline} ${title}`)
    .join('; ');
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: options.width,
      height,
      viewBox: `0 0 ${options.width} ${height}`,
      role: 'img',
      'aria-labelledby': `t${id} d${id}`,
      'font-family': FONTS,
    },
    element('title', { id: `t${id}` }, escapeXml(clean(words.chart(gantt.title)))),
    element('desc', { id: `d${id}` }, escapeXml(clean(`${subtitle}, ${content.span}. ${described}`, MAX_DESCRIPTION))),
    hatch(`h${id}`, theme),
    rect(0, 0, options.width, height, { fill: theme.background }),
    ...head,
    at(MARGIN, top, content.body),
  );
}

function hatch(id: string, { critical, criticalTint }: Theme): string {
  const size = { width: 5, height: 5 };
  return element(
    'defs',
    {},
    element(
      'pattern',
      { id, patternUnits: 'userSpaceOnUse', ...size, patternTransform: 'rotate(45)' },
      rect(0, 0, 5, 5, { fill: criticalTint }),
      line(0, 0, 0, 5, { stroke: critical, 'stroke-width': 2.6 }),
    ),
  );
}

interface Content {
  body: string;
  height: number;
  /** The first and the last date, in words. */
  span: string;
}

function empty(width: number, words: Words, theme: Theme): Content {
  const message = text(width / 2, 65, words.noItems, { size: 15, fill: theme.soft, anchor: 'middle' });
  return {
    body: rect(0, 0, width, 120, { fill: theme.faint, stroke: theme.faintLine, rx: 6 }) + message,
    height: 120,
    span: '',
  };
}

function chart(
  gantt: Gantt,
  options: GanttOptions,
  width: number,
  { theme, words, id }: { theme: Theme; words: Words; id: string },
): Content {
  const { rows } = gantt;
  const date = dateFormat(rows, options.lang);
  const columns = columnsOf(rows, width, words, date);
  const scale = fitted(gantt, columns.width, width - columns.width);
  const axis = axisOf(scale, { lang: options.lang, words, theme });
  const height = gantt.baseline === null ? ROW : ROW_WITH_BASELINE;
  const places = layout(rows.length, height);
  const raise = gantt.baseline === null ? 0 : 3;
  const marks = rows.map((row, i) => placeOf(row, scale, places.first(i) + height / 2 - raise));
  const labels = rows.map((row, i) => drawLabel(row, marks[i]!, scale, theme));
  const labelled = marks.map((mark, i) => ({ ...mark, label: labels[i]!.span }));
  const lanes = { marks: labelled, isMilestone: rows.map(({ kind }) => kind === 'milestone'), top: places.top };
  const links = drawLinks(gantt.links, lanes, theme);
  const shared = { theme, pattern: `h${id}` };
  const legend = drawLegend(gantt, width, words, shared, isShown(gantt.today, scale));
  const link = linked(options.publicUrl);
  const header = (y: number): string => at(0, y, axis.head, drawHead(columns, words, 27, theme));
  const about = (row: GanttRow): string =>
    clean(
      `${row.outline} ${row.title}: ${row.start === row.finish ? '' : `${date(row.start)} – `}${date(row.finish)}, ${Math.round(row.completion)} %`,
    );
  const notes = links.left > 0 ? [words.hidden(new Intl.NumberFormat(options.lang).format(links.left))] : [];
  const foot = places.bottom + 14;
  const body = [
    grid(gantt, scale, axis, places, theme),
    links.body,
    ...rows.map((row, i) =>
      element(
        'g',
        {},
        title(about(row)),
        drawBaseline(row, marks[i]!, scale, theme),
        drawMark(row, marks[i]!, shared),
        labels[i]!.body,
      ),
    ),
    ...rows.map((row, i) => drawCells(row, columns, places.first(i) + height / 2 + 4.2, theme, date, link)),
    todayLine(gantt, scale, places.bottom, words, theme),
    ...[0, ...places.heads].map(header),
    at(0, foot, legend.body),
    ...notes.map((note, i) => text(0, foot + legend.height + 16 + i * 16, note, { size: 12, fill: theme.soft })),
  ].join('');
  const first = rows.reduce((least, { start }) => Math.min(least, start), rows[0]!.start);
  const last = rows.reduce((most, { finish }) => Math.max(most, finish), rows[0]!.finish);
  const long = new Intl.DateTimeFormat(options.lang, { dateStyle: 'medium', timeZone: 'UTC', calendar: 'gregory' });
  const span = `${long.format(new Date(first * 86_400_000))} – ${long.format(new Date(last * 86_400_000))}`;
  return { body, height: foot + legend.height + notes.length * 16 + 4, span };
}

/** Draws elements as links, where the address of the service is known. */
function linked(publicUrl: string | undefined): (href: string | undefined, content: string) => string {
  const prefix =
    publicUrl !== undefined && /^https?:\/\/[^/]/i.test(publicUrl) ? publicUrl.replace(/\/+$/, '') : undefined;
  return (href, content) =>
    prefix === undefined || href === undefined || !/^\/(?![/\\])/.test(href)
      ? content
      : element('a', { href: prefix + clean(href), target: '_blank', rel: 'noopener' }, content);
}
