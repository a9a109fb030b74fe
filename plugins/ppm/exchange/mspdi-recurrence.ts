/** The days of recurring exceptions of calendars. Source: the documentation of `Exception` in the XML schema of Microsoft Project. */
import { dateOf, dayOf, LAST_DAY, weekdayOf } from '../calendar/days.js';
import { textOf, type Node } from './xml.js';

/** Days of a recurrence are looked for over at most 200 years: the dates of Microsoft Project are from 1984 to 2149. */
const MOST_DAYS = 200 * 366;

/** The numbers of `Exception/Type`. */
const TYPES = {
  daily: 1,
  yearlyByDay: 2,
  yearlyByPosition: 3,
  monthlyByDay: 4,
  monthlyByPosition: 5,
  weekly: 6,
  byDayCount: 7,
} as const;

/**
 * The days of an exception, ascending, without their end: the caller takes what it needs.
 * @param from,to the first and the last day on which it can be, as numbers of `dayOf`
 * @returns undefined for a recurrence that cannot be read
 */
export function recurringDays(node: Node, from: number, to: number): Iterable<number> | undefined {
  const numberOf = (name: string, least: number, most: number): number => {
    const value = Number(textOf(node, name) ?? Number.NaN);
    return Number.isInteger(value) && value >= least && value <= most ? value : Number.NaN;
  };
  const period = Number(textOf(node, 'Period') ?? '1') || 1;
  if (!Number.isInteger(period) || period < 1 || period > 999) return undefined;
  const last = Math.min(to, from + MOST_DAYS, LAST_DAY);
  const month = numberOf('Month', 0, 11);
  const day = numberOf('MonthDay', 1, 31);
  const [item, position] = [numberOf('MonthItem', 0, 9), numberOf('MonthPosition', 0, 4)];
  const weekdays = numberOf('DaysOfWeek', 1, 127);
  const ofMonth = (first: number): number => dayInMonth(first, day);
  const placed = (first: number): number => placedDay(first, item, position);
  const [hasDay, hasPlace] = [!Number.isNaN(day), !Number.isNaN(item + position)];
  const type = Number(textOf(node, 'Type') ?? '1');
  const found = (days: Iterable<number>): Iterable<number> => limited(days, node, from, last);
  if (type === TYPES.daily || type === TYPES.byDayCount) return found(stepped(from, last, period));
  if (type === TYPES.weekly && !Number.isNaN(weekdays)) return found(weekly(from, last, period, weekdays));
  if (type === TYPES.monthlyByDay && hasDay) return found(monthly(from, last, period, ofMonth));
  if (type === TYPES.monthlyByPosition && hasPlace) return found(monthly(from, last, period, placed));
  if (Number.isNaN(month)) return undefined;
  if (type === TYPES.yearlyByDay && hasDay) return found(yearly(from, last, month, ofMonth));
  if (type === TYPES.yearlyByPosition && hasPlace) return found(yearly(from, last, month, placed));
  return undefined;
}

/** Those between the first and the last day, and not more than the exception counts, if it does. */
function* limited(days: Iterable<number>, node: Node, from: number, last: number): Generator<number> {
  const isCounted = textOf(node, 'EnteredByOccurrences') === '1';
  let left = isCounted ? Number(textOf(node, 'Occurrences') ?? Number.NaN) : Number.NaN;
  for (const day of days) {
    if (Number.isNaN(day) || day < from) continue;
    if (day > last || left <= 0) return;
    left--;
    yield day;
  }
}

function* stepped(from: number, last: number, step: number): Generator<number> {
  for (let day = from; day <= last; day += step) yield day;
}

/** @param mask a bit for each weekday: 1 is Sunday, 64 is Saturday; weeks begin on Sunday */
function* weekly(from: number, last: number, period: number, mask: number): Generator<number> {
  const sunday = from - (weekdayOf(from) % 7);
  for (let week = sunday; week <= last; week += period * 7)
    for (let i = 0; i < 7; i++) if ((mask & (1 << i)) !== 0) yield week + i;
}

function* monthly(from: number, last: number, period: number, dayFrom: (first: number) => number): Generator<number> {
  for (let first = monthOf(from, 0); first <= last; first = monthOf(first, period)) yield dayFrom(first);
}

function* yearly(from: number, last: number, month: number, dayFrom: (first: number) => number): Generator<number> {
  const start = monthOf(from, 0);
  const january = monthOf(start, 1 - Number(dateOf(start).slice(5, 7)));
  for (let first = monthOf(january, month); first <= last; first = monthOf(first, 12)) yield dayFrom(first);
}

/** The first day of the month that is so many months after that of a day; past the last year, a day after the last one. */
function monthOf(day: number, months: number): number {
  const date = dateOf(day);
  const all = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months;
  const [year, month] = [Math.floor(all / 12), (all % 12) + 1];
  return year > 9_999 ? LAST_DAY + 1 : dayOf(`${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`);
}

/** NaN for a month that has no such day. */
function dayInMonth(first: number, day: number): number {
  return day <= daysIn(first) ? first + day - 1 : Number.NaN;
}
const daysIn = (first: number): number => Math.min(monthOf(first, 1), LAST_DAY + 1) - first;

/**
 * The first to the fourth, or the last, day of a kind in a month.
 * @param item 0 is any day, 1 Monday to Friday, 2 Saturday and Sunday, 3 Sunday to 9 Saturday @param position 0 to 3, or 4 for the last
 */
function placedDay(first: number, item: number, position: number): number {
  const isOne = (weekday: number): boolean => {
    if (item === 0) return true;
    if (item <= 2) return weekday <= 5 === (item === 1);
    return weekday % 7 === item - 3;
  };
  const days = Array.from({ length: daysIn(first) }, (_, i) => first + i).filter((day) => isOne(weekdayOf(day)));
  return days.at(position === 4 ? -1 : position)!;
}
