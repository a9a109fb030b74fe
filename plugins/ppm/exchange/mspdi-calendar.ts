/** The calendar of a file of Microsoft Project. */
import { isDeepStrictEqual } from 'node:util';
import { dateOf, dayOf, FIRST_DAY } from '../calendar/days.js';
import type { FileCalendar, Problems } from './file-plan.js';
import { CALENDARS, weekdayOfType } from './mspdi.js';
import { childOf, childrenOf, textOf, type Node } from './xml.js';

/** Days of exceptions in a calendar. */
export const MAX_EXCEPTIONS = 2_000;
const MAX_NAME = 200;

/** What a calendar states; weekdays that it does not state are those of its base. */
interface OneCalendar {
  base: string | undefined;
  weekdays: Map<number, boolean>;
  exceptions: Map<string, { working: boolean; name: string | null }>;
}

/**
 * The calendar that the project uses, with what it takes over from its base calendars; of a plan that Lintel exported, its own
 * part. Undefined if the file has none.
 */
export function calendarOf(
  project: Node,
  isOwn: boolean,
  problems: Problems,
  notes: Set<string>,
): FileCalendar | undefined {
  const nodes = childrenOf(childOf(project, 'Calendars'), 'Calendar');
  const all = new Map(nodes.map((node) => [textOf(node, 'UID') ?? '', node] as const));
  const used = textOf(project, 'CalendarUID') ?? '1';
  if (!all.has(used)) return undefined;
  const chain: OneCalendar[] = [];
  const seen = new Set<string>();
  for (
    let uid: string | undefined = used;
    uid !== undefined && all.has(uid) && !seen.has(uid);
    uid = chain.at(-1)!.base
  ) {
    seen.add(uid);
    chain.push(readOne(all.get(uid)!, problems, notes));
  }
  const whole = merged(chain.reverse());
  // Without a statement, Microsoft Project works from Monday to Friday.
  const weekdays = WEEKDAYS.filter((day) => whole.weekdays.get(day) ?? day <= 5);
  if (weekdays.length === 0) {
    problems.add(all.get(used)!.line, 'The calendar has no working weekday.');
    return undefined;
  }
  const [organisation, own] = [CALENDARS.organisation, CALENDARS.own].map((name) => {
    const node = isOwn ? nodes.find((one) => textOf(one, 'Name') === name) : undefined;
    return node && readOne(node, problems, notes);
  });
  if (!organisation || !own) return stored(whole, weekdays);
  const isChanged = !isDeepStrictEqual(merged([organisation, own]), whole);
  const part = isChanged ? difference(whole, organisation, own) : own;
  if (!isChanged && part.weekdays.size === 0 && part.exceptions.size === 0) return undefined;
  return stored(part, part.weekdays.size === 0 ? null : WEEKDAYS.filter((day) => part.weekdays.get(day)));
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
type Days = Pick<OneCalendar, 'weekdays' | 'exceptions'>;

/** What calendars state together; a later one takes precedence. */
function merged(calendars: readonly Days[]): Days {
  return {
    weekdays: new Map(calendars.flatMap(({ weekdays }) => [...weekdays])),
    exceptions: new Map(calendars.flatMap(({ exceptions }) => [...exceptions])),
  };
}

/** The part of a changed calendar that is not that of the organisation. */
function difference(whole: Days, organisation: Days, own: Days): Days {
  const isAsBefore = isDeepStrictEqual(whole.weekdays, organisation.weekdays) && own.weekdays.size === 0;
  return {
    weekdays: isAsBefore ? new Map() : whole.weekdays,
    exceptions: new Map(
      [...whole.exceptions].filter(([date, what]) => !isDeepStrictEqual(organisation.exceptions.get(date), what)),
    ),
  };
}

const stored = ({ exceptions }: Days, working_days: number[] | null): FileCalendar => ({
  working_days,
  exceptions: [...exceptions].map(([date, what]) => ({ date, ...what })).sort((a, b) => (a.date < b.date ? -1 : 1)),
});

function readOne(node: Node, problems: Problems, notes: Set<string>): OneCalendar {
  const base = textOf(node, 'BaseCalendarUID');
  const weekdays = new Map<number, boolean>();
  const exceptions: OneCalendar['exceptions'] = new Map();
  for (const day of childrenOf(childOf(node, 'WeekDays'), 'WeekDay')) {
    const type = Number(textOf(day, 'DayType'));
    // Files of Project 2003 have exceptions as days of the type 0.
    if (type === 0) addPeriod(day, exceptions, problems);
    else if (type >= 1 && type <= 7) weekdays.set(weekdayOfType(type), textOf(day, 'DayWorking') === '1');
    else problems.add(day.line, 'DayType must be an integer from 0 to 7.');
  }
  for (const exception of childrenOf(childOf(node, 'Exceptions'), 'Exception')) {
    const type = textOf(exception, 'Type') ?? '1';
    if (type === '1' && ['0', '1'].includes(textOf(exception, 'Period') ?? '1'))
      addPeriod(exception, exceptions, problems);
    else notes.add('Recurring exceptions of the calendar were not read.');
  }
  return { base: base === '-1' || base === '0' ? undefined : base, weekdays, exceptions };
}

function addPeriod(node: Node, exceptions: OneCalendar['exceptions'], problems: Problems): void {
  const period = childOf(node, 'TimePeriod');
  const [from, to] = ['FromDate', 'ToDate'].map((name) => dayOf((textOf(period, name) ?? '').slice(0, 10))) as [
    number,
    number,
  ];
  if (!(from >= FIRST_DAY && to >= from)) {
    problems.add(node.line, 'An exception of the calendar needs FromDate and ToDate.');
    return;
  }
  const name = (textOf(node, 'Name') ?? '').slice(0, MAX_NAME).toWellFormed().trim();
  const working = textOf(node, 'DayWorking') === '1';
  if (exceptions.size + to - from >= MAX_EXCEPTIONS) {
    problems.add(node.line, `A calendar has at most ${MAX_EXCEPTIONS} days of exceptions.`);
    return;
  }
  for (let day = from; day <= to; day++) exceptions.set(dateOf(day), { working, name: name === '' ? null : name });
}
