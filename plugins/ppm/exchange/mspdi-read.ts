/** A plan from Microsoft Project XML: of Microsoft Project, of other programs that write the format, and our own. */
import { dateOf, dayOf, FIRST_DAY } from '../calendar/days.js';
import { CONSTRAINTS, type Constraint } from '../schedule/types.js';
import {
  FileRefusal,
  lengthOf,
  MAX_DEPTH,
  MAX_DURATION,
  MAX_DESCRIPTION,
  MAX_ITEMS,
  MAX_LINKS,
  MAX_TITLE,
  Problems,
  type FileItem,
  type ReadPlan,
} from './file-plan.js';
import { calendarOf, Clocks } from './mspdi-calendar.js';
import { MINUTES_PER_DAY, momentOf, type Moment } from './mspdi-clock.js';
import { readLink, type LinkedTask } from './mspdi-links.js';
import { isSkipped, keepsDates, noteUnread } from './mspdi-unread.js';
import { FIELDS, isElapsed } from './mspdi.js';
import { Notes } from './notes.js';
import { childOf, childrenOf, parseXml, textOf, type Node } from './xml.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DURATION = /^P(?:(\d{1,6})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.\d{1,9})?S)?)?$/;

/** @throws FileRefusal */
export function readMspdi(text: string): ReadPlan {
  const project = parseXml(text, isSkipped);
  if (project.name !== 'Project')
    throw new FileRefusal(
      project.line,
      'The file is no project of Microsoft Project: its first element is not Project.',
    );
  return new Reader(project).read();
}

/** Whether a task is an item: not an empty row, the task of the project itself, or one that was deactivated. */
const isItem = (task: Node): boolean =>
  textOf(task, 'IsNull') !== '1' && textOf(task, 'OutlineLevel') !== '0' && textOf(task, 'Active') !== '0';

class Reader {
  readonly #problems = new Problems();
  readonly #notes = new Notes();
  readonly #clocks: Clocks;
  readonly #minutesPerDay: number;
  readonly #isOwn: boolean;
  readonly #tasks: Node[];

  constructor(private readonly project: Node) {
    const minutes = Number(textOf(project, 'MinutesPerDay') ?? '480');
    this.#minutesPerDay = Number.isInteger(minutes) && minutes > 0 && minutes <= 1_440 ? minutes : 480;
    const attributes = childrenOf(childOf(project, 'ExtendedAttributes'), 'ExtendedAttribute');
    this.#isOwn = attributes.some((node) => textOf(node, 'Alias') === FIELDS.id.alias);
    this.#clocks = new Clocks(project);
    this.#tasks = childrenOf(childOf(project, 'Tasks'), 'Task').filter(isItem);
  }

