/** Days as numbers: counted from 1970-01-01, in the Gregorian calendar, without time zones. */
const DAY_MS = 86_400_000;
/** 0001-01-01 and 9999-12-31: the dates that the API can write. */
export const FIRST_DAY = -719_162;
export const LAST_DAY = 2_932_896;

/** Days of 400 years, after which the calendar repeats; of 100, 4 and 1 years. */
const [ERA, CENTURY, OLYMPIAD, YEAR] = [146_097, 36_524, 1_461, 365];
/** Days from 0000-03-01, with which an era begins, to 1970-01-01. */
const EPOCH = 719_468;

/** The number of a date. @param date YYYY-MM-DD @returns NaN for anything else */
export function dayOf(date: string): number {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return Number.NaN;
  const [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8))];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month < 1 || month > 12 || day < 1 || day > MONTHS[month - 1]! + (month === 2 && isLeap ? 1 : 0))
    return Number.NaN;
  // Years begin in March here, so that the leap day is the last one.
  const of = month > 2 ? year : year - 1;
  const era = Math.floor(of / 400);
  const inEra = of - era * 400;
  const inYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return era * ERA + inEra * YEAR + (inEra >> 2) - Math.floor(inEra / 100) + inYear - EPOCH;
}

const MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const digits = (value: number, length: number): string => String(value).padStart(length, '0');

/**
 * The date of a day, YYYY-MM-DD; computed as H. Hinnant describes in "chrono-Compatible Low-Level Date Algorithms", which is
 * much faster than `Date` for the many dates of a large plan.
 * @throws RangeError outside of the years 1 to 9999
 */
export function dateOf(day: number): string {
  if (!(day >= FIRST_DAY && day <= LAST_DAY)) throw new RangeError(`Day ${day} is outside of the years 1 to 9999.`);
  const shifted = day + EPOCH;
  const era = Math.floor(shifted / ERA);
  const inEra = shifted - era * ERA;
  const year = Math.floor(
    (inEra - Math.floor(inEra / (OLYMPIAD - 1)) + Math.floor(inEra / CENTURY) - Math.floor(inEra / (ERA - 1))) / YEAR,
  );
  const inYear = inEra - (YEAR * year + (year >> 2) - Math.floor(year / 100));
  const fromMarch = Math.floor((5 * inYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const first = Math.floor((153 * fromMarch + 2) / 5);
  return `${digits(era * 400 + year + (month <= 2 ? 1 : 0), 4)}-${digits(month, 2)}-${digits(inYear - first + 1, 2)}`;
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
