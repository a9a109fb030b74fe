/** Earned value, load and files of plans, without a database. */
import t from 'tap';
import { dayOf, isoWeekOf } from '../calendar/days.js';
import { WorkingCalendar } from '../calendar/working-calendar.js';
import { earnedValues, estimate, plannedValue, ratio, seriesDays, type CostedItem } from '../earned-value/compute.js';
import { readPlan } from '../exchange/read.js';
import { predecessorsText, readPredecessors } from '../exchange/predecessors.js';
import { addLoad, type Load } from '../load/compute.js';
import { randomFrom } from './random-plans.js';

const calendar = new WorkingCalendar([1, 2, 3, 4, 5]);
const day = dayOf;

t.test('earned value: the fence of a textbook', async (t) => {
  // R. Mulcahy, PMP Exam Prep: four sides of a fence, a day and 1,000 each. At the end of the third day two are complete, the
  // third by half, and 1,000, 1,200 and 600 were spent. The book rounds CPI to 0.893 before it divides: EAC 4,479.
  const items = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'].map((date, i): CostedItem => {
    return { id: `side${i + 1}`, cents: 100_000n, start: day(date), finish: day(date) };
  });
  const progress = [
    { id: 'side1', day: day('2026-03-02'), completion: 10_000 },
    { id: 'side2', day: day('2026-03-03'), completion: 8_000 },
    { id: 'side2', day: day('2026-03-04'), completion: 10_000 },
    { id: 'side3', day: day('2026-03-04'), completion: 5_000 },
    { id: 'unknown', day: day('2026-03-04'), completion: 5_000 },
  ];
  const spent = [
    { day: day('2026-03-04'), cents: 60_000n },
    { day: day('2026-03-02'), cents: 100_000n },
    { day: day('2026-03-03'), cents: 120_000n },
  ];
  const points = await earnedValues(
    { items, progress, spent, calendar },
    ['2026-03-01', '2026-03-03', '2026-03-04'].map(day),
  );
  t.strictSame(
    points.map(({ pv, ev, ac }) => [pv, ev, ac]),
    [
      [0n, 0n, 0n],
      [200_000n, 180_000n, 220_000n],
      [300_000n, 250_000n, 280_000n],
    ],
  );
  const at = points[2]!;
  t.equal(ratio(at.ev, at.pv), 8_333n);
  t.equal(ratio(at.ev, at.ac), 8_929n);
  t.equal(estimate('cpi', 400_000n, at), 448_000n);
  t.equal(estimate('remaining', 400_000n, at), 430_000n);
  // 2,800 + 1,500 / (2500/2800 × 2500/3000)
  t.equal(estimate('cpi_spi', 400_000n, at), 481_600n);
  const none = { pv: 0n, ev: 0n, ac: 0n };
  t.strictSame(
    [estimate('cpi', 1n, none), estimate('cpi_spi', 1n, none), estimate('remaining', 1n, none), ratio(0n, 0n)],
    [null, null, 1n, null],
  );
});

t.test('earned value: every point as by a sum over all items, exact to the cent', async (t) => {
  const random = randomFrom(3);
  const upTo = (most: number): number => Math.floor(random() * (most + 1));
  const first = day('2026-01-05');
  const items = Array.from({ length: 60 }, (_, i): CostedItem => {
    const start = first + upTo(100);
    return {
      id: `i${i}`,
      cents: BigInt(upTo(10 ** 9)),
      start: random() < 0.9 ? start : null,
      finish: start + upTo(40),
    };
  });
  const progress = Array.from({ length: 150 }, () => ({
    id: `i${upTo(59)}`,
    day: first + upTo(140),
    completion: upTo(10_000),
  }));
  // Of several on one day the last one counts: sorting keeps their order.
  const days = Array.from({ length: 150 }, (_, i) => first + i);
  const points = await earnedValues({ items, progress, spent: [], calendar }, days);
  const rounded = (cents: bigint, n: number, of: number): bigint =>
    (cents * BigInt(n) * 2n + BigInt(of)) / (BigInt(of) * 2n);
  const working = (from: number, to: number): number =>
    days
      .concat(Array.from({ length: 60 }, (_, i) => first + 150 + i))
      .filter((one) => one >= from && one <= to && calendar.isWorking(one)).length;
  for (const { day: at, pv, ev } of points) {
    let [expectedPv, expectedEv] = [0n, 0n];
    for (const item of items) {
      const last = progress
        .filter((one) => one.id === item.id && one.day <= at)
        .sort((a, b) => a.day - b.day)
        .at(-1);
      expectedEv += last ? rounded(item.cents, last.completion, 10_000) : 0n;
      if (item.start === null || at < item.start) continue;
      const all = working(item.start, item.finish!);
      expectedPv +=
        at >= item.finish! ? item.cents : all === 0 ? 0n : rounded(item.cents, working(item.start, at), all);
    }
    if (pv !== expectedPv || ev !== expectedEv) t.fail(`on day ${at - first}: ${pv} ${expectedPv} ${ev} ${expectedEv}`);
  }
  t.equal(
    plannedValue(
      { id: 'weekend', cents: 5n, start: day('2026-03-07'), finish: day('2026-03-08') },
      day('2026-03-07'),
      calendar,
    ),
    0n,
  );
  t.strictSame(
    seriesDays(day('2026-03-04'), day('2026-03-17'), 'week')!.map((one) => one - day('2026-03-01')),
    [7, 14, 16],
  );
  t.strictSame(
    seriesDays(day('2026-01-31'), day('2026-03-17'), 'month'),
    ['2026-01-31', '2026-02-28', '2026-03-17'].map(day),
  );
  t.equal(seriesDays(day('2000-01-01'), day('2026-01-01'), 'week'), null);
});

