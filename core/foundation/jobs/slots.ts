import nodeCron from 'node-cron';

const DAY_MS = 86_400_000;
/** Expressions with no slot within a year and a day are not looked at further. */
const DAYS_BACK = 366;

/**
 * The latest instant, not after `now`, at which an expression names, in UTC.
 * @returns undefined where it names none within a year
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
      // All times of a matching day match: the first try tells of the day.
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
