import t from 'tap';
import { dateOf, dayOf, isoWeekOf, weekdayOf } from '../calendar/days.js';
import { WorkingCalendar } from '../calendar/working-calendar.js';
import { schedule, type Plan } from '../schedule/compute.js';
import type { ItemTimes, PlanDependency, PlanItem, Times } from '../schedule/types.js';
import { BruteForce } from './brute-force.js';
import { randomFrom, randomPlan } from './random-plans.js';

const WEEK = [1, 2, 3, 4, 5];
const item = (id: string, duration_days: number | null, more: Partial<PlanItem> = {}): PlanItem => ({
  id,
  parent_id: null,
  is_milestone: false,
  start_date: null,
  end_date: null,
  duration_days,
  constraint_type: null,
  constraint_date: null,
  ...more,
});
/** A dependency in words, such as `A>B` or `A>B SS+2`. */
const link = (text: string): PlanDependency => {
  const [, predecessor_id, successor_id, type = 'FS', lag = '0'] = /^(\w+)>(\w+)(?: (\w\w)([+-]\d+)?)?$/.exec(text)!;
  return {
    id: text,
    predecessor_id: predecessor_id!,
    successor_id: successor_id!,
    type: type as 'FS',
    lag_days: Number(lag),
  };
};
const plan = (items: PlanItem[], links: string[], start = '2026-03-02', more: Partial<Plan> = {}): Plan => {
  const calendar = more.calendar ?? new WorkingCalendar(WEEK);
  return { items, dependencies: links.map(link), calendar, origin: calendar.indexOf(dayOf(start)), ...more };
};
const times = (of: Plan): Times => {
  const result = schedule(of);
  if (!result.ok) throw new Error(`a cycle: ${result.cycle.join()}`);
  return result;
};
const byId = ({ items }: Times): Record<string, ItemTimes> => Object.fromEntries(items.map((one) => [one.id, one]));

t.test('days and weeks', async (t) => {
  for (const [date, day] of [
    ['1970-01-01', 0],
    ['2000-03-01', 11_017],
    ['1969-12-31', -1],
  ] as const) {
    t.equal(dayOf(date), day);
    t.equal(dateOf(day), date);
  }
  for (let day = -719_162; day <= 2_932_896; day += 211) {
    const date = new Date(day * 86_400_000).toISOString().slice(0, 10);
    if (dateOf(day) !== date || dayOf(date) !== day) t.fail(date);
  }
  t.equal(dateOf(2_932_896), '9999-12-31');
  for (const wrong of [
    '2026-02-30',
    '2100-02-29',
    '2026-04-31',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
    'today',
    '2026-13-01',
  ])
    t.ok(Number.isNaN(dayOf(wrong)), wrong);
  t.throws(() => dateOf(2_932_897));
  t.equal(weekdayOf(dayOf('2026-03-01')), 7);
  // ISO 8601: the first week of a year has its first Thursday.
  t.strictSame(
    ['2026-01-01', '2027-01-01', '2027-01-04', '2024-12-30'].map((date) => isoWeekOf(dayOf(date))),
    ['2026-W01', '2026-W53', '2027-W01', '2025-W01'],
  );
});

t.test('a calendar counts as a list of its days does', async (t) => {
  const random = randomFrom(7);
  for (let round = 0; round < 60; round++) {
    const weekdays = [1, 2, 3, 4, 5, 6, 7].filter(() => random() < 0.6);
    if (weekdays.length === 0) weekdays.push(2);
    const exceptions = Array.from({ length: Math.floor(random() * 15) }, () => ({
      day: Math.floor(random() * 60) - 30,
      working: random() < 0.5,
    }));
    const calendar = new WorkingCalendar(weekdays, exceptions);
    const isWorking = (day: number): boolean =>
      exceptions.findLast((one) => one.day === day)?.working ?? weekdays.includes(weekdayOf(day));
    const start = calendar.indexOf(-40);
    let index = start;
    for (let day = -40; day < 40; day++) {
      if (calendar.isWorking(day) !== isWorking(day)) t.fail(`isWorking(${day}) in round ${round}`);
      if (calendar.indexOf(day) !== index) t.fail(`indexOf(${day}) in round ${round}`);
      if (calendar.between(-40, day - 1) !== index - start) t.fail(`between in round ${round}`);
      if (!isWorking(day)) continue;
      if (calendar.dayAt(index) !== day) t.fail(`dayAt(${index}) in round ${round}`);
      index++;
    }
  }
  t.throws(() => new WorkingCalendar([]));
  t.ok(new WorkingCalendar(WEEK, [{ day: dayOf('2026-03-02'), working: true }]).equals(new WorkingCalendar(WEEK)));
  t.notOk(new WorkingCalendar(WEEK, [{ day: dayOf('2026-03-02'), working: false }]).equals(new WorkingCalendar(WEEK)));
});

