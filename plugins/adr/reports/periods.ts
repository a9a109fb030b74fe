export const INTERVALS = ['month', 'quarter'] as const;
export type Interval = (typeof INTERVALS)[number];

/** A month or quarter, or the part of it within a range; days are YYYY-MM-DD and belong to it. */
export interface Period {
  /** `2026-01` or `2026-Q1`. */
  key: string;
  /** First day of the whole month or quarter. */
  start: string;
  from: string;
  to: string;
}

const day = (year: number, month: number, date: number): string =>
  new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10);
const partsOf = (text: string): [year: number, month: number] => [
  Number(text.slice(0, 4)),
  Number(text.slice(5, 7)) - 1,
];

/** The first day of the period some periods before that of a day. @param count 0 for the same period */
export function startBefore(of: string, interval: Interval, count: number): string {
  const [year, month] = partsOf(of);
  const months = interval === 'month' ? 1 : 3;
  return day(year, month - (month % months) - count * months, 1);
}

/**
 * The periods of a range of days, the first and the last cut to it.
 * @param most returns at most one more than this
 */
export function periodsOf(from: string, to: string, interval: Interval, most: number): Period[] {
  const periods: Period[] = [];
  const months = interval === 'month' ? 1 : 3;
  for (let start = startBefore(from, interval, 0); start <= to && periods.length <= most; ) {
    const [year, month] = partsOf(start);
    const next = day(year, month + months, 1);
    const last = day(year, month + months, 0);
    periods.push({
      key: interval === 'month' ? start.slice(0, 7) : `${start.slice(0, 4)}-Q${month / 3 + 1}`,
      start,
      from: start < from ? from : start,
      to: last > to ? to : last,
    });
    start = next;
  }
  return periods;
}
