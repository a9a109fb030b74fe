/** The days of a schedule. */
import { dayOf, FIRST_DAY, LAST_DAY } from '../calendar/days.js';
import type { WorkingCalendar } from '../calendar/working-calendar.js';
import { mapInSlices, visitInSlices } from '../slices.js';
import { constraintOf } from './bounds.js';
import type { ItemTimes, PlanItem, Times } from './types.js';

/** The days of an item, as numbers of `dayOf`: its first and its last one. */
export interface ItemDays {
  start: number;
  finish: number;
  earlyStart: number;
  earlyFinish: number;
  lateStart: number;
  lateFinish: number;
}

/** The schedule leaves the years 1 to 9999. */
export class DatesOutOfRange extends RangeError {}

/**
 * The days of every item. An item of several days starts on the first and finishes on the last one of them. An item without
 * a duration, such as a milestone, is on the day at whose end it falls; on its planned date, if that is at the same
 * working time, such as on a Saturday; and on the first day of the plan, if it is at the beginning of the plan. A summary is
 * from the first to the last day below it.
 * @param items in the order of the times
 * @param origin index of the first working day of the plan
 * @throws DatesOutOfRange
 */
export async function daysOf(
  items: readonly PlanItem[],
  times: Times,
  calendar: WorkingCalendar,
  origin: number,
): Promise<ItemDays[]> {
  const momentOf = (item: PlanItem, time: number): number => {
    const { date } = constraintOf(item);
    const planned = date === null ? Number.NaN : dayOf(date);
    if (calendar.indexOf(planned + 1) - origin === time) return planned;
    return calendar.dayAt(origin + (time === 0 ? 0 : time - 1));
  };
  const first = (item: PlanItem, time: number, duration: number): number =>
    duration === 0 ? momentOf(item, time) : calendar.dayAt(origin + time);
  const last = (item: PlanItem, time: number, duration: number): number =>
    duration === 0 ? momentOf(item, time) : calendar.dayAt(origin + time - 1);
  const days = await mapInSlices(items, (item, i): ItemDays => {
    const { duration, isSummary, ...at } = times.items[i]!;
    if (isSummary) return ofSummary(times.items[i]!, calendar, origin);
    return {
      start: first(item, at.start, duration),
      finish: last(item, at.finish, duration),
      earlyStart: first(item, at.earlyStart, duration),
      earlyFinish: last(item, at.earlyFinish, duration),
      lateStart: first(item, at.lateStart, duration),
      lateFinish: last(item, at.lateFinish, duration),
    };
  });
  await rollUp(items, times, days);
  if (days.some((one) => !isInRange(one))) throw new DatesOutOfRange();
  return days;
}

/** Early and scheduled days lie between these. */
function isInRange({ start, finish, earlyStart, lateStart, lateFinish }: ItemDays): boolean {
  return (
    Math.min(start, earlyStart, lateStart, lateFinish) >= FIRST_DAY &&
    Math.max(finish, lateStart, lateFinish) <= LAST_DAY
  );
}

/** The days at which a summary finishes because of its own predecessors; its starts are those of what is below it. */
function ofSummary(
  { finish, earlyFinish, lateFinish }: ItemTimes,
  calendar: WorkingCalendar,
  origin: number,
): ItemDays {
  const last = (time: number): number => calendar.dayAt(origin + (time === 0 ? 0 : time - 1));
  const start = Number.POSITIVE_INFINITY;
  return {
    start,
    earlyStart: start,
    lateStart: start,
    finish: last(finish),
    earlyFinish: last(earlyFinish),
    lateFinish: last(lateFinish),
  };
}

async function rollUp(items: readonly PlanItem[], { items: times }: Times, days: ItemDays[]): Promise<void> {
  const index = new Map<string, number>();
  await visitInSlices(items, ({ id }, i) => index.set(id, i));
  await visitInSlices(items, ({ parent_id }, i) => {
    if (times[i]!.isSummary) return;
    for (let above = parent_id; above !== null; ) {
      const at = index.get(above)!;
      const [summary, leaf] = [days[at]!, days[i]!];
      for (const start of ['start', 'earlyStart', 'lateStart'] as const)
        summary[start] = Math.min(summary[start], leaf[start]);
      for (const finish of ['finish', 'earlyFinish'] as const)
        summary[finish] = Math.max(summary[finish], leaf[finish]);
      above = items[at]!.parent_id;
    }
  });
}
