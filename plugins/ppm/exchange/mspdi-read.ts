/** A plan from Microsoft Project XML: of Microsoft Project, of other programs that write the format, and our own. */
import { dayOf, FIRST_DAY } from '../calendar/days.js';
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
  type FileLink,
  type ReadPlan,
} from './file-plan.js';
import { calendarOf } from './mspdi-calendar.js';
import { FIELDS, LAGS_PER_MINUTE, LINK_TYPES } from './mspdi.js';
import { childOf, childrenOf, parseXml, textOf, type Node } from './xml.js';

/** Parts of files that plans do not have. */
const SKIPPED = new Set([
  'Resources',
  'Assignments',
  'OutlineCodes',
  'WBSMasks',
  'TimephasedData',
  'Baseline',
  'Views',
  'Filters',
  'Groups',
  'Tables',
  'Maps',
  'Reports',
  'Drawings',
]);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DURATION = /^P(?:(\d{1,6})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.\d{1,9})?S)?)?$/;
const ELAPSED = [4, 6, 8, 10, 12];
const PERCENT = [19, 20];

/** @throws FileRefusal */
export function readMspdi(text: string): ReadPlan {
  const project = parseXml(text, SKIPPED);
  if (project.name !== 'Project')
    throw new FileRefusal(
      project.line,
      'The file is no project of Microsoft Project: its first element is not Project.',
    );
  return new Reader(project).read();
}

class Reader {
  readonly #problems = new Problems();
  readonly #notes = new Set<string>();
  readonly #minutesPerDay: number;
  readonly #isOwn: boolean;
  readonly #tasks: Node[];