t.test('200 random plans as by trial and repetition', async (t) => {
  const counts = { conflicts: 0, negative: 0, late: 0, summaries: 0, noncritical: 0 };
  for (let seed = 1; seed <= 200; seed++) {
    const { plan, days } = randomPlan(seed);
    const expected = new BruteForce(plan, days).run();
    const result = times(plan);
    const leaves = result.items.filter(({ isSummary }) => !isSummary);
    const of = (pick: (one: ItemTimes) => number): Map<string, number> =>
      new Map(leaves.map((one) => [one.id, pick(one)]));
    t.strictSame(
      of(({ earlyStart }) => earlyStart),
      expected.early,
      `early starts of plan ${seed}`,
    );
    t.strictSame(
      of(({ lateStart }) => lateStart),
      expected.late,
      `late starts of plan ${seed}`,
    );
    t.strictSame(
      of(({ start }) => start),
      expected.scheduled,
      `scheduled starts of plan ${seed}`,
    );
    t.strictSame(
      of(({ freeFloat }) => freeFloat),
      expected.free,
      `free floats of plan ${seed}`,
    );
    t.equal(result.finish, expected.finish, `finish of plan ${seed}`);

    const at = byId(result);
    const isViolated = plan.dependencies.filter(({ type, lag_days, predecessor_id, successor_id }) => {
      const [before, after] = [at[predecessor_id]!, at[successor_id]!];
      const from = type.startsWith('F') ? before.finish : before.start;
      return (type.endsWith('F') ? after.finish : after.start) < from + lag_days;
    });
    t.strictSame(isViolated, [], `predecessors of plan ${seed}`);
    t.ok(leaves.every((one) => one.start >= 0 && one.freeFloat >= 0 && one.isCritical === one.totalFloat <= 0));
    t.ok(leaves.every((one) => one.isCritical || one.totalFloat > 0));
    if (plan.lateFinish === undefined && result.conflicts.length === 0)
      t.ok(
        leaves.every((one) => one.totalFloat >= 0) && leaves.some((one) => one.isCritical),
        `floats of plan ${seed}`,
      );
    for (const { id, time, isFinish } of result.conflicts) {
      t.equal(time, isFinish ? at[id]!.finish : at[id]!.start);
      t.ok(at[id]!.totalFloat < 0, `float of a conflict of plan ${seed}`);
    }
    counts.conflicts += result.conflicts.length;
    counts.negative += leaves.filter((one) => one.totalFloat < 0).length;
    counts.late += leaves.filter((one) => one.start > one.earlyStart).length;
    counts.summaries += result.items.length - leaves.length;
    counts.noncritical += leaves.filter((one) => !one.isCritical).length;
  }
  // Otherwise the plans would show little.
  for (const [what, count] of Object.entries(counts)) t.ok(count > 40, `${what}: ${count}`);
});

t.test('published examples', async (t) => {
  // Wikipedia, "Program evaluation and review technique", with its expected times in sixths of a day: the critical path is
  // a, c, e, g with 19.5 days; b has a float of 3.83 and d and f one of 4.67 (the article adds rounded times: 3.84, 4.68).
  const pert = times(
    plan(
      Object.entries({ a: 24, b: 32, c: 31, d: 38, e: 31, f: 27, g: 31 }).map(([id, days]) => item(id, days)),
      ['a>c', 'a>d', 'b>e', 'c>e', 'd>f', 'e>g'],
    ),
  );
  t.equal(pert.finish, 117);
  t.strictSame(
    pert.items.map((one) => [one.id, one.earlyStart, one.earlyFinish, one.lateStart, one.lateFinish, one.totalFloat]),
    [
      ['a', 0, 24, 0, 24, 0],
      ['b', 0, 32, 23, 55, 23],
      ['c', 24, 55, 24, 55, 0],
      ['d', 24, 62, 52, 90, 28],
      ['e', 55, 86, 55, 86, 0],
      ['f', 62, 89, 90, 117, 28],
      ['g', 86, 117, 86, 117, 0],
    ],
  );
  t.strictSame(
    pert.items.map(({ freeFloat }) => freeFloat),
    [0, 23, 0, 0, 0, 28, 0],
  );
  t.strictSame(
    pert.items.filter(({ isCritical }) => isCritical).map(({ id }) => id),
    ['a', 'c', 'e', 'g'],
  );
});

