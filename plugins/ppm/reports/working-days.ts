import type { Host } from '../basics.js';
import type { CountDays } from './reasons.js';

const DAY_MS = 86_400_000;

/** Working days of plans between dates. */
export class WorkingDays {
  constructor(private readonly host: Host) {}

  /** @param cardIds initiatives @returns a function that counts by their calendars */
  async counter(_cardIds: readonly string[]): Promise<CountDays> {
    const days = this.host.settings().working_days;
    return (_id, from, to) => {
      let n = 0;
      for (let at = Date.parse(from) + DAY_MS; at <= Date.parse(to); at += DAY_MS)
        if (days.includes(new Date(at).getUTCDay() || 7)) n++;
      return n;
    };
  }
}
