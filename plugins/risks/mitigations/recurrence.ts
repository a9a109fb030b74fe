export const FREQUENCIES = ['none', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

const MONTHS: Partial<Record<Frequency, number>> = { monthly: 1, quarterly: 3, yearly: 12 };
const DAY_MS = 86_400_000;
const LAST_YEAR = 9_999;

const parts = (date: string): [year: number, month: number, day: number] =>
  date.split('-').map(Number) as [number, number, number];

function inMonth(start: string, months: number): string | undefined {
  const [year, month, day] = parts(start);
  const index = year * 12 + month - 1 + months;
  const [y, m] = [Math.floor(index / 12), index % 12];
  if (y > LAST_YEAR) return undefined;
  const last = new Date(Date.UTC(y, m + 1, 0)).getUTCDate();
  return [
    String(y).padStart(4, '0'),
    String(m + 1).padStart(2, '0'),
    String(Math.min(day, last)).padStart(2, '0'),
  ].join('-');
}

/**
 * The next date of a series. Months are counted from the start of the series: the 31st becomes the
 * last day of shorter months, and the 31st again later.
 * @param start first date of the series, YYYY-MM-DD
 * @param due a date of the series
 * @returns undefined if there is no next date, or none in a year of four digits
 */
export function nextDate(frequency: Frequency, interval: number, start: string, due: string): string | undefined {
  if (frequency === 'none') return undefined;
  const months = MONTHS[frequency];
  if (months !== undefined) {
    const [[y0, m0], [y1, m1]] = [parts(start), parts(due)];
    return inMonth(start, (y1 - y0) * 12 + m1 - m0 + months * interval);
  }
  const next = new Date(Date.parse(`${due}T00:00:00Z`) + 7 * interval * DAY_MS);
  return next.getUTCFullYear() > LAST_YEAR ? undefined : next.toISOString().slice(0, 10);
}