t.test('load: the weeks of a task have its effort in sum', async (t) => {
  const random = randomFrom(5);
  for (let round = 0; round < 200; round++) {
    const start = day('2026-01-01') + Math.floor(random() * 400);
    const finish = start + Math.floor(random() * 60);
    const effort = 1 + Math.floor(random() * 20_000);
    const load: Load = new Map();
    addLoad(load, { personId: 'p', effort, start, finish }, calendar, start - 20, finish + 20);
    const weeks = load.get('p')!;
    if ([...weeks.values()].reduce((sum, one) => sum + one, 0) !== effort)
      t.fail(`${effort} from ${start} to ${finish}`);
    // A window sees the same hours as the whole.
    const part: Load = new Map();
    const from = start + 14;
    addLoad(part, { personId: 'p', effort, start, finish }, calendar, from, from + 13);
    for (const [week, hours] of part.get('p') ?? [])
      if (weeks.get(week) !== hours) t.fail(`${isoWeekOf(week)} of ${start}`);
  }
  const load: Load = new Map();
  addLoad(
    load,
    { personId: 'p', effort: 4_000, start: day('2026-03-05'), finish: day('2026-03-10') },
    calendar,
    0,
    99_999,
  );
  t.strictSame(
    [...load.get('p')!].map(([week, hours]) => [isoWeekOf(week), hours]),
    [
      ['2026-W10', 2_000],
      ['2026-W11', 2_000],
    ],
  );
});

t.test('predecessors', async (t) => {
  const all = [
    { number: '3', type: 'FS' as const, lag_days: 2 },
    { number: '5', type: 'SS' as const, lag_days: 0 },
    { number: '7', type: 'FS' as const, lag_days: 0 },
    { number: '9', type: 'FF' as const, lag_days: -12 },
  ];
  t.equal(predecessorsText(all), '3FS+2d;5SS;7;9FF-12d');
  t.strictSame(readPredecessors(predecessorsText(all)), all);
  t.strictSame(readPredecessors(' 3fs + 2 days, 05 '), [all[0], { number: '5', type: 'FS', lag_days: 0 }]);
  for (const wrong of ['x', '3FS+2w', '3XX', '-3', '3FS+1000d', '3+']) t.ok('wrong' in readPredecessors(wrong), wrong);
});

const read = (text: string | Buffer, format: 'csv' | 'mspdi') => readPlan(Buffer.from(text as string), format);
const problemsOf = (text: string | Buffer, format: 'csv' | 'mspdi'): [number, string][] => {
  const result = read(text, format);
  return result.ok ? [] : result.problems.map(({ line, reason }) => [line, reason]);
};

