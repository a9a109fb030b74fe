import { weekdayOf } from './days.js';

/** A day that differs from the others of its weekday. */
export interface CalendarException {
  day: number;
  working: boolean;
}

/**
 * Which days are worked, and how many of them lie between two days. Days are numbers of `dayOf`. Every method takes
 * O(log n) for n exceptions.
 */
export class WorkingCalendar {
  /** By ISO weekday − 1: whether it is worked, and the worked days of the week before it. */
  readonly #works: readonly boolean[];
  readonly #before: readonly number[];
  /** Positions in the week of its worked days. */
  readonly #worked: readonly number[];
  /** Exceptions that differ from their weekday, ascending; `#sum[i]` is the change of the count by the first i of them. */
  readonly #days: readonly number[];
  readonly #sum: readonly number[];

  /**
   * @param weekdays by ISO 8601, 1 is Monday; at least one
   * @param exceptions of several for one day the last one counts
   * @throws RangeError without a working weekday
   */
  constructor(weekdays: Iterable<number>, exceptions: Iterable<CalendarException> = []) {
    const set = new Set(weekdays);
    const works = [1, 2, 3, 4, 5, 6, 7].map((weekday) => set.has(weekday));
    if (!works.includes(true)) throw new RangeError('A calendar needs a working weekday.');
    this.#works = works;
    this.#before = works.map((_, i) => works.slice(0, i).filter(Boolean).length);
    this.#worked = works.flatMap((isWorked, i) => (isWorked ? [i] : []));
    const byDay = new Map<number, boolean>();
    for (const { day, working } of exceptions) byDay.set(day, working);
    const real = [...byDay].filter(([day, working]) => works[weekdayOf(day) - 1] !== working).sort(([a], [b]) => a - b);
    this.#days = real.map(([day]) => day);
    const sum = [0];
    for (const [, working] of real) sum.push(sum.at(-1)! + (working ? 1 : -1));
    this.#sum = sum;
  }

  isWorking(day: number): boolean {
    const at = this.#exceptionsBefore(day);
    return this.#days[at] === day ? this.#sum[at + 1]! > this.#sum[at]! : this.#works[weekdayOf(day) - 1]!;
  }

  /** The index of the first working day on or after a day; indexes of successive working days differ by 1. */
  indexOf(day: number): number {
    return this.#regular(day) + this.#sum[this.#exceptionsBefore(day)]!;
  }

  /** The working day with an index. */
  dayAt(index: number): number {
    // The number of exceptions that lie before the day: those after which the index is not yet passed.
    let [low, high] = [0, this.#days.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#regular(this.#days[middle]! + 1) + this.#sum[middle + 1]! <= index) low = middle + 1;
      else high = middle;
    }
    const next = this.#days[low];
    // The exception itself is the day, if it is the first on which the index is reached.
    if (next !== undefined && this.#regular(next) + this.#sum[low]! <= index) return next;
    return this.#regularDay(index - this.#sum[low]!);
  }

  /** The number of working days from one day to another, both included; 0 if the second is before the first. */
  between(from: number, to: number): number {
    return to < from ? 0 : this.indexOf(to + 1) - this.indexOf(from);
  }

  /** Whether two calendars work on the same days. */
  equals(other: WorkingCalendar): boolean {
    return (
      this.#works.join() === other.#works.join() &&
      this.#days.join() === other.#days.join() &&
      this.#sum.join() === other.#sum.join()
    );
  }

  #exceptionsBefore(day: number): number {
    let [low, high] = [0, this.#days.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#days[middle]! < day) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Working days by weekday alone from Monday 1969-12-29 to the day before. */
  #regular(day: number): number {
    const weeks = Math.floor((day + 3) / 7);
    return weeks * this.#worked.length + this.#before[weekdayOf(day) - 1]!;
  }

  #regularDay(index: number): number {
    const weeks = Math.floor(index / this.#worked.length);
    return weeks * 7 - 3 + this.#worked[index - weeks * this.#worked.length]!;
  }
}
