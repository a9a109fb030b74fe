/** The work of persons by week: the effort of tasks, spread evenly over their working days. */
import { mondayOf } from '../calendar/days.js';

/** A task of a person. Days are numbers of `dayOf`. */
export interface LoadedTask {
  personId: string;
  /** Hundredths of an hour. */
  effort: number;
  start: number;
  finish: number;
}

/** The working days of a plan, as `WorkingCalendar`. */
export interface LoadCalendar {
  indexOf(day: number): number;
  dayAt(index: number): number;
  between(from: number, to: number): number;
}

/** Hundredths of hours by the Monday of a week, by person. */
export type Load = Map<string, Map<number, number>>;

/**
 * Adds the effort of a task to the weeks of its working days; a task without working days has it in the week in which it
 * starts. What is left by rounding is in the last week, so that the sum is that of the task.
 * @param from,to weeks outside of these days are not added
 */
export function addLoad(load: Load, task: LoadedTask, calendar: LoadCalendar, from: number, to: number): void {
  const { personId, effort, start, finish } = task;
  const all = calendar.between(start, finish);
  if (all === 0) {
    add(load, personId, mondayOf(start), effort, from, to);
    return;
  }
  const [first, last] = [mondayOf(start), mondayOf(finish)];
  let passed = 0;
  // Weeks before and after the span of interest are skipped, so that a task of centuries takes no longer.
  const begin = Math.max(first, mondayOf(from));
  if (begin > first) passed = Math.round((effort * calendar.between(start, begin - 1)) / all);
  for (let week = begin; week <= last && week <= to; week += 7) {
    const until = Math.round((effort * calendar.between(start, Math.min(week + 6, finish))) / all);
    add(load, personId, week, until - passed, from, to);
    passed = until;
  }
}

function add(load: Load, personId: string, week: number, effort: number, from: number, to: number): void {
  if (effort === 0 || week + 6 < from || week > to) return;
  let weeks = load.get(personId);
  if (!weeks) load.set(personId, (weeks = new Map()));
  weeks.set(week, (weeks.get(week) ?? 0) + effort);
}