t.test('hostile files are refused with their lines', async (t) => {
  const project = (inner: string): string =>
    `<?xml version="1.0"?>\n<Project xmlns="http://schemas.microsoft.com/project">\n${inner}\n</Project>`;
  const task = (inner: string): string => project(`<Tasks>\n<Task><UID>1</UID><Name>A</Name>\n${inner}</Task></Tasks>`);
  const cases: [string | Buffer, 'csv' | 'mspdi', number, RegExp][] = [
    ['<!DOCTYPE Project [<!ENTITY a "b">]>\n<Project>&a;</Project>', 'mspdi', 1, /DOCTYPE/],
    ['<Project>\n<Tasks></Project>', 'mspdi', 2, /well-formed/],
    ['<Project>\n&unknown;</Project>', 'mspdi', 2, /well-formed/],
    ['<html/>', 'mspdi', 1, /Project/],
    ['', 'mspdi', 1, /well-formed|no element|document/],
    [`<Project>${'<a>'.repeat(100)}`, 'mspdi', 1, /deeper/],
    [Buffer.from([0xff, 0x00, 0xc3, 0x28]), 'mspdi', 1, /UTF-8/],
    [task('<Duration>eight</Duration>'), 'mspdi', 4, /Duration/],
    [task('<Start>yesterday</Start>'), 'mspdi', 5, /Start/],
    [task('<ConstraintType>99</ConstraintType>'), 'mspdi', 4, /ConstraintType/],
    [task('<ConstraintType>4</ConstraintType>'), 'mspdi', 4, /ConstraintDate/],
    [task('<PredecessorLink>\n<PredecessorUID>7</PredecessorUID></PredecessorLink>'), 'mspdi', 5, /UID "7"/],
    [task('<OutlineLevel>900</OutlineLevel>'), 'mspdi', 4, /OutlineLevel/],
    [task('<PercentComplete>-1</PercentComplete>'), 'mspdi', 4, /PercentComplete/],
    [task('</Task><Task><UID>1</UID><Name>B</Name>'), 'mspdi', 5, /twice/],
    [
      project(
        '<Calendars><Calendar><UID>1</UID><Exceptions>\n<Exception><TimePeriod><FromDate>1000-01-01</FromDate><ToDate>9999-01-01</ToDate></TimePeriod></Exception></Exceptions></Calendar></Calendars>',
      ),
      'mspdi',
      4,
      /2000 days/,
    ],
    ['', 'csv', 1, /no rows/],
    ['name\nA', 'csv', 1, /no column/],
    ['title\n"open', 'csv', 2, /CSV/],
    ['title,start_date\nA,2026-02-30', 'csv', 2, /start_date/],
    ['title,completion\nA,10\nB,101', 'csv', 3, /completion/],
    ['title,predecessors\nA,9', 'csv', 2, /number 9/],
    ['title,outline\nA,1.x', 'csv', 2, /outline/],
    ['number,title\n1,A\n1,B', 'csv', 3, /line 2/],
    [`title\n${'x'.repeat(301)}`, 'csv', 2, /300/],
    [`title\n${'A\n'.repeat(10_001)}`, 'csv', 10_002, /10000/],
  ];
  for (const [text, format, line, reason] of cases) {
    const problems = problemsOf(text, format);
    const label = `${String(text).slice(0, 60)}: ${JSON.stringify(problems[0])}`;
    t.ok(problems.length > 0 && reason.test(problems[0]![1]), label);
    t.ok(Math.abs((problems[0]?.[0] ?? -9) - line) <= 1, label);
  }
  const large = read(Buffer.alloc(20 * 1_048_576 + 1), 'csv');
  t.notOk(large.ok);
});

