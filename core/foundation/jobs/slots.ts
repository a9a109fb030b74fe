import nodeCron from 'node-cron';

const DAY_MS = 86_400_000;
/** Maximum number of days searched for a slot. */
const DAYS_BACK = 366;

/**
 * The latest instant, not after `now`, that matches a cron expression in UTC.
 * @returns undefined where none matches within a year
 */
export function previousSlot(expression: string, now: Date): Date | undefined {
  const { second, minute, hour } = nodeCron.parse(expression);
  const task = nodeCron.createTask(expression, () => undefined, { timezone: 'UTC' });
  const [seconds, minutes, hours] = [second, minute, hour].map((values) => [...values].sort((a, b) => b - a)) as [
    number[],
    number[],
    number[],
  ];
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  try {
    for (let back = 0; back <= DAYS_BACK; back++) {
      const day = today - back * DAY_MS;
      // Either all or none of the times on a day match, so one test per day is enough.
      if (!task.match(new Date(day + ((hours[0]! * 60 + minutes[0]!) * 60 + seconds[0]!) * 1_000))) continue;
      for (const h of hours)
        for (const m of minutes)
          for (const s of seconds) {
            const at = day + ((h * 60 + m) * 60 + s) * 1_000;
            if (at <= now.getTime()) return new Date(at);
          }
    }
  } finally {
    void task.destroy();
  }
  return undefined;
}
