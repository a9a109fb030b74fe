import { dayOf } from '../calendar/days.js';
import type { Calendars } from '../plan/calendars.js';
import type { CountDays } from './reasons.js';

/** Working days of plans between dates. */
export class WorkingDays {
  constructor(private readonly calendars: Calendars) {}

  /** @param cardIds initiatives @returns a function that counts the working days after a day by their calendars */
  async counter(cardIds: readonly string[]): Promise<CountDays> {
    const calendarOf = await this.calendars.of(cardIds);
    return (cardId, from, to) => calendarOf(cardId).between(dayOf(from) + 1, dayOf(to));
  }
}