  read(): ReadPlan {
    if (this.#tasks.length > MAX_ITEMS)
      this.#problems.add(this.#tasks[MAX_ITEMS]!.line, `A plan has at most ${MAX_ITEMS} items.`);
    const tasks = this.#tasks.slice(0, MAX_ITEMS);
    const keys = new Set<string>();
    const items = tasks.map((task, i) => {
      const item = this.#item(task, tasks[i + 1]);
      if (keys.has(item.key)) this.#problems.add(task.line, `The UID ${item.key} occurs twice.`);
      keys.add(item.key);
      return item;
    });
    const linked = new Map(tasks.map((task, i) => [items[i]!.key, this.#linked(task)]));
    const others = new Set(childrenOf(childOf(this.project, 'Tasks'), 'Task').map((task) => textOf(task, 'UID')));
    const source = {
      tasks: linked,
      others,
      minutesPerDay: this.#minutesPerDay,
      problems: this.#problems,
      notes: this.#notes,
    };
    const links = tasks.flatMap((task, i) =>
      childrenOf(task, 'PredecessorLink').flatMap((node) => readLink(node, items[i]!.key, source)),
    );
    if (links.length > MAX_LINKS)
      this.#problems.add(links[MAX_LINKS]!.line, `A plan has at most ${MAX_LINKS} dependencies.`);
    const calendar = calendarOf(this.project, this.#isOwn, this.#problems, this.#notes);
    if (this.#problems.list.length > 0) return { ok: false, problems: this.#problems.list };
    noteUnread(this.project, tasks, this.#isOwn, this.#notes);
    const start = (textOf(this.project, 'StartDate') ?? '').slice(0, 10);
    const plan = {
      format: 'mspdi' as const,
      items,
      links,
      calendar,
      start_date: dayOf(start) >= FIRST_DAY ? start : undefined,
      isExport: this.#isOwn,
      notes: this.#notes.list,
    };
    return { ok: true, plan };
  }

  #item(task: Node, next: Node | undefined): FileItem {
    const wrong = (reason: string): void => this.#problems.add(task.line, reason);
    const uid = textOf(task, 'UID') ?? '';
    if (!/^\d{1,10}$/.test(uid)) wrong('A task needs a UID, which is an integer.');
    const level = Number(textOf(task, 'OutlineLevel') ?? '1');
    if (!Number.isInteger(level) || level < 1 || level > MAX_DEPTH)
      wrong(`OutlineLevel must be an integer from 1 to ${MAX_DEPTH}.`);
    const isSummary = next !== undefined && Number(textOf(next, 'OutlineLevel') ?? '1') > level;
    const title = childOf(task, 'Name')?.text ?? '';
    if (title.trim() === '') this.#notes.add('Tasks without a name were named (untitled)');
    if (lengthOf(title) > MAX_TITLE) wrong(`A task has a name of more than ${MAX_TITLE} characters.`);
    const notes = childOf(task, 'Notes')?.text;
    if (notes !== undefined && lengthOf(notes) > MAX_DESCRIPTION)
      wrong(`A task has notes of more than ${MAX_DESCRIPTION} characters.`);
    const percent = Number(textOf(task, 'PercentComplete') ?? '0');
    if (!(percent >= 0 && percent <= 100)) wrong('PercentComplete must be from 0 to 100.');
    const id = this.#attribute(task, 'id');
    return {
      key: uid,
      line: task.line,
      id: id !== undefined && UUID.test(id) ? id.toLowerCase() : null,
      // The UID of a task that was exported says nothing where its id is known.
      external_id: id !== undefined && UUID.test(id) ? null : uid,
      depth: level - 1,
      title: title.trim() === '' ? '(untitled)' : title,
      description: notes === undefined ? (this.#isOwn ? null : undefined) : notes === '' ? null : notes,
      is_milestone: !isSummary && this.#isMilestone(task),
      completion: isSummary ? undefined : percent,
      ...this.#dates(task, isSummary),
      ...this.#cost(task, isSummary),
    };
  }

  #dates(
    task: Node,
    isSummary: boolean,
  ): Pick<FileItem, 'start_date' | 'end_date' | 'duration_days' | 'constraint_type' | 'constraint_date'> {
    // What was computed when the file was written is entered by now, if the task is scheduled by hand.
    const isManual = textOf(task, 'Manual') === '1';
    const computed = isManual ? [] : (this.#attribute(task, 'computed') ?? '').split(',');
    const number = Number(textOf(task, 'ConstraintType') ?? '0');
    const { start, finish } = this.#planned(task);
    const date = this.#date(task, 'ConstraintDate', CONSTRAINTS[number]?.includes('finish') === true);
    let type: Constraint | null = CONSTRAINTS[number] ?? null;
    if (type === null) this.#problems.add(task.line, 'ConstraintType must be an integer from 0 to 7.');
    const needsDate = number >= 2;
    if (needsDate && date === null)
      this.#problems.add(task.line, 'A task with this ConstraintType needs a ConstraintDate.');
    if (isSummary) {
      const isKept = type === 'start_no_earlier_than' || type === 'finish_no_later_than';
      if (!isKept && needsDate) this.#notes.add('Constraints of summary tasks that these cannot have were not read');
      return {
        start_date: null,
        end_date: null,
        duration_days: null,
        constraint_type: isKept ? type : null,
        constraint_date: isKept ? date! : null,
      };
    }
    const start_date = computed.includes('start') ? null : start;
    // The planned dates of a task that is not scheduled by its constraint are those of an item without one.
    if (start_date !== null && keepsDates(task, number)) {
      if (needsDate && number !== CONSTRAINTS.indexOf('start_no_earlier_than'))
        this.#notes.add('Constraints of tasks that are scheduled by hand or of other projects were not read');
      type = null;
    }
    // A constraint that a planned start implies is not stated twice.
    if (type === 'start_no_earlier_than' && date === start_date) type = null;
    if (type === 'as_soon_as_possible' && start_date === null) type = null;
    const isMilestone = this.#isMilestone(task);
    const end_date = computed.includes('finish') ? null : finish;
    const hasDates = start_date !== null && end_date !== null;
    if (hasDates && end_date < start_date) this.#problems.add(task.line, 'The Finish of a task is before its Start.');
    const duration_days = computed.includes('duration') || isMilestone ? null : this.#days(task);
    if (!this.#isOwn && duration_days !== null) this.#noteLength(task, start_date, end_date, duration_days);
    return {
      // A milestone is on one day.
      start_date: isMilestone ? (end_date ?? start_date) : start_date,
      end_date: isMilestone ? (end_date ?? start_date) : end_date,
      // With both dates, the duration follows from the calendar.
      duration_days: hasDates ? null : duration_days,
      constraint_type: type,
      constraint_date: type !== null && needsDate ? date! : null,
    };
  }

  /** Microsoft Project also marks tasks with a duration as milestones; here a milestone has none. */
  #isMilestone(task: Node): boolean {
    const isMarked = textOf(task, 'Milestone') === '1';
    const minutes = this.#isOwn ? null : this.#minutes(task);
    return minutes === null ? isMarked : minutes === 0;
  }

  /** The start and the finish of a task, YYYY-MM-DD; of one that is scheduled by hand, those that were entered. */
  #planned(task: Node): { start: string | null; finish: string | null } {
    const isManual = textOf(task, 'Manual') === '1';
    const nameOf = (name: 'Start' | 'Finish'): string =>
      isManual && (textOf(task, `Manual${name}`) ?? '') !== '' ? `Manual${name}` : name;
    const start = this.#date(task, nameOf('Start'), false);
    return { start, finish: this.#date(task, nameOf('Finish'), true, start) };
  }

  /** @param first the day of the start, which a finish is not before */
  #date(task: Node, name: string, isFinish: boolean, first: string | null = null): string | null {
    const moment = this.#moment(task, name, isFinish);
    if (moment === null) return null;
    const least = first === null ? Number.NEGATIVE_INFINITY : dayOf(first);
    const day = isFinish ? this.#clocks.of(task).lastDay(moment, least) : moment.day;
    return dateOf(Math.max(day, FIRST_DAY));
  }

  #moment(task: Node, name: string, isFinish: boolean): Moment | null {
    const text = textOf(task, name);
    if (text === undefined || text === '') return null;
    const moment = momentOf(text, isFinish ? MINUTES_PER_DAY : 0);
    if (moment === null) this.#problems.add(childOf(task, name)!.line, `${name} must be a date and time.`);
    return moment;
  }

  /** What dependencies of a task are computed from. */
  #linked(task: Node): LinkedTask {
    const ignored = new Problems();
    const at = (name: string, otherwise: number): Moment | null => momentOf(textOf(task, name) ?? '', otherwise);
    return {
      clock: this.#clocks.project,
      start: at('Start', 0),
      finish: at('Finish', MINUTES_PER_DAY),
      minutes: this.#minutes(task, ignored),
      days: this.#days(task, ignored),
    };
  }

  /** The duration in minutes of working time, or of elapsed time. */
  #minutes(task: Node, problems = this.#problems): number | null {
    const text = textOf(task, 'Duration');
    if (text === undefined || text === '') return null;
    const match = DURATION.exec(text);
    if (!match) {
      problems.add(task.line, 'Duration must be like PT8H0M0S.');
      return null;
    }
    const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
    return days * MINUTES_PER_DAY + hours * 60 + minutes + seconds / 60;
  }

  /** The duration in working days, rounded up; of elapsed time, the working days of so many weeks. */
  #days(task: Node, problems = this.#problems): number | null {
    const minutes = this.#minutes(task, problems);
    if (minutes === null) return null;
    const perDay = isElapsed(textOf(task, 'DurationFormat')) ? (MINUTES_PER_DAY * 7) / 5 : this.#minutesPerDay;
    const whole = Math.ceil(minutes / perDay - 1e-9);
    if (whole <= MAX_DURATION) return whole;
    problems.add(task.line, `A task lasts at most ${MAX_DURATION} working days.`);
    return null;
  }

  /** Notes a duration that is not kept as it is. */
  #noteLength(task: Node, start: string | null, finish: string | null, days: number): void {
    const hasDates = start !== null && finish !== null;
    if (isElapsed(textOf(task, 'DurationFormat')))
      this.#notes.add('Elapsed durations were read as the working days of their dates, or as five days of seven');
    else if (hasDates && this.#clocks.of(task).days.between(dayOf(start), dayOf(finish)) !== days)
      this.#notes.add(
        'Durations that are not the working days between start and finish, such as of split tasks, were read as these',
      );
    else if (this.#minutes(task, new Problems()) !== days * this.#minutesPerDay)
      this.#notes.add('Durations of parts of days were rounded up to whole days');
  }

  #cost(task: Node, isSummary: boolean): Pick<FileItem, 'planned_cost' | 'planned_currency'> {
    const text = isSummary ? undefined : (textOf(task, 'Cost') ?? textOf(task, 'FixedCost'));
    if (text === undefined || text === '') return { planned_cost: undefined, planned_currency: undefined };
    const cents = Number(text);
    if (!(cents >= 0 && cents < 1e14)) {
      this.#problems.add(task.line, 'Cost must be a number that is not negative.');
      return { planned_cost: undefined, planned_currency: undefined };
    }
    const currency = this.#attribute(task, 'currency') ?? textOf(this.project, 'CurrencyCode');
    const isKnown = currency !== undefined && /^[A-Z]{3}$/.test(currency);
    // Microsoft Project writes a cost of 0 for tasks without costs.
    const isNone = Math.round(cents) === 0 && this.#attribute(task, 'currency') === undefined;
    if (!isNone && !isKnown) this.#notes.add('Costs without a currency of ISO 4217 were read without one');
    return isNone
      ? { planned_cost: undefined, planned_currency: undefined }
      : { planned_cost: (Math.round(cents) / 100).toFixed(2), planned_currency: isKnown ? currency : undefined };
  }

  #attribute(task: Node, name: keyof typeof FIELDS): string | undefined {
    if (!this.#isOwn) return undefined;
    const found = childrenOf(task, 'ExtendedAttribute').find(
      (node) => textOf(node, 'FieldID') === FIELDS[name].fieldId,
    );
    return textOf(found, 'Value');
  }
}
