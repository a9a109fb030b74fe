/** The calendar of a file of Microsoft Project. */
import { isDeepStrictEqual } from 'node:util';
import { dateOf, dayOf, FIRST_DAY } from '../calendar/days.js';
import { WorkingCalendar } from '../calendar/working-calendar.js';
import { Problems, type FileCalendar } from './file-plan.js';
import { MINUTES_PER_DAY, minuteOf, minutesIn, WorkClock, type Hours } from './mspdi-clock.js';
import { recurringDays } from './mspdi-recurrence.js';
import { CALENDARS, weekdayOfType } from './mspdi.js';
import { Notes } from './notes.js';
import { childOf, childrenOf, textOf, type Node } from './xml.js';

/** Days of exceptions in a calendar. */
export const MAX_EXCEPTIONS = 2_000;
const MAX_NAME = 200;

/** Calendars from one to its base, and to the base of that. */
const MOST_BASES = 10;

/** What a calendar states; weekdays that it does not state are those of its base. */
interface OneCalendar {
  weekdays: Map<number, boolean>;
  exceptions: Map<string, { working: boolean; name: string | null }>;
}

const calendarsOf = (project: Node): Node[] => childrenOf(childOf(project, 'Calendars'), 'Calendar');
/** The UID of the calendar of the project. */
export const usedCalendar = (project: Node): string => textOf(project, 'CalendarUID') ?? '1';

/** A calendar and its bases, the lowest base first; empty if there is no such calendar. */
export function chainOf(project: Node, uid: string): Node[] {
  const all = new Map(calendarsOf(project).map((node) => [textOf(node, 'UID') ?? '', node] as const));
  const chain: Node[] = [];
  for (let at: string | undefined = uid; at !== undefined && chain.length < MOST_BASES; ) {
    const node = all.get(at);
    if (!node || chain.includes(node)) break;
    chain.unshift(node);
    const base = textOf(node, 'BaseCalendarUID');
    at = base === '-1' || base === '0' ? undefined : base;
  }
  return chain;
}

/** The clocks of calendars; each is made once. */
export class Clocks {
  readonly #made = new Map<string, WorkClock>();
  readonly project: WorkClock;

  constructor(private readonly file: Node) {
    // What is wrong with the calendar is a problem when it is read as that of the plan.
    const chain = chainOf(file, usedCalendar(file)).map((node) => readOne(node, new Problems(), new Notes()));
    this.project = this.#clock(usedCalendar(file), merged(chain).exceptions);
  }

  /** Of a task: of its own calendar, without exceptions, or that of the project. */
  of(task: Node): WorkClock {
    const uid = textOf(task, 'CalendarUID') ?? '-1';
    if (uid === '-1' || uid === usedCalendar(this.file)) return this.project;
    let clock = this.#made.get(uid);
    if (!clock) this.#made.set(uid, (clock = this.#clock(uid, new Map())));
    return clock;
  }

  #clock(uid: string, exceptions: OneCalendar['exceptions']): WorkClock {
    const chain = chainOf(this.file, uid);
    const weekdays = workingWeekdays(new Map(chain.flatMap((node) => [...readWeek(node, new Problems())])));
    const days = [...exceptions].map(([date, { working }]) => ({ day: dayOf(date), working }));
    return new WorkClock(
      new WorkingCalendar(weekdays.length === 0 ? WEEKDAYS : weekdays, days),
      new Map(chain.flatMap((node) => [...readHours(node)])),
    );
  }
}

/** Without a statement, Microsoft Project works from Monday to Friday. */
const workingWeekdays = (stated: ReadonlyMap<number, boolean>): number[] =>
  WEEKDAYS.filter((day) => stated.get(day) ?? day <= 5);

/**
 * The calendar that the project uses, with what it takes over from its base calendars; of a plan that Lintel exported, its own
 * part. Undefined if the file has none.
 */