t.test('a file of Microsoft Project', async (t) => {
  // The elements and their order are those of mspdi_pj12.xsd; the units are documented there and in MPXJ.
  const text = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Project xmlns="http://schemas.microsoft.com/project"><SaveVersion>14</SaveVersion><Name>Move.mpp</Name>
<StartDate>2026-03-02T08:00:00</StartDate><CurrencyCode>USD</CurrencyCode><CalendarUID>3</CalendarUID><MinutesPerDay>450</MinutesPerDay>
<Calendars>
<Calendar><UID>1</UID><Name>Standard</Name><IsBaseCalendar>1</IsBaseCalendar><BaseCalendarUID>-1</BaseCalendarUID><WeekDays>
${[1, 2, 3, 4, 5, 6, 7].map((type) => `<WeekDay><DayType>${type}</DayType><DayWorking>${type > 1 && type < 7 ? 1 : 0}</DayWorking></WeekDay>`).join('')}
<WeekDay><DayType>0</DayType><DayWorking>0</DayWorking><TimePeriod><FromDate>2026-04-03T00:00:00</FromDate><ToDate>2026-04-03T23:59:00</ToDate></TimePeriod></WeekDay>
</WeekDays></Calendar>
<Calendar><UID>3</UID><Name>Team</Name><IsBaseCalendar>0</IsBaseCalendar><BaseCalendarUID>1</BaseCalendarUID>
<WeekDays><WeekDay><DayType>7</DayType><DayWorking>1</DayWorking></WeekDay></WeekDays>
<Exceptions><Exception><TimePeriod><FromDate>2026-05-01T00:00:00</FromDate><ToDate>2026-05-02T23:59:00</ToDate></TimePeriod><Name>Bridge</Name><Type>1</Type><DayWorking>0</DayWorking></Exception>
<Exception><TimePeriod><FromDate>2026-06-01T00:00:00</FromDate><ToDate>2036-06-01T23:59:00</ToDate></TimePeriod><Type>2</Type></Exception></Exceptions></Calendar>
</Calendars>
<Tasks>
<Task><UID>0</UID><ID>0</ID><Name>Move</Name><OutlineLevel>0</OutlineLevel><Summary>1</Summary></Task>
<Task><UID>11</UID><ID>1</ID><Name>Phase &amp; one</Name><OutlineLevel>1</OutlineLevel><Summary>1</Summary><Start>2026-03-02T08:00:00</Start><Finish>2026-03-13T17:00:00</Finish><Duration>PT75H0M0S</Duration><Cost>250000</Cost></Task>
<Task><UID>12</UID><ID>2</ID><Name>Design</Name><OutlineLevel>2</OutlineLevel><Start>2026-03-02T08:00:00</Start><Finish>2026-03-06T17:00:00</Finish><Duration>PT37H30M0S</Duration><DurationFormat>7</DurationFormat><Milestone>0</Milestone><Cost>123450</Cost><PercentComplete>40</PercentComplete><ConstraintType>0</ConstraintType><Notes>Line one
Line two</Notes></Task>
<Task><UID>13</UID><ID>3</ID><IsNull>1</IsNull></Task>
<Task><UID>14</UID><ID>4</ID><Name>Build</Name><OutlineLevel>2</OutlineLevel><Start>2026-03-10T08:00:00</Start><Finish>2026-03-13T12:00:00</Finish><Duration>PT26H15M0S</Duration><Cost>0</Cost><ConstraintType>4</ConstraintType><ConstraintDate>2026-03-10T08:00:00</ConstraintDate>
<PredecessorLink><PredecessorUID>12</PredecessorUID><Type>1</Type><CrossProject>0</CrossProject><LinkLag>9000</LinkLag><LagFormat>7</LagFormat></PredecessorLink></Task>
<Task><UID>15</UID><ID>5</ID><Name>Done</Name><OutlineLevel>1</OutlineLevel><Start>2026-03-13T17:00:00</Start><Finish>2026-03-13T17:00:00</Finish><Duration>PT0H0M0S</Duration><Milestone>1</Milestone><ConstraintType>7</ConstraintType><ConstraintDate>2026-03-20T17:00:00</ConstraintDate>
<PredecessorLink><PredecessorUID>14</PredecessorUID><Type>0</Type><LinkLag>-4500</LinkLag><LagFormat>7</LagFormat></PredecessorLink>
<PredecessorLink><PredecessorUID>12</PredecessorUID><Type>3</Type><LinkLag>50</LinkLag><LagFormat>19</LagFormat></PredecessorLink></Task>
</Tasks><Resources><Resource><UID>1</UID><Name>Ada</Name></Resource></Resources></Project>`;
  const result = read(text, 'mspdi');
  t.ok(result.ok, JSON.stringify(result));
  if (!result.ok) return;
  const { plan } = result;
  t.equal(plan.start_date, '2026-03-02');
  t.strictSame(plan.calendar, {
    working_days: [1, 2, 3, 4, 5, 6],
    exceptions: [
      { date: '2026-04-03', working: false, name: null },
      { date: '2026-05-01', working: false, name: 'Bridge' },
      { date: '2026-05-02', working: false, name: 'Bridge' },
    ],
  });
  t.strictSame(
    plan.items.map(({ key, depth, title }) => [key, depth, title]),
    [
      ['11', 0, 'Phase & one'],
      ['12', 1, 'Design'],
      ['14', 1, 'Build'],
      ['15', 0, 'Done'],
    ],
  );
  const [phase, design, build, done] = plan.items;
  t.match(phase, { start_date: null, duration_days: null, completion: undefined, planned_cost: undefined });
  t.match(design, {
    start_date: '2026-03-02',
    end_date: '2026-03-06',
    constraint_type: 'as_soon_as_possible',
    completion: 40,
    planned_cost: '1234.50',
    planned_currency: 'USD',
    description: 'Line one\nLine two',
    external_id: '12',
  });
  t.match(build, {
    start_date: '2026-03-10',
    end_date: '2026-03-13',
    constraint_type: null,
    constraint_date: null,
    planned_cost: undefined,
  });
  t.match(done, {
    is_milestone: true,
    start_date: '2026-03-13',
    constraint_type: 'finish_no_later_than',
    constraint_date: '2026-03-20',
  });
  t.strictSame(
    plan.links!.map(({ predecessor, successor, type, lag_days }) => [predecessor, successor, type, lag_days]),
    [
      ['12', '14', 'FS', 2],
      ['14', '15', 'FF', -1],
      // Half of five days, rounded.
      ['12', '15', 'SS', 3],
    ],
  );
  t.strictSame(plan.notes, [
    'Durations of parts of days were rounded up to whole days: 1.',
    'Lags in percent of a duration were read as the days that these are now: 1.',
    'Lags of parts of days were rounded to whole days: 1.',
    'Recurring exceptions of the calendar that could not be understood were not read: 1.',
    'Resources were not read: 1.',
  ]);
});
