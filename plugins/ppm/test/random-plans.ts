/** Random plans, the same ones for the same seed. */
import { dateOf, dayOf, weekdayOf } from '../calendar/days.js';
import { WorkingCalendar } from '../calendar/working-calendar.js';
import type { Plan } from '../schedule/compute.js';
import { CONSTRAINTS, DEPENDENCY_TYPES, type PlanDependency, type PlanItem } from '../schedule/types.js';
import type { DayList } from './brute-force.js';

/** Numbers from 0 to less than 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const START = '2026-03-04';

export interface RandomPlan {
  plan: Plan;
  days: DayList;
}

/** A plan with up to 30 items in up to 3 levels, without cycles: dependencies lead forward in its order. */
export function randomPlan(seed: number): RandomPlan {
  const random = randomFrom(seed);
  const upTo = (most: number): number => Math.floor(random() * (most + 1));
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const weekdays = [1, 2, 3, 4, 5, 6, 7].filter(() => random() < 0.7);
  if (weekdays.length === 0) weekdays.push(3);
  const exceptions = Array.from({ length: upTo(12) }, () => ({
    day: dayOf(START) - 10 + upTo(80),
    working: random() < 0.3,
  }));
  const isWorking = (day: number): boolean =>
    exceptions.findLast((one) => one.day === day)?.working ?? weekdays.includes(weekdayOf(day));
  const dates: string[] = [];
  for (let day = dayOf(START) - 900; day < dayOf(START) + 4_000; day++) if (isWorking(day)) dates.push(dateOf(day));
  const zero = dates.findIndex((date) => date >= START);

  const items: PlanItem[] = [];
  const size = 3 + upTo(27);
  for (let i = 0; i < size; i++) {
    const before = items.at(-1);
    const choices: (string | null)[] = [null, before?.parent_id ?? null, before?.parent_id ?? null];
    const grandparent = items.find(({ id }) => id === before?.parent_id)?.parent_id ?? null;
    if (before && grandparent === null) choices.push(before.id);
    const date = (): string => dateOf(dayOf(START) - 6 + upTo(50));
    const constrained = random() < 0.35;
    const [start, isDated] = [date(), random() < 0.3];
    items.push({
      id: `i${i}`,
      parent_id: pick(choices),
      is_milestone: random() < 0.15,
      start_date: isDated ? start : null,
      end_date: isDated && random() < 0.5 ? dateOf(dayOf(start) + upTo(9)) : null,
      duration_days: random() < 0.7 ? upTo(8) : null,
      constraint_type: constrained ? pick(CONSTRAINTS) : null,
      constraint_date: constrained ? date() : null,
    });
  }
  // Constraints of summaries have tests of their own.
  for (const item of items) {
    if (!items.some(({ parent_id }) => parent_id === item.id)) continue;
    item.constraint_type = null;
  }
  const isAbove = (above: string, id: string): boolean => {
    for (let at: string | null = id; at !== null; at = items.find((one) => one.id === at)!.parent_id)
      if (at === above) return true;
    return false;
  };
  const lastBelow = (i: number): number => items.findLastIndex(({ id }) => isAbove(items[i]!.id, id));
  const dependencies: PlanDependency[] = [];
  for (let n = upTo(size * 2); n > 0; n--) {
    const [a, b] = [upTo(size - 1), upTo(size - 1)];
    // Everything below the first lies before everything below the second.
    if (lastBelow(a) >= b || isAbove(items[a]!.id, items[b]!.id)) continue;
    dependencies.push({
      id: `d${n}`,
      predecessor_id: items[a]!.id,
      successor_id: items[b]!.id,
      type: pick(DEPENDENCY_TYPES),
      lag_days: random() < 0.5 ? 0 : upTo(9) - 4,
    });
  }
  const calendar = new WorkingCalendar(weekdays, exceptions);
  const origin = calendar.indexOf(dayOf(START));
  const finishBy = random() < 0.2 ? { lateFinish: upTo(40) } : {};
  return { plan: { items, dependencies, calendar, origin, ...finishBy }, days: { dates, zero } };
}
