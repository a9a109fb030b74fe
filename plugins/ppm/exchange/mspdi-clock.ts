/** Moments in files of Microsoft Project, and the hours of a day that a calendar works. */
import { dayOf, weekdayOf } from '../calendar/days.js';
import type { WorkingCalendar } from '../calendar/working-calendar.js';

/** A day, as a number of `dayOf`, and a minute of it, from 0 to 1,440. */
export interface Moment {
  day: number;
  minute: number;
}

/** From and to, in minutes of the day. */
export type Hours = readonly (readonly [from: number, to: number])[];

export const MINUTES_PER_DAY = 1_440;
/** What Microsoft Project works on a day whose calendar states no times. */
const USUAL: Hours = [
  [8 * 60, 12 * 60],
  [13 * 60, 17 * 60],
];
const TIME = /^(\d\d):(\d\d)/;

/** The minute of the day of a time such as 17:00:00; undefined for another text. */
export function minuteOf(text: string): number | undefined {
  const [, hours, minutes] = TIME.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const minute = Number(hours) * 60 + Number(minutes);
  return minute <= MINUTES_PER_DAY ? minute : undefined;
}

/** @param otherwise the minute of a text that states a date alone @returns null for a text that is neither */
export function momentOf(text: string, otherwise: number): Moment | null {
  const date = text.slice(0, 10);
  const day = dayOf(date);
  if (Number.isNaN(day) || date < '0001') return null;
  return { day, minute: minuteOf(text.slice(11)) ?? otherwise };
}

/** The minutes that are worked in a day. */
export const minutesIn = (hours: Hours): number => hours.reduce((sum, [from, to]) => sum + to - from, 0);

/** The working days of a calendar with their hours. */
export class WorkClock {
  /** @param hours by ISO weekday, for those that state them; none is empty */
  constructor(
    readonly days: WorkingCalendar,
    private readonly hours: ReadonlyMap<number, Hours>,
  ) {}

  /**
   * The day to which a finish belongs: the last one of which something was worked before. At 00:00, and when the work of a day begins,
   * nothing of that day was.
   * @param first the day of the start, which the finish is not before; minus infinity without a start
   */
  lastDay({ day, minute }: Moment, first: number): number {
    const begin = this.days.isWorking(day) ? this.#hoursOf(day)[0]![0] : 0;
    if (minute > begin || day <= first) return day;
    const worked = this.days.dayAt(this.days.indexOf(day) - 1);
    return worked >= first ? worked : day - 1;
  }

  /** The share of a working day that has passed at a moment, 0 to 1; 0 on other days. */
  passed({ day, minute }: Moment): number {
    if (!this.days.isWorking(day)) return 0;
    const hours = this.#hoursOf(day);
    const done = hours.map(([from, to]) => [from, Math.min(Math.max(minute, from), to)] as const);
    return minutesIn(done) / minutesIn(hours);
  }

  #hoursOf(day: number): Hours {
    return this.hours.get(weekdayOf(day)) ?? USUAL;
  }
}
