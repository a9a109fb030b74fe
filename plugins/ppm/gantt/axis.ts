/** The time axis: its scale, and the two lines of periods above the rows. */
import { element, line, measure, rect, text } from '@lintel/sdk/drawing';
import { mondayOf } from '../calendar/days.js';
import type { Theme } from './theme.js';
import type { Words } from './words.js';

const DAY_MS = 86_400_000;
const SMALL = { size: 11 };
const BOLD = { size: 11.5, bold: true };
/** Height of each of the two lines. */
export const LINE = 21;
export const AXIS_HEIGHT = LINE * 2;

/** Places on the axis. */
export interface Scale {
  /** The first day, and the day after the last one. */
  from: number;
  to: number;
  left: number;
  width: number;
  /** Pixels. */
  dayWidth: number;
  /** The place of the beginning of a day. */
  x(day: number): number;
}

/** @param left the left edge in pixels */
export function scaleOf(from: number, to: number, left: number, width: number): Scale {
  const dayWidth = width / Math.max(to - from, 1);
  return { from, to, left, width, dayWidth, x: (day) => left + (day - from) * dayWidth };
}

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year' | 'decade' | 'century' | 'millennium';
const MONTHS: Partial<Record<Unit, number>> = {
  month: 1,
  quarter: 3,
  year: 12,
  decade: 120,
  century: 1_200,
  millennium: 12_000,
};

/** The first days of periods within the scale, and that of the one in which it begins. */
function periods({ from, to }: Scale, unit: Unit): number[] {
  const found: number[] = [];
  const months = MONTHS[unit];
  if (months === undefined) {
    const step = unit === 'week' ? 7 : 1;
    for (let day = unit === 'week' ? mondayOf(from) : from; day < to; day += step) found.push(day);
    return found;
  }
  const first = new Date(from * DAY_MS);
  let month = Math.floor((first.getUTCFullYear() * 12 + first.getUTCMonth()) / months) * months;
  for (;;) {
    const day = firstOfMonth(month);
    if (day >= to) return found;
    found.push(day);
    month += months;
  }
}

/** @param month counted from that of the year 0 */
function firstOfMonth(month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(0, month, 1);
  return date.getTime() / DAY_MS;
}

/** Languages and words of the labels. */
export interface Labels {
  lang: string;
  words: Words;
  theme: Theme;
}

type Label = (day: number) => string;

function labelsOf({ lang, words }: Labels): Record<string, Label> {
  const format = (options: Intl.DateTimeFormatOptions): Label => {
    const formatter = new Intl.DateTimeFormat(lang, { ...options, timeZone: 'UTC', calendar: 'gregory' });
    return (day) => formatter.format(new Date(day * DAY_MS));
  };
  const yearOf = (day: number): number => new Date(day * DAY_MS).getUTCFullYear();
  const monthOf = (day: number): number => new Date(day * DAY_MS).getUTCMonth();
  return {
    day: (day) => String(new Date(day * DAY_MS).getUTCDate()),
    weekday: format({ weekday: 'narrow' }),
    week: (day) => `${words.week}${weekNumber(day)}`,
    weekOnly: (day) => String(weekNumber(day)),
    month: format({ month: 'short' }),
    monthNarrow: format({ month: 'narrow' }),
    monthYear: format({ month: 'long', year: 'numeric' }),
    monthYearShort: format({ month: 'short', year: 'numeric' }),
    quarter: (day) => `${words.quarter}${Math.floor(monthOf(day) / 3) + 1}`,
    year: (day) => String(yearOf(day)),
    yearShort: (day) => `’${String(yearOf(day) % 100).padStart(2, '0')}`,
    none: () => '',
  };
}

function weekNumber(day: number): number {
  const thursday = mondayOf(day) + 3;
  const year = new Date(thursday * DAY_MS).getUTCFullYear();
  return Math.floor((thursday - firstOfMonth(year * 12)) / 7) + 1;
}

