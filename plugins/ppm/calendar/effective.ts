/** The days that a plan works: its own weekdays and exceptions, or those of the organisation. */
import { dayOf } from './days.js';
import { WorkingCalendar } from './working-calendar.js';

/** The calendar of a plan as it is stored; what it does not state is that of the organisation. */
export interface PlanCalendar {
  working_days?: readonly number[] | null;
  exceptions?: readonly { date: string; working: boolean }[] | null;
}

/**
 * @param weekdays working days of the organisation, by ISO 8601
 * @param holidays of the organisation, YYYY-MM-DD; exceptions of the plan take precedence
 */
export function effectiveCalendar(
  plan: PlanCalendar | null,
  weekdays: readonly number[],
  holidays: readonly string[],
): WorkingCalendar {
  return new WorkingCalendar(plan?.working_days ?? weekdays, [
    ...holidays.map((date) => ({ day: dayOf(date), working: false })),
    ...(plan?.exceptions ?? []).map(({ date, working }) => ({ day: dayOf(date), working })),
  ]);
}
