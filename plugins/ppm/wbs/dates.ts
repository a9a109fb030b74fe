import type { FieldError } from '@lintel/sdk';
import { dayOf } from '../calendar/days.js';
import type { WorkingCalendar } from '../calendar/working-calendar.js';

type Fault = Omit<FieldError, 'in'>;

/** The planned dates of an item. */
export interface Dated {
  is_milestone: boolean;
  /** YYYY-MM-DD. */
  start_date: string | null;
  end_date: string | null;
  /** Working days. */
  duration_days: number | null;
}

/** Maximum number of working days of an item. */
export const MOST_DAYS = 20_000;

/** Working days between two dates, both included. */
export const daysIn =
  (calendar: WorkingCalendar) =>
  (from: string, to: string): number =>
    calendar.between(dayOf(from), dayOf(to));

/**
 * The dates and the duration as they are stored. With two dates the duration follows from the calendar; a milestone has one date and
 * no duration.
 * @param before the item as it is stored; undefined for a new one
 * @returns what is stored, and what is wrong
 */
export function plannedDates(
  next: Dated,
  before: Dated | undefined,
  calendar: WorkingCalendar,
): { set: Pick<Dated, 'start_date' | 'end_date' | 'duration_days'>; faults: Fault[] } {
  const { start_date: start, end_date: end, duration_days: duration, is_milestone } = next;
  const faults: Fault[] = [];
  const isStated = duration !== null && duration !== before?.duration_days;
  if (is_milestone) {
    // Of a milestone with one date, the other is the same; the one that changes counts.
    const isMoved = (field: 'start_date' | 'end_date') => next[field] !== null && next[field] !== before?.[field];
    const date = before?.is_milestone === true && !isMoved('start_date') && isMoved('end_date') ? end : (start ?? end);
    const isOther = start !== null && end !== null && start !== end;
    if (isOther && (before?.is_milestone !== true || (isMoved('start_date') && isMoved('end_date'))))
      faults.push({ field: '/end_date', reason: 'must be the start_date of a milestone' });
    if (isStated && duration !== 0) faults.push({ field: '/duration_days', reason: 'must be 0 for a milestone' });
    return { set: { start_date: date, end_date: date, duration_days: 0 }, faults };
  }
  const wasMilestone = before?.is_milestone === true;
  if (start === null || end === null) {
    if (isStated && duration === 0)
      faults.push({ field: '/duration_days', reason: 'must be 1 or more, except of a milestone' });
    return {
      set: { start_date: start, end_date: end, duration_days: wasMilestone && !isStated ? null : duration },
      faults,
    };
  }
  if (end < start) {
    faults.push({ field: '/end_date', reason: 'must not be before start_date' });
    return { set: { start_date: start, end_date: end, duration_days: duration }, faults };
  }
  const days = daysIn(calendar)(start, end);
  if (days > MOST_DAYS)
    faults.push({ field: '/end_date', reason: `must be at most ${MOST_DAYS} working days from start_date` });
  if (isStated && duration !== days)
    faults.push({ field: '/duration_days', reason: `is ${days} by the dates and the calendar of the plan` });
  return { set: { start_date: start, end_date: end, duration_days: days }, faults };
}

/** Constraints that need no date. */
const DATELESS: ReadonlySet<string> = new Set(['as_soon_as_possible', 'as_late_as_possible']);

/** What is wrong with a constraint and its date. */
export function constraintFaults(type: string | null, date: string | null): Fault[] {
  const needsDate = type !== null && !DATELESS.has(type);
  if (needsDate && date === null) return [{ field: '/constraint_date', reason: 'is required by the constraint' }];
  if (!needsDate && date !== null)
    return [{ field: '/constraint_date', reason: 'is only for a constraint with a date' }];
  return [];
}
