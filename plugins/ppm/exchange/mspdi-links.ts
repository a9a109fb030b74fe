/** The dependencies of a file of Microsoft Project. */
import { MAX_LAG, type FileLink, type Problems } from './file-plan.js';
import { MINUTES_PER_DAY, type Moment, type WorkClock } from './mspdi-clock.js';
import { isElapsed, isPercent, LAGS_PER_MINUTE, LINK_TYPES } from './mspdi.js';
import type { Notes } from './notes.js';
import { textOf, type Node } from './xml.js';

/** What a lag is computed from: a predecessor as the file has it. */
export interface LinkedTask {
  clock: WorkClock;
  start: Moment | null;
  finish: Moment | null;
  /** The duration, in minutes and in working days; null for none. */
  minutes: number | null;
  days: number | null;
}

export interface LinkSource {
  /** Tasks that are read, by UID. */
  tasks: ReadonlyMap<string, LinkedTask>;
  /** The UIDs of all tasks of the file. */
  others: ReadonlySet<string | undefined>;
  minutesPerDay: number;
  problems: Problems;
  notes: Notes;
}

/** @param successor its UID @returns none for a dependency on what is not read */
export function readLink(node: Node, successor: string, source: LinkSource): FileLink[] {
  const { tasks, others, minutesPerDay, problems, notes } = source;
  if (textOf(node, 'CrossProject') === '1') {
    notes.add('Dependencies on other projects were not read');
    return [];
  }
  const uid = textOf(node, 'PredecessorUID') ?? '';
  const predecessor = tasks.get(uid);
  if (!predecessor) {
    if (others.has(uid)) notes.add('Dependencies on tasks that were not read were not read');
    else problems.add(node.line, `There is no task with the UID ${JSON.stringify(uid.slice(0, 20))}.`);
    return [];
  }
  const type = LINK_TYPES[Number(textOf(node, 'Type') ?? '1')] ?? 'FS';
  if (!LINK_TYPES[Number(textOf(node, 'Type') ?? '1')])
    problems.add(node.line, 'Type of a PredecessorLink must be an integer from 0 to 3.');
  const stated = Number(textOf(node, 'LinkLag') ?? '0');
  if (!Number.isFinite(stated)) problems.add(node.line, 'LinkLag must be a number.');
  const format = textOf(node, 'LagFormat');
  if (isPercent(format) && stated !== 0)
    notes.add('Lags in percent of a duration were read as the days that these are now');
  const link = { line: node.line, predecessor: uid, successor, type };
  if (isElapsed(format) && Number.isFinite(stated) && stated !== 0) {
    const minutes = isPercent(format) ? ((predecessor.minutes ?? 0) * stated) / 100 : stated / LAGS_PER_MINUTE;
    return [{ ...link, ...elapsedLag(minutes, type, predecessor, notes) }];
  }
  const days = isPercent(format)
    ? ((predecessor.days ?? 1) * stated) / 100
    : stated / (minutesPerDay * LAGS_PER_MINUTE);
  const lag_days = Math.round(days);
  if (Math.abs(lag_days - days) > 1e-9) notes.add('Lags of parts of days were rounded to whole days');
  if (Math.abs(lag_days) > MAX_LAG) problems.add(node.line, `A lag is at most ${MAX_LAG} working days.`);
  return [{ ...link, lag_days: lag_days === 0 ? 0 : lag_days }];
}

/** Elapsed time counts all days: how many of them are worked depends on the day at which it begins. */
function elapsedLag(
  minutes: number,
  type: FileLink['type'],
  { clock, start, finish }: LinkedTask,
  notes: Notes,
): Pick<FileLink, 'lag_days' | 'elapsed'> {
  const from = type.startsWith('F') ? finish : start;
  notes.add('Lags in elapsed time were read as the working days that these are now');
  if (from === null) {
    const lag_days = Math.round(((minutes / MINUTES_PER_DAY) * 5) / 7);
    return { lag_days: lag_days === 0 ? 0 : lag_days };
  }
  const all = from.minute + minutes;
  const after = Math.floor(all / MINUTES_PER_DAY);
  const to = { day: from.day + after, minute: all - after * MINUTES_PER_DAY };
  // A day counts as passed if at least half of its work is done.
  const [first, last] = [from, to].map((moment) => moment.day + (clock.passed(moment) >= 0.5 ? 1 : 0)) as [
    number,
    number,
  ];
  return { lag_days: 0, elapsed: { from: first, to: last } };
}