t.test('dates of constraints, milestones and lags over a holiday', async (t) => {
  // 2026-03-02 is a Monday; the Wednesday is a holiday.
  const calendar = new WorkingCalendar(WEEK, [{ day: dayOf('2026-03-04'), working: false }]);
  const result = times(
    plan(
      [
        item('A', 3),
        item('B', 2, { constraint_type: 'start_no_earlier_than', constraint_date: '2026-03-07' }),
        item('M', 0, { is_milestone: true }),
        item('D', 2, { constraint_type: 'must_start_on', constraint_date: '2026-03-03' }),
        item('E', 1, { constraint_type: 'finish_no_later_than', constraint_date: '2026-03-02' }),
        item('L', 1, { constraint_type: 'as_late_as_possible' }),
      ],
      ['A>M', 'M>D', 'A>B FF+1', 'D>E SS-1', 'A>L SS'],
      '2026-03-02',
      { calendar },
    ),
  );
  const date = (index: number): string => dateOf(calendar.dayAt(calendar.indexOf(dayOf('2026-03-02')) + index));
  const at = byId(result);
  t.equal(date(at['A']!.finish - 1), '2026-03-05', 'the holiday is left out');
  t.equal(date(at['B']!.start), '2026-03-09', 'Monday after the Saturday of the constraint');
  t.equal(date(at['M']!.finish - 1), '2026-03-05', 'at the end of the day of its predecessor');
  t.equal(date(at['D']!.start), '2026-03-06');
  t.equal(at['L']!.finish, result.finish);
  t.equal(at['L']!.earlyStart, 0);
  t.strictSame(
    result.conflicts.map(({ id, constraint, time, dependencyId }) => [id, constraint, time, dependencyId]),
    [
      ['D', 'must_start_on', 3, 'M>D'],
      ['E', 'finish_no_later_than', 3, 'D>E SS-1'],
    ],
  );
  t.equal(at['A']!.totalFloat, -2, 'the conflict takes the float of the predecessors');
});

t.test('summaries: dependencies, constraints, and what starts first below them', async (t) => {
  const tree = [
    item('S', null),
    item('a', 2, { parent_id: 'S', start_date: '2026-03-04' }),
    item('b', 5, { parent_id: 'S', start_date: '2026-03-05' }),
    item('X', 1),
    item('Y', 1),
    item('T', null, { constraint_type: 'start_no_earlier_than', constraint_date: '2026-03-10' }),
    item('c', 1, { parent_id: 'T', start_date: '2026-03-02' }),
    item('U', null, { constraint_type: 'finish_no_later_than', constraint_date: '2026-03-03' }),
    item('d', 4, { parent_id: 'U' }),
  ];
  const result = times(plan(tree, ['S>X SS', 'S>Y', 'X>T FS', 'Y>U FF']));
  const at = byId(result);
  t.equal(at['X']!.start, 2, 'with the first item below the summary');
  t.equal(at['Y']!.start, 8, 'after the last one');
  t.strictSame([at['S']!.start, at['S']!.finish, at['S']!.duration], [2, 8, 6]);
  t.equal(at['c']!.start, 6, 'not before the constraint of its summary');
  t.equal(at['U']!.finish, 9, 'the summary finishes with its predecessor');
  t.match(result.conflicts, [{ id: 'U', constraint: 'finish_no_later_than', time: 9, dependencyId: 'Y>U FF' }]);
});

t.test('a cycle is named, also through summaries', async (t) => {
  const tree = [item('S', null), item('a', 1, { parent_id: 'S' }), item('b', 1), item('c', 1), item('d', 1)];
  t.strictSame(schedule(plan(tree, ['a>b', 'b>c', 'd>a'])).ok, true);
  for (const [links, cycle] of [
    [
      ['a>b', 'b>c', 'c>a', 'c>d', 'b>d SS'],
      ['a', 'b', 'c'],
    ],
    [
      ['a>b', 'b>S'],
      ['a', 'b'],
    ],
    [
      ['b>c SS', 'c>b FF'],
      ['b', 'c'],
    ],
  ] as const) {
    const result = schedule(plan(tree, [...links]));
    t.notOk(result.ok);
    if (!result.ok) t.strictSame([...result.cycle].sort(), cycle);
  }
});

t.test('5,000 activities in at most 100 ms', async (t) => {
  const random = randomFrom(11);
  const items = Array.from({ length: 5_500 }, (_, i) =>
    item(`i${i}`, i % 11 === 0 ? null : 1 + Math.floor(random() * 9), {
      parent_id: i % 11 === 0 ? null : `i${i - (i % 11)}`,
    }),
  );
  // Each leaf after two of those shortly before it, so that there are long paths.
  const dependencies = items.flatMap((_, i) =>
    i % 11 === 0
      ? []
      : [1, 2].flatMap((n) => {
          const before = i - 1 - Math.floor(random() * 30);
          if (before <= 0 || before % 11 === 0) return [];
          return [{ ...link('a>b'), id: `${i}.${n}`, predecessor_id: `i${before}`, successor_id: `i${i}` }];
        }),
  );
  const large = plan(items, [], '2026-03-02', {});
  const of = { ...large, dependencies };
  // Processor time, so that other work of the machine does not count.
  let [took, finish] = [Number.POSITIVE_INFINITY, 0];
  for (let round = 0; round < 8; round++) {
    const begin = process.cpuUsage();
    finish = times(of).finish;
    const { user, system } = process.cpuUsage(begin);
    took = Math.min(took, (user + system) / 1_000);
  }
  t.ok(dependencies.length > 8_000 && finish > 500, `${dependencies.length} dependencies, ${finish} days`);
  t.comment(`${took.toFixed(1)} ms`);
  t.ok(took < 100, `${took.toFixed(1)} ms`);
});
