/** Days as numbers: counted from 1970-01-01, in the Gregorian calendar, without time zones. */
const DAY_MS = 86_400_000;
/** 0001-01-01 and 9999-12-31: the dates that the API can write. */
export const FIRST_DAY = -719_162;
export const LAST_DAY = 2_932_896;

/** The number of a date. @param date YYYY-MM-DD @returns NaN for anything else */
export function dayOf(date: string): number {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return Number.NaN;
  const time = Date.parse(`${date}T00:00:00Z`);
  // The parser takes the 30th of February for a day of March.
  return new Date(time).getUTCDate() === Number(date.slice(8)) ? time / DAY_MS : Number.NaN;
}

/** The date of a day, YYYY-MM-DD. @throws RangeError outside of the years 1 to 9999 */
export function dateOf(day: number): string {
  if (!(day >= FIRST_DAY && day <= LAST_DAY)) throw new RangeError(`Day ${day} is outside of the years 1 to 9999.`);
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The weekday of a day by ISO 8601: 1 is Monday, 7 is Sunday. Day 0 was a Thursday. */
export const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

/** The Monday of the week of a day. */
export const mondayOf = (day: number): number => day - weekdayOf(day) + 1;

/** The ISO 8601 week of a day, such as `2026-W01`: the year is that of its Thursday. */
export function isoWeekOf(day: number): string {
  const thursday = mondayOf(day) + 3;
  const year = new Date(thursday * DAY_MS).getUTCFullYear();
  const first = new Date(0);
  first.setUTCFullYear(year, 0, 1);
  const week = Math.floor((thursday - first.getTime() / DAY_MS) / 7) + 1;
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`;
}
