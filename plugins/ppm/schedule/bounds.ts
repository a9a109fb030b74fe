/** Durations, and the times between which constraints place an item. */
import { dayOf } from '../calendar/days.js';
import type { WorkingCalendar } from '../calendar/working-calendar.js';
import type { Constraint, PlanItem } from './types.js';

/** The duration of a leaf in working days. */
export interface Duration {
  days: number;
  isAssumed: boolean;
}

/**
 * The duration of a leaf: 0 for a milestone, otherwise the planned one, that of the planned dates, or one day.
 * @param item as stored
 */
export function durationOf(item: PlanItem, calendar: WorkingCalendar): Duration {
  if (item.is_milestone) return { days: 0, isAssumed: false };
  if (item.duration_days !== null) return { days: Math.max(item.duration_days, 0), isAssumed: false };
  if (item.start_date !== null && item.end_date !== null)
    return { days: calendar.between(dayOf(item.start_date), dayOf(item.end_date)), isAssumed: false };
  return { days: 1, isAssumed: true };
}

/** Between which times an item should start: finish times less its duration. */
export interface Bounds {
  lower: number;
  upper: number;
}

/** The constraint that applies: a planned start without a constraint is a start no earlier than that date. */
export function constraintOf(item: PlanItem): { type: Constraint; date: string | null } {
  const { constraint_type: type, constraint_date: date, start_date: planned } = item;
  if (type !== null) return { type, date };
  return planned === null
    ? { type: 'as_soon_as_possible', date: null }
    : { type: 'start_no_earlier_than', date: planned };
}

/** The last constraints, which limit how late an item may be. */
export const isUpper = (type: Constraint): boolean => type.endsWith('_no_later_than') || type.startsWith('must_');
/** Whether a constraint is about the finish of an item. */
export const isFinish = (type: Constraint): boolean => type.includes('finish');

/**
 * The bounds of the start of a leaf that follow from its constraint alone. An item without a duration is at the end of its
 * day. Constraints on days that are not worked: the next working day for a start, the last one before for a finish.
 * @param origin index of the first working day of the plan
 */
export function boundsOf(item: PlanItem, duration: number, calendar: WorkingCalendar, origin: number): Bounds {
  const { type, date } = constraintOf(item);
  const day = date === null ? Number.NaN : dayOf(date);
  const open = { lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
  if (Number.isNaN(day)) return open;
  const endOfDay = calendar.indexOf(day + 1) - origin;
  if (duration === 0) return between(type, endOfDay, endOfDay, open);
  const startOfDay = calendar.indexOf(day) - origin;
  if (!isFinish(type)) {
    // The start is no later than a day that is not worked if it is on the last working day before.
    const latest = type === 'must_start_on' ? startOfDay : endOfDay - 1;
    return between(type, startOfDay, latest, open);
  }
  const earliest = type === 'must_finish_on' ? endOfDay : startOfDay + 1;
  return between(type, earliest - duration, endOfDay - duration, open);
}

function between(type: Constraint, earliest: number, latest: number, open: Bounds): Bounds {
  if (type.startsWith('must_')) return { lower: earliest, upper: latest };
  if (type.endsWith('_no_earlier_than')) return { ...open, lower: earliest };
  return type.endsWith('_no_later_than') ? { ...open, upper: latest } : open;
}