export function calendarOf(project: Node, isOwn: boolean, problems: Problems, notes: Notes): FileCalendar | undefined {
  const chain = chainOf(project, usedCalendar(project));
  if (chain.length === 0) return undefined;
  const whole = merged(chain.map((node) => readOne(node, problems, notes)));
  const weekdays = workingWeekdays(whole.weekdays);
  if (weekdays.length === 0) {
    problems.add(chain.at(-1)!.line, 'The calendar has no working weekday.');
    return undefined;
  }
  if (!isOwn) noteHours(project, chain, notes);
  const [organisation, own] = [CALENDARS.organisation, CALENDARS.own].map((name) => {
    const node = isOwn ? calendarsOf(project).find((one) => textOf(one, 'Name') === name) : undefined;
    return node && readOne(node, problems, new Notes());
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

function readOne(node: Node, problems: Problems, notes: Notes): OneCalendar {
  const exceptions: OneCalendar['exceptions'] = new Map();
  // Files of Project 2003 have exceptions as days of the type 0.
  for (const day of weekDaysOf(node)) if (textOf(day, 'DayType') === '0') addPeriod(day, exceptions, problems);
  const all = childrenOf(childOf(node, 'Exceptions'), 'Exception');
  for (const exception of all) if (isPeriod(exception)) addPeriod(exception, exceptions, problems);
  for (const exception of all) if (!isPeriod(exception)) addRecurrence(exception, exceptions, notes);
  notes.add(
    'Periods of the calendar with other weekdays (work weeks) were not read',
    childrenOf(childOf(node, 'WorkWeeks'), 'WorkWeek').length,
  );
  return { weekdays: readWeek(node, problems), exceptions };
}

/** Whether an exception is about all days from one to another. */
const isPeriod = (exception: Node): boolean =>
  (textOf(exception, 'Type') ?? '1') === '1' && ['0', '1'].includes(textOf(exception, 'Period') ?? '1');
const weekDaysOf = (node: Node): Node[] => childrenOf(childOf(node, 'WeekDays'), 'WeekDay');

function readWeek(node: Node, problems: Problems): Map<number, boolean> {
  const weekdays = new Map<number, boolean>();
  for (const day of weekDaysOf(node)) {
    const type = Number(textOf(day, 'DayType'));
    if (type >= 1 && type <= 7) weekdays.set(weekdayOfType(type), textOf(day, 'DayWorking') === '1');
    else if (type !== 0) problems.add(day.line, 'DayType must be an integer from 0 to 7.');
  }
  return weekdays;
}

/** The hours of the weekdays that state them. */
function readHours(node: Node): Map<number, Hours> {
  const all = new Map<number, Hours>();
  for (const day of weekDaysOf(node)) {
    const hours = hoursOf(day);
    const type = Number(textOf(day, 'DayType'));
    if (type >= 1 && type <= 7 && hours.length > 0) all.set(weekdayOfType(type), hours);
  }
  return all;
}

/** The working times of a weekday or an exception, ascending. */
function hoursOf(day: Node): Hours {
  return childrenOf(childOf(day, 'WorkingTimes'), 'WorkingTime')
    .flatMap((time) => {
      const from = minuteOf(textOf(time, 'FromTime') ?? '');
      const to = minuteOf(textOf(time, 'ToTime') ?? '');
      // A time that ends at midnight states 00:00.
      const end = to === 0 ? MINUTES_PER_DAY : to;
      return from !== undefined && end !== undefined && end > from ? [[from, end] as const] : [];
    })
    .sort(([a], [b]) => a - b);
}

/** Notes days that are worked, but not for the hours of a day. */
function noteHours(project: Node, chain: readonly Node[], notes: Notes): void {
  const usual = Number(textOf(project, 'MinutesPerDay') ?? '480');
  const days = chain.flatMap((node) => [...weekDaysOf(node), ...childrenOf(childOf(node, 'Exceptions'), 'Exception')]);
  const others = days.filter((day) => {
    const hours = hoursOf(day);
    return textOf(day, 'DayWorking') === '1' && hours.length > 0 && minutesIn(hours) !== usual;
  });
  notes.add('Days of the calendar with more or fewer hours than others were read as whole days', others.length);
}

/** A first and a last day; undefined if they are not that. */
function periodOf(node: Node): { from: number; to: number } | undefined {
  const period = childOf(node, 'TimePeriod');
  const [from, to] = ['FromDate', 'ToDate'].map((name) => dayOf((textOf(period, name) ?? '').slice(0, 10))) as [
    number,
    number,
  ];
  return from >= FIRST_DAY && to >= from ? { from, to } : undefined;
}

/** What an exception says of each of its days. */
function whatOf(node: Node): { working: boolean; name: string | null } {
  const name = (textOf(node, 'Name') ?? '').slice(0, MAX_NAME).toWellFormed().trim();
  return { working: textOf(node, 'DayWorking') === '1', name: name === '' ? null : name };
}

function addPeriod(node: Node, exceptions: OneCalendar['exceptions'], problems: Problems): void {
  const period = periodOf(node);
  if (!period) {
    problems.add(node.line, 'An exception of the calendar needs FromDate and ToDate.');
    return;
  }
  const { from, to } = period;
  if (exceptions.size + to - from >= MAX_EXCEPTIONS) {
    problems.add(node.line, `A calendar has at most ${MAX_EXCEPTIONS} days of exceptions.`);
    return;
  }
  const what = whatOf(node);
  for (let day = from; day <= to; day++) exceptions.set(dateOf(day), what);
}

/** Adds the days of a recurring exception that no other one names, as many as a calendar can have. */
function addRecurrence(node: Node, exceptions: OneCalendar['exceptions'], notes: Notes): void {
  const period = periodOf(node);
  const days = period && recurringDays(node, period.from, period.to);
  if (!days) {
    notes.add('Recurring exceptions of the calendar that could not be understood were not read');
    return;
  }
  const what = whatOf(node);
  for (const day of days) {
    if (exceptions.size >= MAX_EXCEPTIONS) {
      notes.add(
        `Recurring exceptions of the calendar were read up to the ${MAX_EXCEPTIONS} days of exceptions that it can have`,
      );
      return;
    }
    const date = dateOf(day);
    if (!exceptions.has(date)) exceptions.set(date, what);
  }
}
