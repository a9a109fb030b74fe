/** Days as numbers, and the ticks of a time axis. */
import { type Font, measure } from '@lintel/sdk/drawing';

const DAY = 86_400_000;

/** The days from 1970-01-01 to a date; NaN where it is none. @param date YYYY-MM-DD, or with a time after it */
export const dayOf = (date: string): number =>
  /^\d{4}-\d\d-\d\d/.test(date) ? Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / DAY : Number.NaN;

/** @param month from 0, also beyond 11 */
function firstOf(year: number, month: number): number {
  const date = new Date(0);
  // Not `Date.UTC`, which reads the years 0 to 99 as those of the 20th century.
  date.setUTCFullYear(year, month, 1);
  return date.getTime() / DAY;
}

type Format = Intl.DateTimeFormatOptions;
interface Step {
  unit: 'day' | 'month';
  count: number;
  format: Format;
}

const DAYS: Format = { day: 'numeric', month: 'short', year: 'numeric' };
const MONTHS: Format = { month: 'short', year: 'numeric' };
const YEARS: Format = { year: 'numeric' };
const STEPS: readonly Step[] = [
  ...[1, 2, 7, 14].map((count) => ({ unit: 'day' as const, count, format: DAYS })),
  ...[1, 2, 3, 6].map((count) => ({ unit: 'month' as const, count, format: MONTHS })),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000].map((years) => ({
    unit: 'month' as const,
    count: years * 12,
    format: YEARS,
  })),
];
/** Days of a step, for an estimate of how many there are. */
const lengthOf = ({ unit, count }: Step): number => (unit === 'day' ? count : count * 30.4);

export interface DateTick {
  day: number;
  label: string;
}

function placesOf({ unit, count }: Step, from: number, to: number): number[] {
  const places: number[] = [];
  if (unit === 'day') {
    // Day 4 was a Monday, so that steps of weeks begin on Mondays.
    for (let day = Math.ceil((from - 4) / count) * count + 4; day <= to; day += count) places.push(day);
    return places;
  }
  const start = new Date(from * DAY);
  let month = Math.floor((start.getUTCFullYear() * 12 + start.getUTCMonth()) / count) * count;
  for (; firstOf(0, month) <= to; month += count) if (firstOf(0, month) >= from) places.push(firstOf(0, month));
  return places;
}

/** The formatter of the last language: to create one takes longer than to format a thousand dates. */
let last: { lang: string; format: Intl.DateTimeFormat } | undefined;

/** A date in words of a language. @param day a number of `dayOf` */
export function dateText(day: number, lang: string): string {
  if (last?.lang !== lang)
    last = { lang, format: new Intl.DateTimeFormat(lang, { ...DAYS, timeZone: 'UTC', calendar: 'gregory' }) };
  return last.format.format(new Date(day * DAY));
}

/**
 * The days at which a time axis has ticks, as many as there is room for.
 * @param width the length of the axis in px
 */
export function dateTicks(from: number, to: number, width: number, lang: string, font: Font): DateTick[] {
  for (const step of STEPS) {
    const pitch = (lengthOf(step) * width) / Math.max(to - from, 1);
    // A tick takes 20 px at least: below that, its dates need not be formatted.
    if (pitch < 20) continue;
    const format = new Intl.DateTimeFormat(lang, { ...step.format, timeZone: 'UTC', calendar: 'gregory' });
    const ticks = placesOf(step, from, to).map((day) => ({ day, label: format.format(new Date(day * DAY)) }));
    const widest = Math.max(0, ...ticks.map(({ label }) => measure(label, font)));
    // 28 days are the shortest month.
    if (pitch * (step.unit === 'month' ? 0.92 : 1) >= widest + 16) return ticks.length > 0 ? ticks : ends(from, lang);
  }
  return ends(from, lang);
}

const ends = (from: number, lang: string): DateTick[] => [{ day: from, label: dateText(from, lang) }];