  constructor(private readonly project: Node) {
    const minutes = Number(textOf(project, 'MinutesPerDay') ?? '480');
    this.#minutesPerDay = Number.isInteger(minutes) && minutes > 0 && minutes <= 1_440 ? minutes : 480;
    const attributes = childrenOf(childOf(project, 'ExtendedAttributes'), 'ExtendedAttribute');
    this.#isOwn = attributes.some((node) => textOf(node, 'Alias') === FIELDS.id.alias);
    this.#tasks = childrenOf(childOf(project, 'Tasks'), 'Task').filter((task) => this.#isItem(task));
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
    const durations = new Map(tasks.map((task, i) => [items[i]!.key, this.#days(task)]));
    const links = tasks.flatMap((task, i) =>
      childrenOf(task, 'PredecessorLink').flatMap((node) => this.#link(node, items[i]!.key, keys, durations)),
    );
    if (links.length > MAX_LINKS)
      this.#problems.add(links[MAX_LINKS]!.line, `A plan has at most ${MAX_LINKS} dependencies.`);
    const calendar = calendarOf(this.project, this.#isOwn, this.#problems, this.#notes);
    if (this.#problems.list.length > 0) return { ok: false, problems: this.#problems.list };
    const start = (textOf(this.project, 'StartDate') ?? '').slice(0, 10);
    const plan = {
      format: 'mspdi' as const,
      items,
      links,
      calendar,
      // The start of an own file is a computed one, unless the plan has it, which is then the same.
      start_date: this.#isOwn || !(dayOf(start) >= FIRST_DAY) ? undefined : start,
      notes: [...this.#notes],
    };
    return { ok: true, plan };
  }

  /** Whether a task is an item: not an empty row, the task of the project itself, or one that was deactivated. */
  #isItem(task: Node): boolean {
    if (textOf(task, 'IsNull') === '1' || textOf(task, 'OutlineLevel') === '0') return false;
    if (textOf(task, 'Active') !== '0') return true;
    this.#notes.add('Inactive tasks were not read.');
    return false;
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
    const computed = (this.#attribute(task, 'computed') ?? '').split(',');
    const [start, finish, date] = ['Start', 'Finish', 'ConstraintDate'].map((name) => this.#date(task, name)) as (
      | string
      | null
    )[];
    const number = Number(textOf(task, 'ConstraintType') ?? '0');
    let type: Constraint | null = CONSTRAINTS[number] ?? null;
    if (type === null) this.#problems.add(task.line, 'ConstraintType must be an integer from 0 to 7.');
    const needsDate = number >= 2;
    if (needsDate && date === null)
      this.#problems.add(task.line, 'A task with this ConstraintType needs a ConstraintDate.');
    if (isSummary) {
      const isKept = type === 'start_no_earlier_than' || type === 'finish_no_later_than';
      return {
        start_date: null,
        end_date: null,
        duration_days: null,
        constraint_type: isKept ? type : null,
        constraint_date: isKept ? date! : null,
      };
    }
    const start_date = computed.includes('start') ? null : start!;
    // A constraint that a planned start implies is not stated twice.
    if (type === 'start_no_earlier_than' && date === start_date) type = null;
    if (type === 'as_soon_as_possible' && start_date === null) type = null;
    const isMilestone = this.#isMilestone(task);
    const end_date = computed.includes('finish') ? null : finish!;
    const hasDates = start_date !== null && end_date !== null;
    if (hasDates && end_date < start_date) this.#problems.add(task.line, 'The Finish of a task is before its Start.');
    const duration_days = computed.includes('duration') || isMilestone ? null : this.#days(task);
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
    const days = this.#isOwn ? null : this.#days(task);
    return days === null ? isMarked : days === 0;
  }

  #date(task: Node, name: string): string | null {
    const text = textOf(task, name);
    if (text === undefined || text === '') return null;
    const date = text.slice(0, 10);
    if (!Number.isNaN(dayOf(date)) && date >= '0001') return date;
    this.#problems.add(childOf(task, name)!.line, `${name} must be a date and time.`);
    return null;
  }

  /** The duration in working days, rounded up. */
  #days(task: Node): number | null {
    const text = textOf(task, 'Duration');
    if (text === undefined || text === '') return null;
    const match = DURATION.exec(text);
    if (!match) {
      this.#problems.add(task.line, 'Duration must be like PT8H0M0S.');
      return null;
    }
    const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
    const all = days * 24 * 60 + hours * 60 + minutes + seconds / 60;
    const isElapsed = ELAPSED.includes(Number(textOf(task, 'DurationFormat')) % 32);
    if (isElapsed)
      this.#notes.add('Elapsed durations were read as working time of a fifth less than seven days a week.');
    const worked = isElapsed ? ((all / 1_440) * 5) / 7 : all / this.#minutesPerDay;
    const whole = Math.ceil(worked - 1e-9);
    if (whole - worked > 1e-9) this.#notes.add('Durations of parts of days were rounded up to whole days.');
    if (whole <= MAX_DURATION) return whole;
    this.#problems.add(task.line, `A task lasts at most ${MAX_DURATION} working days.`);
    return null;
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

  #link(
    node: Node,
    successor: string,
    keys: ReadonlySet<string>,
    durations: ReadonlyMap<string, number | null>,
  ): FileLink[] {
    if (textOf(node, 'CrossProject') === '1') {
      this.#notes.add('Dependencies on other projects were not read.');
      return [];
    }
    const predecessor = textOf(node, 'PredecessorUID') ?? '';
    if (!keys.has(predecessor)) {
      this.#problems.add(node.line, `There is no task with the UID ${JSON.stringify(predecessor.slice(0, 20))}.`);
      return [];
    }
    const type = LINK_TYPES[Number(textOf(node, 'Type') ?? '1')];
    if (!type) this.#problems.add(node.line, 'Type of a PredecessorLink must be an integer from 0 to 3.');
    const lag = Number(textOf(node, 'LinkLag') ?? '0');
    const format = Number(textOf(node, 'LagFormat') ?? '7') % 32;
    const isPercent = PERCENT.includes(format);
    const perDay = (ELAPSED.includes(format) ? 1_440 : this.#minutesPerDay) * LAGS_PER_MINUTE;
    const days = isPercent ? ((durations.get(predecessor) ?? 1) * lag) / 100 : lag / perDay;
    const lag_days = Math.round(days);
    if (Math.abs(lag_days - days) > 1e-9) this.#notes.add('Lags of parts of days were rounded to whole days.');
    if (!(Math.abs(lag_days) <= 999)) this.#problems.add(node.line, 'A lag is at most 999 working days.');
    return [{ line: node.line, predecessor, successor, type: type ?? 'FS', lag_days: lag_days === 0 ? 0 : lag_days }];
  }
}
