import type { Host } from '../basics.js';
import { dayOf } from '../calendar/days.js';
import { WorkingCalendar } from '../calendar/working-calendar.js';
import { readHolidays, readPlans, type On } from './repository.js';
import type { PlanCalendar } from './schemas.js';

/** A day that differs from its weekday. */
interface Exception {
  date: string;
  working: boolean;
}

/** The working days of the organisation, and of plans with days of their own. */
export class Calendars {
  constructor(private readonly host: Host) {}

  /**
   * The calendars of plans, in two statements.
   * @param on a unit of work, to include its changes
   */
  async of(cardIds: readonly string[], on: On = this.host.db): Promise<(cardId: string) => WorkingCalendar> {
    const holidays = (await readHolidays(on)).map(({ date }) => ({ date, working: false }));
    const plans = await readPlans(on, cardIds);
    const common = this.made(null, holidays);
    const own = new Map<string, WorkingCalendar>();
    for (const [id, { calendar }] of plans) if (calendar !== null) own.set(id, this.made(calendar, holidays));
    return (id) => own.get(id) ?? common;
  }

  private made(calendar: PlanCalendar | null, holidays: readonly Exception[]): WorkingCalendar {
    return new WorkingCalendar(
      calendar?.working_days ?? this.host.settings().working_days,
      // Those of the plan come last, because of several for one day the last one counts.
      [...holidays, ...(calendar?.exceptions ?? [])].map(({ date, working }) => ({ day: dayOf(date), working })),
    );
  }
}