/** The lower and the upper line, from wide days to narrow ones; the first whose labels have room is used. */
const TIERS: readonly [lower: Unit, lowerLabel: string, upper: Unit, upperLabels: readonly string[]][] = [
  ['day', 'day', 'month', ['monthYear', 'monthYearShort', 'month', 'none']],
  ['week', 'week', 'month', ['monthYear', 'monthYearShort', 'month', 'none']],
  ['week', 'weekOnly', 'month', ['monthYear', 'monthYearShort', 'month', 'none']],
  ['month', 'month', 'year', ['year', 'none']],
  ['month', 'monthNarrow', 'year', ['year', 'none']],
  ['quarter', 'quarter', 'year', ['year', 'none']],
  ['year', 'year', 'decade', ['year', 'none']],
  ['year', 'yearShort', 'decade', ['year', 'none']],
  ['decade', 'year', 'century', ['year', 'none']],
  ['century', 'year', 'millennium', ['year', 'none']],
  ['millennium', 'year', 'millennium', ['none']],
];
const DAYS: Record<Unit, number> = {
  day: 1,
  week: 7,
  month: 28,
  quarter: 90,
  year: 365,
  decade: 3_652,
  century: 36_524,
  millennium: 365_242,
};

/** The axis at the top, and the places of the lines through the rows. */
export interface Axis {
  /** The two lines of labels, from y = 0. */
  head: string;
  /** Left edges of the periods of the lower line, and of the upper one. */
  lower: readonly number[];
  upper: readonly number[];
}

export function axisOf(scale: Scale, options: Labels): Axis {
  const labels = labelsOf(options);
  const [unit, lowerLabel, upperUnit, upperLabels] =
    TIERS.find(([unit, label]) => {
      const widest = Math.max(
        ...periods({ ...scale, to: Math.min(scale.to, scale.from + DAYS[unit] * 60) }, unit).map((day) =>
          measure(labels[label]!(day), SMALL),
        ),
      );
      return DAYS[unit] * scale.dayWidth >= widest + 6;
    }) ?? TIERS.at(-1)!;
  const [lower, upper] = [periods(scale, unit), periods(scale, upperUnit)];
  const { theme } = options;
  const right = scale.left + scale.width;
  const tier = (
    days: readonly number[],
    texts: readonly Label[],
    y: number,
    font: typeof SMALL,
    fill: string,
  ): string =>
    days
      .map((day, i) => {
        const x1 = Math.max(scale.x(day), scale.left);
        const x2 = Math.min(days[i + 1] === undefined ? right : scale.x(days[i + 1]!), right);
        const label = texts.map((of) => of(day)).find((one) => measure(one, font) <= x2 - x1 - 4) ?? '';
        const edge = x1 > scale.left + 0.5 ? line(x1, y, x1, y + LINE, { stroke: theme.line }) : '';
        return edge + text((x1 + x2) / 2, y + 14.5, label, { ...font, fill, anchor: 'middle' });
      })
      .join('');
  const head = element(
    'g',
    {},
    rect(scale.left, 0, scale.width, AXIS_HEIGHT, { fill: theme.faint, stroke: theme.line }),
    tier(
      upper,
      upperLabels.map((name) => labels[name]!),
      0,
      BOLD,
      theme.ink,
    ),
    line(scale.left, LINE, right, LINE, { stroke: theme.line }),
    tier(lower, [labels[lowerLabel]!], LINE, SMALL, theme.soft),
  );
  const inside = (days: readonly number[]): number[] =>
    days.map((day) => scale.x(day)).filter((x) => x > scale.left + 0.5);
  return { head, lower: inside(lower), upper: inside(upper) };
}

/** Days that are not worked, as joined spans; none where days are too narrow to be told apart. */
export function restSpans(days: readonly number[], scale: Scale): { from: number; to: number }[] {
  if (scale.dayWidth < 2.5) return [];
  const spans: { from: number; to: number }[] = [];
  for (const day of days) {
    if (day < scale.from || day >= scale.to) continue;
    const last = spans.at(-1);
    if (last && last.to === day) last.to = day + 1;
    else spans.push({ from: day, to: day + 1 });
  }
  return spans;
}

/** The days between two ones that a calendar does not work, at most 4,000: more could not be seen. */
export function restDays(from: number, to: number, isWorking: (day: number) => boolean): number[] {
  const days: number[] = [];
  if (to - from > 4_000) return days;
  for (let day = from; day <= to; day++) if (!isWorking(day)) days.push(day);
  return days;
}
