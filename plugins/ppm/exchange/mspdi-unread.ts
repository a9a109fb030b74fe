/** What files of Microsoft Project have and plans have not: dropped while the file is parsed, or noted. */
import { chainOf, usedCalendar } from './mspdi-calendar.js';
import { FIELDS } from './mspdi.js';
import type { Notes } from './notes.js';
import { childOf, childrenOf, textOf, type Node } from './xml.js';

/** Elements that say nothing about a plan, or repeat what others say. */
const SKIPPED = new Set([
  'OutlineCodes',
  'WBSMasks',
  'TimephasedData',
  'Views',
  'Filters',
  'Groups',
  'Tables',
  'Maps',
  'Reports',
  'Drawings',
]);
/** The only elements that are kept of these, to count them. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  Baseline: [],
  OutlineCode: [],
  Resource: ['UID', 'IsNull', 'IsBudget'],
  Assignment: ['ResourceUID'],
};

/** Whether an element is dropped when the file is parsed. @param parent the name of the one around it */
export const isSkipped = (name: string, parent: string | undefined): boolean =>
  SKIPPED.has(name) || KEPT[parent ?? '']?.includes(name) === false;

const isOne = (task: Node, name: string): boolean => textOf(task, name) === '1';
const isPositive = (task: Node, name: string): boolean => Number(textOf(task, name) ?? '0') > 0;
const hasText = (task: Node, name: string): boolean => (textOf(task, name) ?? '') !== '';
const has = (task: Node, name: string): boolean => childOf(task, name) !== undefined;
const isSummary = (task: Node): boolean => isOne(task, 'Summary');
/** Whether progress, and not a constraint, says when a task begins. */
const isStarted = (task: Node): boolean => hasText(task, 'ActualStart');
/** As soon as possible, and a start no earlier than a date. */
const CONSTRAINTS_OF_STARTS = [0, 4];
const isLevelled = (task: Node): boolean => Number(textOf(task, 'LevelingDelay') ?? '0') !== 0;

/**
 * Whether the dates of a task do not follow from its constraint: scheduled by hand, of another project, begun, or delayed by
 * levelling. @param constraint the number of its constraint
 */
export const keepsDates = (task: Node, constraint: number): boolean =>
  isOne(task, 'Manual') ||
  isOne(task, 'ExternalTask') ||
  (CONSTRAINTS_OF_STARTS.includes(constraint) && (isStarted(task) || isLevelled(task)));

/** By task that is read. */
const OF_TASKS: readonly (readonly [sentence: string, test: (task: Node) => boolean])[] = [
  [
    'Tasks that are scheduled by hand were read with their dates as planned ones, which predecessors can move',
    (task) => isOne(task, 'Manual') && !isSummary(task),
  ],
  [
    'Dates of summary tasks that are scheduled by hand were not read',
    (task) => isOne(task, 'Manual') && isSummary(task),
  ],
  ['Tasks of other projects were read as items of this plan, with their dates', (task) => isOne(task, 'ExternalTask')],
  ['Subprojects were read as items, without what is in them', (task) => isOne(task, 'IsSubproject')],
  ['Recurring tasks were read as ordinary ones', (task) => isOne(task, 'Recurring')],
  ['Deadlines of tasks were not read', (task) => hasText(task, 'Deadline')],
  ['Delays by levelling were read as planned dates', isLevelled],
  ['Actual costs of tasks were not read', (task) => !isSummary(task) && isPositive(task, 'ActualCost')],
  ['Costs of summary tasks themselves were not read', (task) => isSummary(task) && isPositive(task, 'FixedCost')],
  ['Priorities of tasks were not read', (task) => !['', '500'].includes(textOf(task, 'Priority') ?? '')],
  ['Physical completion of tasks was not read', (task) => isPositive(task, 'PhysicalPercentComplete')],
  ['Hyperlinks of tasks were not read', (task) => hasText(task, 'HyperlinkAddress')],
  ['Contacts of tasks were not read', (task) => hasText(task, 'Contact')],
  ['Outline codes of tasks were not read', (task) => has(task, 'OutlineCode')],
  ['Baselines of tasks were not read', (task) => has(task, 'Baseline')],
  [
    'WBS codes of tasks that are not their outline numbers were not read',
    (task) => hasText(task, 'WBS') && textOf(task, 'WBS') !== textOf(task, 'OutlineNumber'),
  ],
];

/** Notes everything of a file that is not read, apart from what is noted where it is read. @param tasks those that are read */
export function noteUnread(project: Node, tasks: readonly Node[], isOwn: boolean, notes: Notes): void {
  const all = childrenOf(childOf(project, 'Tasks'), 'Task');
  const ownFields: readonly (string | undefined)[] = isOwn ? Object.values(FIELDS).map(({ fieldId }) => fieldId) : [];
  const isOther = (field: Node): boolean => !ownFields.includes(textOf(field, 'FieldID'));
  const used = usedCalendar(project);
  const count = (of: readonly Node[], test: (node: Node) => boolean): number => of.filter(test).length;

  if (textOf(project, 'ScheduleFromStart') === '0')
    notes.add('Projects that are scheduled from their finish were read as scheduled from their start');
  notes.add(
    'Inactive tasks were not read',
    count(all, (task) => textOf(task, 'Active') === '0' && !isOne(task, 'IsNull')),
  );
  notes.add(
    'Notes and costs of the project itself were not read',
    count(
      all,
      (task) => textOf(task, 'OutlineLevel') === '0' && (hasText(task, 'Notes') || isPositive(task, 'FixedCost')),
    ),
  );
  for (const [sentence, test] of OF_TASKS) notes.add(sentence, count(tasks, test));
  notes.add(
    'Calendars of tasks were not read',
    count(tasks, (task) => ![undefined, '', '-1', used].includes(textOf(task, 'CalendarUID'))),
  );
  notes.add(
    'Tasks with values of custom fields were read without these',
    count(tasks, (task) => childrenOf(task, 'ExtendedAttribute').some(isOther)),
  );
  notePeople(project, notes);
}

function notePeople(project: Node, notes: Notes): void {
  const resources = childrenOf(childOf(project, 'Resources'), 'Resource').filter(
    (one) => !isOne(one, 'IsNull') && textOf(one, 'UID') !== '0',
  );
  const assignments = childrenOf(childOf(project, 'Assignments'), 'Assignment');
  notes.add('Resources were not read', resources.length);
  notes.add('Budgets of resources were not read', resources.filter((one) => isOne(one, 'IsBudget')).length);
  // Work without a resource has a number below 0.
  notes.add(
    'Assignments of resources to tasks were not read',
    assignments.filter((one) => Number(textOf(one, 'ResourceUID') ?? '-1') >= 0).length,
  );
  const read = new Set(chainOf(project, usedCalendar(project)));
  notes.add(
    'Calendars of resources were not read',
    childrenOf(childOf(project, 'Calendars'), 'Calendar').filter(
      (one) =>
        !read.has(one) &&
        textOf(one, 'IsBaseCalendar') === '0' &&
        ['WeekDays', 'Exceptions', 'WorkWeeks'].some((name) => (childOf(one, name)?.children.length ?? 0) > 0),
    ).length,
  );
}
