/** What files of Microsoft Project have, and what becomes of it: dates, lags, calendars, and notes of what is not read. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { testApp } from '@lintel/sdk/testing';
import module from '../index.js';
import { readPlan } from '../exchange/read.js';
import { planIn, XML } from './schedule-support.js';

const app = await testApp({ module });
t.teardown(app.close);
const [viewer, member] = [await app.asUser('viewer'), await app.asUser('member')];
const plan = () => planIn({ app, member, viewer });

/** Imports a file into a new plan. @returns its notes, and the schedule by title: first day, last day, working days */
async function imported(file: string | Uint8Array) {
  const made = await plan();
  const { status, body } = await made.importer(member, file, {}, XML);
  if (status !== 200) throw new Error(JSON.stringify(body));
  const rows = await made.rows('schedule');
  const dates = Object.fromEntries(
    [...rows].map(([title, row]) => [title, [row.start_date, row.finish_date, row.duration_days]]),
  );
  return { ...made, notes: body.notes, dates };
}

const USUAL = '08:00-12:00 13:00-17:00';
/** A week of a calendar. @param works `DayType` of the days that are worked: 1 is Sunday */
const week = (works: string, hours: string): string => {
  const times = hours
    .split(' ')
    .map((one) => one.split('-'))
    .map(([from, to]) => `<WorkingTime><FromTime>${from}:00</FromTime><ToTime>${to}:00</ToTime></WorkingTime>`)
    .join('');
  return [1, 2, 3, 4, 5, 6, 7]
    .map((day) => {
      const isWorked = works.includes(String(day));
      return `<WeekDay><DayType>${day}</DayType><DayWorking>${isWorked ? 1 : 0}</DayWorking>${isWorked ? `<WorkingTimes>${times}</WorkingTimes>` : ''}</WeekDay>`;
    })
    .join('');
};
const calendar = (uid: number, works: string, hours: string, more = ''): string =>
  `<Calendar><UID>${uid}</UID><Name>C${uid}</Name><IsBaseCalendar>1</IsBaseCalendar><BaseCalendarUID>-1</BaseCalendarUID><WeekDays>${week(works, hours)}</WeekDays>${more}</Calendar>`;

interface Task {
  name: string;
  start?: string;
  finish?: string;
  /** ISO 8601. */
  duration?: string;
  more?: string;
}
const task = ({ name, start, finish, duration, more = '' }: Task, i: number): string =>
  [
    `<Task><UID>${i + 1}</UID><ID>${i + 1}</ID><Name>${name}</Name><OutlineNumber>${i + 1}</OutlineNumber>`,
    more.includes('<OutlineLevel>') ? '' : '<OutlineLevel>1</OutlineLevel>',
    start === undefined ? '' : `<Start>${start}</Start>`,
    finish === undefined ? '' : `<Finish>${finish}</Finish>`,
    duration === undefined ? '' : `<Duration>${duration}</Duration>`,
    `${more}</Task>`,
  ].join('');
