/** A plan as Microsoft Project XML. */
import { CONSTRAINTS } from '../schedule/types.js';
import { visitInSlices } from '../slices.js';
import { CALENDARS, CENTS, dayTypeOf, FIELDS, LAGS_PER_MINUTE, LINK_TYPES, NAMESPACE } from './mspdi.js';
import type { FileCalendar } from './file-plan.js';
import type { StoredItem, StoredPlan } from './stored.js';
import { escaped } from './xml.js';

type Value = string | number | null | undefined;

/** An element with text; nothing for a null. */
const field = (name: string, value: Value): string =>
  value === null || value === undefined
    ? ''
    : `<${name}>${typeof value === 'number' ? value : escaped(value)}</${name}>`;

const START = '08:00:00';

/** The time at which a day of work ends, after so many hours. */
function endTime(hours: number): string {
  const minutes = Math.min(Math.round((8 + hours) * 60), 24 * 60 - 1);
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`;
}

/** @param hasCosts whether the caller may see amounts @returns the file in pieces, one for each task */
export async function mspdiOf(plan: StoredPlan, hasCosts: boolean): Promise<Iterable<string>> {
  const end = endTime(plan.hoursPerDay);
  const minutesPerDay = Math.round(plan.hoursPerDay * 60);
  const uids = await uidsOf(plan.items);
  const links = new Map<string, string[]>();
  await visitInSlices(plan.dependencies, ({ predecessor_id, successor_id, type, lag_days }) => {
    const list = links.get(successor_id) ?? [];
    list.push(
      `<PredecessorLink>${field('PredecessorUID', uids.get(predecessor_id)!)}${field('Type', LINK_TYPES.indexOf(type))}${field('CrossProject', 0)}${field('LinkLag', lag_days * minutesPerDay * LAGS_PER_MINUTE)}${field('LagFormat', 7)}</PredecessorLink>`,
    );
    links.set(successor_id, list);
  });
  let lastDay = plan.startDay;
  await visitInSlices(plan.items, ({ computed: { finish } }) => {
    if (finish > lastDay) lastDay = finish;
  });
  const context = { end, minutesPerDay, hasCosts };
  const head = [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
    `<Project xmlns="${NAMESPACE}">`,
    field('SaveVersion', 14),
    field('Name', `${plan.title.slice(0, 200)}.xml`),
    field('Title', plan.title.slice(0, 500)),
    field('ScheduleFromStart', 1),
    field('StartDate', `${plan.startDay}T${START}`),
    field('FinishDate', `${lastDay}T${end}`),
    field('CurrencyCode', hasCosts ? plan.currency : undefined),
    field('CalendarUID', 1),
    field('DefaultStartTime', START),
    field('DefaultFinishTime', end),
    field('MinutesPerDay', minutesPerDay),
    field('MinutesPerWeek', minutesPerDay * plan.effective.working_days.length),
    field('DurationFormat', 7),
    field('HonorConstraints', 0),
    `<ExtendedAttributes>${Object.values(FIELDS)
      .map(
        ({ fieldId, name, alias }) =>
          `<ExtendedAttribute>${field('FieldID', fieldId)}${field('FieldName', name)}${field('Alias', alias)}</ExtendedAttribute>`,
      )
      .join('')}</ExtendedAttributes>`,
    calendars(plan, end),
    '<Tasks>',
  ];
  function* pieces(): Generator<string> {
    yield `${head.join('\n')}\n`;
    for (const [i, item] of plan.items.entries())
      yield `${task(item, i, uids.get(item.row.id)!, links.get(item.row.id) ?? [], context)}\n`;
    yield '</Tasks>\n</Project>\n';
  }
  return pieces();
}

/** UIDs: the external id where it is one and unique, otherwise the next free number. */
async function uidsOf(items: readonly StoredItem[]): Promise<Map<string, number>> {
  const uids = new Map<string, number>();
  const taken = new Set<number>([0]);
  await visitInSlices(items, ({ row: { id, external_id } }) => {
    if (external_id === null || !/^[1-9]\d{0,8}$/.test(external_id) || taken.has(Number(external_id))) return;
    uids.set(id, Number(external_id));
    taken.add(Number(external_id));
  });
  let next = 1;
  await visitInSlices(items, ({ row: { id } }) => {
    if (uids.has(id)) return;
    while (taken.has(next)) next++;
    uids.set(id, next);
    taken.add(next);
  });
  return uids;
}

/**
 * The calendar that the tasks use has all days that are not worked, because Microsoft Project does not read the base of a base
 * calendar. Two others, which nothing uses, tell which of them are the plan's own, so that holidays of the organisation do not become
 * exceptions of the plan when the file is read again.
 */
function calendars({ calendar, effective }: StoredPlan, end: string): string {
  const own = new Set((calendar?.exceptions ?? []).map(({ date }) => date));
  const holidays = { ...effective, exceptions: effective.exceptions.filter(({ date }) => !own.has(date)) };
  return [
    '<Calendars>',
    one(1, 'Plan', effective, end),
    one(2, CALENDARS.organisation, holidays, end),
    one(3, CALENDARS.own, calendar ?? { working_days: null, exceptions: [] }, end),
    '</Calendars>',
  ].join('');
}

function one(uid: number, name: string, { working_days, exceptions }: FileCalendar, end: string): string {
  const times = `<WorkingTimes><WorkingTime>${field('FromTime', START)}${field('ToTime', end)}</WorkingTime></WorkingTimes>`;
  const weekdays = [7, 1, 2, 3, 4, 5, 6].map((weekday) => {
    const works = working_days?.includes(weekday) === true;
    return `<WeekDay>${field('DayType', dayTypeOf(weekday))}${field('DayWorking', works ? 1 : 0)}${works ? times : ''}</WeekDay>`;
  });
  const special = exceptions.map(
    ({ date, working, name: what }) =>
      `<Exception>${field('EnteredByOccurrences', 0)}<TimePeriod>${field('FromDate', `${date}T00:00:00`)}${field('ToDate', `${date}T23:59:00`)}</TimePeriod>${field('Occurrences', 1)}${field('Name', what ?? '')}${field('Type', 1)}${field('DayWorking', working ? 1 : 0)}${working ? times : ''}</Exception>`,
  );
  return [
    `<Calendar>${field('UID', uid)}${field('Name', name)}${field('IsBaseCalendar', 1)}${field('BaseCalendarUID', -1)}`,
    working_days === null ? '' : `<WeekDays>${weekdays.join('')}</WeekDays>`,
    special.length === 0 ? '' : `<Exceptions>${special.join('')}</Exceptions>`,
    '</Calendar>',
  ].join('');
}

interface Context {
  end: string;
  minutesPerDay: number;
  hasCosts: boolean;
}

function task(
  { row: item, outline, depth, isSummary, completion, computed: scheduled }: StoredItem,
  i: number,
  uid: number,
  links: readonly string[],
  { end, minutesPerDay, hasCosts }: Context,
): string {
  const isPlanned = !isSummary;
  const start = (isPlanned ? item.start_date : null) ?? scheduled.start;
  const finish = (isPlanned ? item.end_date : null) ?? scheduled.finish;
  const minutes = (isPlanned ? (item.duration_days ?? scheduled.days) : scheduled.days) * minutesPerDay;
  const computed = isPlanned
    ? [
        item.start_date === null && 'start',
        item.end_date === null && 'finish',
        item.duration_days === null && 'duration',
      ]
        .filter(Boolean)
        .join(',')
    : '';
  // A planned start without a constraint is a start no earlier than that date; without a date, as soon as possible.
  const isImplied = item.constraint_type === null && item.start_date !== null && isPlanned;
  const type = isImplied ? 'start_no_earlier_than' : (item.constraint_type ?? 'as_soon_as_possible');
  const date = isImplied ? item.start_date : item.constraint_date;
  const time = item.is_milestone || type.includes('finish') ? end : START;
  const cents =
    hasCosts && isPlanned && item.planned_cost !== null ? Math.round(Number(item.planned_cost) * CENTS) : null;
  const duration = `PT${Math.floor(minutes / 60)}H${minutes % 60}M0S`;
  return [
    `<Task>${field('UID', uid)}${field('ID', i + 1)}${field('Name', item.title)}${field('Type', 1)}${field('IsNull', 0)}`,
    field('OutlineNumber', outline) + field('OutlineLevel', depth + 1),
    field('Start', `${start}T${item.is_milestone ? end : START}`) + field('Finish', `${finish}T${end}`),
    field('Duration', duration) +
      field('DurationFormat', 7) +
      field(
        'Estimated',
        item.duration_days === null && isPlanned && item.end_date === null && !item.is_milestone ? 1 : 0,
      ),
    field('Milestone', item.is_milestone ? 1 : 0) +
      field('Summary', isSummary ? 1 : 0) +
      field('Critical', scheduled.isCritical ? 1 : 0),
    // The schema is a sequence: the fixed cost is before the completion, the cost after it.
    field('FixedCost', cents) + field('PercentComplete', Math.round(completion)) + field('Cost', cents),
    field('ConstraintType', CONSTRAINTS.indexOf(type)) + field('CalendarUID', -1),
    date === null ? '' : field('ConstraintDate', `${date}T${time}`),
    item.description === null ? '' : field('Notes', item.description),
    ...links,
    attribute(FIELDS.id.fieldId, item.id),
    computed === '' ? '' : attribute(FIELDS.computed.fieldId, computed),
    cents === null || !item.planned_currency ? '' : attribute(FIELDS.currency.fieldId, item.planned_currency),
    '</Task>',
  ].join('');
}

const attribute = (fieldId: string, value: string): string =>
  `<ExtendedAttribute>${field('FieldID', fieldId)}${field('Value', value)}</ExtendedAttribute>`;
