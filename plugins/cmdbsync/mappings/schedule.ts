import nodeCron from 'node-cron';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const LONGEST_SHIFT_MS = 3 * 3_600_000;
/** Days that are searched: every expression that ever matches does so within eight years, between two leap years around 2100. */
const MOST_DAYS = 8 * 366 + 1;

const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 500;

/** The local time of an instant, as milliseconds as if it were UTC. */
function localOf(at: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    if (formats.size >= MOST_FORMATS) formats.clear();
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(parts['year']!, parts['month']! - 1, parts['day'], parts['hour'], parts['minute'], parts['second']);
}

/**
 * The first instant of a local time: of one that is repeated when clocks are set back the first, of one that is skipped the instant
 * at which clocks are set forward, later by as much as they are.
 */
function instantOf(local: number, timeZone: string): number {
  const offsets = [local - DAY_MS, local + DAY_MS].map((at) => localOf(at, timeZone) - at);
  const found = offsets.map((offset) => local - offset).filter((at) => localOf(at, timeZone) === local);
  return found.length > 0 ? Math.min(...found) : local - Math.min(...offsets);
}

/** Whether a text is a cron expression of five fields. */
export function isCron(expression: string): boolean {
  return expression.trim().split(/\s+/).length === 5 && nodeCron.validate(expression);
}

/** Whether a text is a time zone of IANA, or UTC. */
export function isTimeZone(timeZone: string): boolean {
  // Offsets such as +02:00 are accepted by Intl, and have no daylight saving time.
  if (!/^[A-Za-z]/.test(timeZone)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone });
    return true;
  } catch {
    return false;
  }
}

/**
 * The next run of a schedule. A local time that is skipped when clocks are set forward runs once, after it; one that is repeated
 * when they are set back runs once, the first time. Expressions whose hours are all matched (`*`) run at every such instant.
 * @param expression five fields of cron, in the local time of the time zone
 * @param timeZone of IANA, such as `Europe/Berlin`
 * @returns the first instant after `after`; undefined if there is none within eight years
 */
export function nextRun(expression: string, timeZone: string, after: Date): Date | undefined {
  const { minute, hour } = nodeCron.parse(expression);
  const task = nodeCron.createTask(expression, () => undefined, { timezone: 'UTC' });
  const [minutes, hours] = [minute, hour].map((values) => [...values].sort((a, b) => a - b)) as [number[], number[]];
  const isEveryHour = hours.length === 24;
  const first = Math.floor(localOf(after.getTime(), timeZone) / DAY_MS) * DAY_MS;
  try {
    for (let days = 0; days < MOST_DAYS; days++) {
      // The day before may have a skipped time that runs after midnight.
      const day = first + (days - 1) * DAY_MS;
      // Either all or none of the times on a day match, so one test per day is enough.
      if (!task.match(new Date(day + (hours[0]! * 60 + minutes[0]!) * MINUTE_MS))) continue;
      const best = isEveryHour
        ? hourly(minutes, timeZone, after.getTime(), day)
        : earliest(hours, minutes, timeZone, after.getTime(), day);
      if (best !== undefined) return new Date(best);
    }
  } finally {
    void task.destroy();
  }
  return undefined;
}

/** The first instant after another one, of the given times of a day. */
function earliest(
  hours: readonly number[],
  minutes: readonly number[],
  timeZone: string,
  after: number,
  day: number,
): number | undefined {
  let best: { at: number; local: number } | undefined;
  for (const h of hours)
    for (const m of minutes) {
      const local = day + (h * 60 + m) * MINUTE_MS;
      // A skipped time becomes later than some times that follow it, by less than this.
      if (best && local > best.local + LONGEST_SHIFT_MS) return best.at;
      const at = instantOf(local, timeZone);
      if (at > after && (!best || at < best.at)) best = { at, local };
    }
  return best?.at;
}

/** The first instant after another one, on a day that matches, whose minute matches, in every hour that passes on that day. */
function hourly(minutes: readonly number[], timeZone: string, after: number, day: number): number | undefined {
  const [from, to] = [instantOf(day, timeZone), instantOf(day + DAY_MS, timeZone)];
  const start = Math.max(from, Math.floor(after / MINUTE_MS) * MINUTE_MS + MINUTE_MS);
  for (let at = start; at < to; at += MINUTE_MS)
    if (minutes.includes(new Date(localOf(at, timeZone)).getUTCMinutes())) return at;
  return undefined;
}