const project = (tasks: readonly Task[], calendars = calendar(1, '23456', USUAL), more = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Project xmlns="http://schemas.microsoft.com/project"><StartDate>2026-03-02T08:00:00</StartDate><MinutesPerDay>480</MinutesPerDay><CalendarUID>1</CalendarUID><Calendars>${calendars}</Calendars><Tasks>${tasks.map(task).join('')}</Tasks>${more}</Project>`;
const link = (uid: number, type: number, lag: number, format: number): string =>
  `<PredecessorLink><PredecessorUID>${uid}</PredecessorUID><Type>${type}</Type><LinkLag>${lag}</LinkLag><LagFormat>${format}</LagFormat></PredecessorLink>`;
const WEEK = { name: 'A', start: '2026-03-02T08:00:00', finish: '2026-03-06T17:00:00', duration: 'PT40H0M0S' };
const DAY = { start: '2026-03-09T08:00:00', finish: '2026-03-09T17:00:00', duration: 'PT8H0M0S' };
const [FF, FS, SF, SS] = [0, 1, 2, 3];

const folder = join(process.env['TEST_DATA_DIR'] ?? '', 'trials');
const isAbsent = existsSync(folder) ? false : 'TEST_DATA_DIR is absent';
t.test('files as Microsoft Project writes them', { skip: isAbsent }, async (t) => {
  const of = (name: string) => imported(readFileSync(join(folder, name)));
  const elapsed = await of('03-mspdi-elapsed-lag.xml');
  t.strictSame(elapsed.dates['B'], ['2026-05-21', '2026-05-22', 2]);
  t.strictSame(elapsed.notes, ['Lags in elapsed time were read as the working days that these are now: 1.']);
  const manual = await of('05-mspdi-manual-task.xml');
  t.strictSame(manual.dates['B by hand'], ['2026-03-23', '2026-03-24', 2]);
  t.strictSame(manual.notes, [
    'Tasks that are scheduled by hand were read with their dates as planned ones, which predecessors can move: 1.',
    'Deadlines of tasks were not read: 1.',
  ]);
  const own = await of('05b-mspdi-task-calendar.xml');
  t.strictSame(own.notes, ['Calendars of tasks were not read: 1.']);
  t.strictSame(own.dates['B'], ['2026-03-09', '2026-03-10', 2]);
  const external = await of('05c-mspdi-external-task.xml');
  t.strictSame(external.notes, ['Tasks of other projects were read as items of this plan, with their dates: 1.']);
  t.strictSame(external.dates['Of another project'], ['2026-03-09', '2026-05-15', 50]);
  const recurring = await of('14-mspdi-recurring-holiday.xml');
  t.strictSame(recurring.dates['A'], ['2026-03-02', '2026-03-23', 15]);
  t.strictSame(recurring.notes, []);
});

t.test('lags in elapsed time', async (t) => {
  const hours = (n: number): number => n * 600;
  const cases: [string, string, string][] = [
    ['an hour of the night after', link(1, FS!, hours(15), 6), '2026-03-09'],
    ['minutes of the weekend', link(1, FS!, hours(60), 4), '2026-03-09'],
    ['days', link(1, FS!, hours(4 * 24), 8), '2026-03-11'],
    ['an estimate', link(1, FS!, hours(4 * 24), 40), '2026-03-11'],
    ['weeks from a start', link(1, SS!, hours(14 * 24), 10), '2026-03-16'],
    ['a month', link(1, FS!, hours(30 * 24), 12), '2026-04-06'],
    ['a lead', link(1, FS!, hours(-24), 8), '2026-03-06'],
    // The duration is 40 hours: all of it after Friday at 17:00 is Sunday at 9:00.
    ['a percentage', link(1, FS!, 100, 20), '2026-03-09'],
    ['an estimated percentage of days', link(1, FS!, 180, 52), '2026-03-10'],
    // Of one day: it finishes on the day at whose end the lag ends.
    ['to a finish', link(1, FF!, hours(4 * 24), 8), '2026-03-10'],
    ['from a start to a finish', link(1, SF!, hours(8 * 24), 8), '2026-03-09'],
    ['working time, for comparison', link(1, FS!, hours(8 * 4), 7), '2026-03-13'],
  ];
  for (const [label, more, start] of cases) {
    const { dates, notes } = await imported(project([WEEK, { name: 'B', ...DAY, more }]));
    t.equal(dates['B']![0], start, label);
    t.equal(
      notes.filter((note) => note.startsWith('Lags in elapsed')).length,
      label.startsWith('working') ? 0 : 1,
      label,
    );
  }
  // Holidays of the organisation are no working days either, and elapsed time passes on them too.
  const more = link(1, FS!, hours(8 * 24), 8);
  const holiday = await member.post(`${app.prefix}/holidays`, { date: '2026-03-11', name: 'Founders' });
  t.equal(holiday.status, 201);
  const { dates, path, importer } = await imported(project([WEEK, { name: 'B', ...DAY, more }]));
  t.equal(dates['B']![0], '2026-03-16');
  t.match((await viewer.get<{ items: object[] }>(`${path}/dependencies`)).body.items, [{ lag_days: 4 }]);
  const again = await importer(member, project([WEEK, { name: 'B', ...DAY, more }]), {}, XML);
  t.match(again.body, { items: { updated: 0, unchanged: 2 }, dependencies: { unchanged: 1 } });
  t.equal((await app.admin.delete(`${app.prefix}/holidays/${holiday.body.id}`)).status, 204);
  const far = await importer(
    member,
    project([WEEK, { name: 'B', ...DAY, more: link(1, FS!, hours(24 * 2_000), 8) }]),
    {},
    XML,
  );
  t.match(far, { status: 422, body: { problems: [{ reason: /999/ }] } });
});

t.test('tasks whose dates do not follow from their constraint keep them', async (t) => {
  const late = { start: '2026-03-23T08:00:00', finish: '2026-03-24T17:00:00', duration: 'PT16H0M0S' };
  const asap = '<ConstraintType>0</ConstraintType>';
  const kept: [string, string][] = [
    ['by hand', '<Manual>1</Manual>'],
    [
      'by hand, with a constraint that has no effect',
      '<Manual>1</Manual><ConstraintType>2</ConstraintType><ConstraintDate>2026-03-04T08:00:00</ConstraintDate>',
    ],
    ['of another project', '<ExternalTask>1</ExternalTask>'],
    ['begun', `<ActualStart>2026-03-23T08:00:00</ActualStart>${asap}`],
    ['delayed by levelling', `<LevelingDelay>72000</LevelingDelay>${asap}`],
    [
      'delayed by levelling after its constraint',
      '<LevelingDelay>72000</LevelingDelay><ConstraintType>4</ConstraintType><ConstraintDate>2026-03-10T08:00:00</ConstraintDate>',
    ],
  ];
  for (const [label, more] of kept) {
    const { dates, notes } = await imported(project([WEEK, { name: 'B', ...late, more: more + link(1, FS!, 0, 7) }]));
    t.strictSame(dates['B'], ['2026-03-23', '2026-03-24', 2], label);
    t.equal(
      notes.includes('Constraints of tasks that are scheduled by hand or of other projects were not read: 1.'),
      label.includes('constraint that'),
    );
  }
  const moved = await imported(project([WEEK, { name: 'B', ...late, more: asap }]));
  t.equal(moved.dates['B']![0], '2026-03-02', 'as soon as possible is not a date');
  // What was entered counts, also where Microsoft Project has computed something else.
  const entered =
    '<Manual>1</Manual><ManualStart>2026-03-25T08:00:00</ManualStart><ManualFinish>2026-03-26T17:00:00</ManualFinish>';
  t.strictSame((await imported(project([WEEK, { name: 'B', ...late, more: entered }]))).dates['B'], [
    '2026-03-25',
    '2026-03-26',
    2,
  ]);
});

t.test('the time of day of a finish says to which day it belongs', async (t) => {
  const ends = (finish: string, calendars?: string, more = '') => {
    const read = readPlan(
      Buffer.from(project([{ name: 'A', start: '2026-03-02T08:00:00', finish, more }], calendars)),
      'mspdi',
    );
    return read.ok ? read.plan.items[0]!.end_date : read.problems;
  };
  const from9 = calendar(1, '23456', '09:00-13:00 14:00-18:00');
  const always = calendar(1, '1234567', '00:00-00:00');
  const night = calendar(1, '23456', '00:00-03:00 23:00-00:00');
  const cases: [string, string, string, string?, string?][] = [
    ['the end of a day', '2026-03-06T17:00:00', '2026-03-06'],
    ['midnight', '2026-03-06T00:00:00', '2026-03-05'],
    ['midnight after a weekend', '2026-03-09T00:00:00', '2026-03-06'],
    ['the begin of a day', '2026-03-06T08:00:00', '2026-03-05'],
    ['the begin of a week', '2026-03-09T08:00:00', '2026-03-06'],
    ['after an hour', '2026-03-06T09:00:00', '2026-03-06'],
    ['the begin of a day with other hours', '2026-03-06T09:00:00', '2026-03-05', from9],
    ['the end of a day with other hours', '2026-03-06T18:00:00', '2026-03-06', from9],
    ['midnight of all days', '2026-03-08T00:00:00', '2026-03-07', always],
    ['all hours', '2026-03-08T01:00:00', '2026-03-08', always],
    ['a night', '2026-03-06T03:00:00', '2026-03-06', night],
    ['a date without a time', '2026-03-06', '2026-03-06'],
    ['a day that is not worked', '2026-03-07T17:00:00', '2026-03-07'],
    ['the day of the start', '2026-03-02T08:00:00', '2026-03-02'],
    [
      'the calendar of the task',
      '2026-03-06T09:00:00',
      '2026-03-05',
      calendar(1, '23456', USUAL) + calendar(2, '23456', '09:00-17:00'),
      '<CalendarUID>2</CalendarUID>',
    ],
  ];
  for (const [label, finish, day, calendars, more] of cases) t.equal(ends(finish, calendars, more), day, label);
  const limit = '<ConstraintType>7</ConstraintType><ConstraintDate>2026-03-14T00:00:00</ConstraintDate>';
  const read = readPlan(Buffer.from(project([{ ...WEEK, more: limit }])), 'mspdi');
  t.match(read, { plan: { items: [{ constraint_type: 'finish_no_later_than', constraint_date: '2026-03-13' }] } });
  const begins = '<ConstraintType>4</ConstraintType><ConstraintDate>2026-03-09T00:00:00</ConstraintDate>';
  const start = readPlan(Buffer.from(project([{ ...WEEK, more: begins }])), 'mspdi');
  t.match(start, { plan: { items: [{ constraint_date: '2026-03-09' }] } }, 'a start is on its day');
});

t.test('recurring exceptions of calendars', async (t) => {
  const read = (recurrence: string, from = '2026-03-04', to = '2026-12-31') => {
    const exception = `<Exception><TimePeriod><FromDate>${from}T00:00:00</FromDate><ToDate>${to}T23:59:00</ToDate></TimePeriod><Name>Off</Name>${recurrence}<DayWorking>0</DayWorking></Exception>`;
    const calendars = calendar(1, '23456', USUAL, `<Exceptions>${exception}</Exceptions>`);
    const result = readPlan(Buffer.from(project([{ name: 'A', duration: 'PT8H0M0S' }], calendars)), 'mspdi');
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    return { days: result.plan.calendar!.exceptions.map(({ date }) => date), notes: result.plan.notes };
  };
  const counted = (n: number): string =>
    `<EnteredByOccurrences>1</EnteredByOccurrences><Occurrences>${n}</Occurrences>`;
  const cases: [string, string, string[]][] = [
    ['every third day', `<Type>1</Type><Period>3</Period>${counted(3)}`, ['2026-03-04', '2026-03-07', '2026-03-10']],
    ['by day count', `<Type>7</Type><Period>2</Period>${counted(2)}`, ['2026-03-04', '2026-03-06']],
    [
      'weekly: Tuesday and Friday',
      `<Type>6</Type><Period>1</Period><DaysOfWeek>36</DaysOfWeek>${counted(3)}`,
      ['2026-03-06', '2026-03-10', '2026-03-13'],
    ],
    [
      'every second week',
      `<Type>6</Type><Period>2</Period><DaysOfWeek>32</DaysOfWeek>${counted(2)}`,
      ['2026-03-06', '2026-03-20'],
    ],
    [
      'monthly by day',
      `<Type>4</Type><Period>1</Period><MonthDay>31</MonthDay>${counted(3)}`,
      ['2026-03-31', '2026-05-31', '2026-07-31'],
    ],
    [
      'monthly by position: last weekday',
      `<Type>5</Type><Period>2</Period><MonthItem>1</MonthItem><MonthPosition>4</MonthPosition>${counted(2)}`,
      ['2026-03-31', '2026-05-29'],
    ],
    [
      'monthly by position: second Sunday',
      `<Type>5</Type><MonthItem>3</MonthItem><MonthPosition>1</MonthPosition>${counted(2)}`,
      ['2026-03-08', '2026-04-12'],
    ],
    ['yearly by day', '<Type>2</Type><Month>11</Month><MonthDay>25</MonthDay>', ['2026-12-25']],
    [
      'yearly by position: fourth Thursday of November',
      '<Type>3</Type><Month>10</Month><MonthItem>7</MonthItem><MonthPosition>3</MonthPosition>',
      ['2026-11-26'],
    ],
    ['not before its first day', '<Type>2</Type><Month>0</Month><MonthDay>1</MonthDay>', []],
  ];
  for (const [label, recurrence, days] of cases) t.strictSame(read(recurrence), { days, notes: [] }, label);
  t.strictSame(read('<Type>2</Type><Month>1</Month><MonthDay>29</MonthDay>', '2023-01-01', '2032-12-31').days, [
    '2024-02-29',
    '2028-02-29',
    '2032-02-29',
  ]);
  t.strictSame(read('<Type>8</Type><Period>3</Period>').notes, [
    'Recurring exceptions of the calendar that could not be understood were not read: 1.',
  ]);
  const endless = read('<Type>6</Type><DaysOfWeek>124</DaysOfWeek>', '2026-01-01', '9999-12-31');
  t.equal(endless.days.length, 2_000);
  t.match(endless.notes, [
    'Recurring exceptions of the calendar were read up to the 2000 days of exceptions that it can have: 1.',
  ]);
});

t.test('what is not read is noted once for each kind, with its count', async (t) => {
  const two = (more: string): Task[] => [1, 2].map((i) => ({ ...WEEK, name: `T${i}`, more }));
  const cases: [string, RegExp, string?][] = [
    ['<Active>0</Active>', /^Inactive tasks were not read: 2\.$/],
    ['<Recurring>1</Recurring>', /^Recurring tasks .*: 2\.$/],
    ['<IsSubproject>1</IsSubproject>', /^Subprojects .*: 2\.$/],
    ['<Deadline>2026-03-27T17:00:00</Deadline>', /^Deadlines .*: 2\.$/],
    ['<CalendarUID>2</CalendarUID>', /^Calendars of tasks .*: 2\.$/],
    ['<ActualCost>500</ActualCost>', /^Actual costs .*: 2\.$/],
    ['<Priority>700</Priority>', /^Priorities .*: 2\.$/],
    ['<PhysicalPercentComplete>7</PhysicalPercentComplete>', /^Physical completion .*: 2\.$/],
    ['<HyperlinkAddress>https://example.org</HyperlinkAddress>', /^Hyperlinks .*: 2\.$/],
    ['<Contact>Ada</Contact>', /^Contacts .*: 2\.$/],
    ['<OutlineCode><FieldID>1</FieldID></OutlineCode>', /^Outline codes .*: 2\.$/],
    ['<Baseline><Number>0</Number></Baseline>', /^Baselines .*: 2\.$/],
    ['<WBS>X.1</WBS>', /^WBS codes .*: 2\.$/],
    [
      '<ExtendedAttribute><FieldID>188743731</FieldID><Value>x</Value></ExtendedAttribute>',
      /^Tasks with values of custom fields .*: 2\.$/,
    ],
    ['<Summary>1</Summary><FixedCost>500</FixedCost>', /^Costs of summary tasks .*: 2\.$/],
    ['<Summary>1</Summary><Manual>1</Manual>', /^Dates of summary tasks .*: 2\.$/],
    ['<Cost>500</Cost>', /^Costs without a currency .*: 2\.$/],
    ['<Stop>2026-03-03T17:00:00</Stop><Duration>PT16H0M0S</Duration>', /^Durations that are not .*: 2\.$/],
    ['<DurationFormat>8</DurationFormat>', /^Elapsed durations .*: 2\.$/],
    [
      `<PredecessorLink><PredecessorUID>9</PredecessorUID><CrossProject>1</CrossProject></PredecessorLink>`,
      /^Dependencies on other projects .*: 2\.$/,
    ],
    ['', /^Projects that are scheduled from their finish .*: 1\.$/, '<ScheduleFromStart>0</ScheduleFromStart>'],
    [
      '',
      /^Resources .*: 1\.$/,
      '<Resources><Resource><UID>0</UID></Resource><Resource><UID>3</UID><Name>Ada</Name></Resource></Resources>',
    ],
    [
      '',
      /^Budgets of resources .*: 1\.$/,
      '<Resources><Resource><UID>3</UID><IsBudget>1</IsBudget></Resource></Resources>',
    ],
    [
      '',
      /^Assignments .*: 1\.$/,
      '<Assignments><Assignment><TaskUID>1</TaskUID><ResourceUID>3</ResourceUID></Assignment><Assignment><TaskUID>2</TaskUID><ResourceUID>-65535</ResourceUID></Assignment></Assignments>',
    ],
  ];
  for (const [more, note, around = ''] of cases) {
    const tasks = two(more.includes('<Duration>') ? more.replace(/<Duration>.*/, '') : more);
    if (more.includes('<Duration>')) for (const one of tasks) one.duration = 'PT16H0M0S';
    const read = readPlan(Buffer.from(project(tasks, undefined, around)), 'mspdi');
    const notes = read.ok ? read.plan.notes : read.problems;
    t.ok(
      notes.length > 0 && notes.filter((one) => note.test(String(one))).length === 1,
      `${note} ${JSON.stringify(notes)}`,
    );
  }
  const workWeeks = '<WorkWeeks><WorkWeek><Name>Summer</Name></WorkWeek></WorkWeeks>';
  const half =
    '<Exceptions><Exception><TimePeriod><FromDate>2026-12-24T00:00:00</FromDate><ToDate>2026-12-24T23:59:00</ToDate></TimePeriod><Type>1</Type><DayWorking>1</DayWorking><WorkingTimes><WorkingTime><FromTime>08:00:00</FromTime><ToTime>12:00:00</ToTime></WorkingTime></WorkingTimes></Exception></Exceptions>';
  const person = calendar(2, '234', USUAL).replace('<IsBaseCalendar>1', '<IsBaseCalendar>0');
  const { notes } = await imported(project([WEEK], calendar(1, '23456', USUAL, half + workWeeks) + person));
  t.strictSame(notes, [
    'Periods of the calendar with other weekdays (work weeks) were not read: 1.',
    'Days of the calendar with more or fewer hours than others were read as whole days: 1.',
    'Calendars of resources were not read: 1.',
  ]);
  t.strictSame((await imported(project([WEEK]))).notes, [], 'a plan that is read whole');
  // A dependency on a task that is not read does not refuse the file.
  const inactive = project([
    { ...WEEK, more: '<Active>0</Active>' },
    { name: 'B', ...DAY, more: link(1, FS!, 0, 7) },
  ]);
  t.strictSame((await imported(inactive)).notes, [
    'Dependencies on tasks that were not read were not read: 1.',
    'Inactive tasks were not read: 1.',
  ]);
});

t.test('a task of an exported file that is scheduled by hand since then has its dates', async (t) => {
  const first = await planIn({ app, member, viewer }, 'title,duration_days\nA,5');
  const { body: file } = await member.get<string>(`${first.path}/plan.xml`);
  const dates = '<Manual>1</Manual><Start>2026-03-23T08:00:00</Start><Finish>2026-03-24T17:00:00</Finish>';
  const edited = file.replace(/<Start>.*?<\/Finish>/, dates);
  t.match((await first.importer(member, edited, {}, XML)).body, { items: { updated: 1 } });
  t.match((await first.rows('schedule')).get('A'), { start_date: '2026-03-23', finish_date: '2026-03-24' });
});

t.test('the start of a plan goes with its file into another initiative', async (t) => {
  const csv = 'number,title,duration_days,predecessors\n1,A,5,\n2,B,2,1';
  const start = '2027-05-02';
  for (const isPlanned of [true, false]) {
    const first = await planIn({ app, member, viewer }, csv);
    // The start that is planned is a Sunday; the other one is that of the card.
    if (isPlanned) t.equal((await member.patch(`${first.path}/plan`, { start_date: start })).status, 200);
    else t.equal((await app.admin.patch(`/cards/${first.id}`, { attributes: { startDate: start } })).status, 200);
    const before = await first.rows('schedule');
    t.equal(before.get('A')!.start_date, '2027-05-03');
    const { body: file } = await member.get<string>(`${first.path}/plan.xml`);
    t.match((await first.importer(member, file, {}, XML)).body, { start_date_changed: false, notes: [] });
    const other = await plan();
    t.match((await other.importer(member, file, {}, XML)).body, { start_date_changed: true, notes: [] });
    const dates = (rows: typeof before) => [...rows].map(([title, row]) => [title, row.start_date, row.finish_date]);
    t.strictSame(dates(await other.rows('schedule')), dates(before));
    t.match((await other.importer(member, file, {}, XML)).body, { start_date_changed: false, items: { unchanged: 2 } });
    // A start that was changed in Microsoft Project is read back, where the plan has one.
    const later = file.replace('<StartDate>2027-05-03', '<StartDate>2027-05-10');
    t.match((await first.importer(member, later, {}, XML)).body, { start_date_changed: isPlanned });
  }
});
