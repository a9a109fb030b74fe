import { addYears, dayFrom } from '../days.js';
import type { Parameters } from '../parameters.js';

/** Years shown on each side of today, where the dates have a longer range. */
const YEARS = 5;
const LONGEST_YEARS = 100;

interface Bounds {
  from: string | undefined;
  to: string | undefined;
}

/** The bounds that are given, as days. */
export function boundsOf(check: Parameters, query: { from?: string | undefined; to?: string | undefined }): Bounds {
  const day = (name: 'from' | 'to', rest: '-01-01' | '-12-31'): string | undefined => {
    const text = query[name];
    if (text === undefined) return undefined;
    return dayFrom(text, rest) ?? check.wrong(name, 'must be a date such as 2026-01-15, or a year');
  };
  const [from, to] = [day('from', '-01-01'), day('to', '-12-31')];
  if (from !== undefined && to !== undefined && from > to) check.wrong('to', 'must not be before from');
  if (from !== undefined && to !== undefined && addYears(from, LONGEST_YEARS) < to)
    check.wrong('to', `must be at most ${LONGEST_YEARS} years after from`);
  return { from, to };
}

const yearStart = (day: string): string => `${day.slice(0, 4)}-01-01`;
const yearEnd = (day: string): string => `${day.slice(0, 4)}-12-31`;
const earlier = (a: string, b: string): string => (a < b ? a : b);
const later = (a: string, b: string): string => (a > b ? a : b);

/**
 * The first day and the last day of the axis: as given, else whole years with all dates and today, cut to five years before
 * and after today.
 * @param data the range of the dates; null without any
 */
export function axisOf(
  { from, to }: Bounds,
  data: { first: string | null; last: string | null },
  today: string,
): { from: string; to: string } {
  const first = yearStart(earlier(data.first ?? today, today));
  const last = yearEnd(later(data.last ?? today, today));
  const isLong = addYears(first, 2 * YEARS) < last;
  const start = from ?? (isLong ? later(first, addYears(today, -YEARS)) : first);
  const end = to ?? (isLong ? earlier(last, addYears(today, YEARS)) : last);
  if (start <= end) return { from: start, to: end };
  // Only one bound is given, and lies outside the range of the others.
  return from === undefined ? { from: addYears(end, -YEARS), to: end } : { from: start, to: addYears(start, YEARS) };
}
