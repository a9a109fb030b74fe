const DAY_MS = 86_400_000;

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Another day. @param day YYYY-MM-DD. @param days may be negative */
export const addDays = (day: string, days: number): string => dayOf(timeOf(day) + days * DAY_MS);

/** Number of days from one day to another one, negative if it is before. */
export const daysBetween = (from: string, to: string): number => Math.round((timeOf(to) - timeOf(from)) / DAY_MS);

/** The same day of another year, within 0001 to 9999; 29 February becomes the 28th. */
export function addYears(day: string, years: number): string {
  const year = Math.min(9_999, Math.max(1, Number(day.slice(0, 4)) + years));
  const rest = day.slice(4) === '-02-29' ? '-02-28' : day.slice(4);
  return `${String(year).padStart(4, '0')}${rest}`;
}

const FORM = /^(\d{4})(-\d\d-\d\d)?$/;

/**
 * A day from a date or a year.
 * @param rest what a year is completed by: `-01-01` or `-12-31`
 * @returns undefined where it is neither
 */
export function dayFrom(text: string, rest: '-01-01' | '-12-31'): string | undefined {
  const [, year, monthAndDay] = FORM.exec(text) ?? [];
  if (year === undefined || year === '0000') return undefined;
  const day = `${year}${monthAndDay ?? rest}`;
  const time = timeOf(day);
  return Number.isNaN(time) || dayOf(time) !== day ? undefined : day;
}
