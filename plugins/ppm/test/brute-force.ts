/**
 * The times of a plan by trial and repetition, written apart from the schedule: working days are a list, bounds are found
 * by looking at each day, and times are corrected one by one until nothing changes.
 */
import type { Plan } from '../schedule/compute.js';
import type { PlanDependency, PlanItem } from '../schedule/types.js';

const FAR = 100_000;

export interface BruteTimes {
  early: Map<string, number>;
  late: Map<string, number>;
  scheduled: Map<string, number>;
  free: Map<string, number>;
  finish: number;
}

/** Working days by their offset from the start of a plan; `zero` is the position of the start. */
export interface DayList {
  dates: string[];
  zero: number;
}

export class BruteForce {
  readonly #below = new Map<string, PlanItem[]>();
  readonly #leaves: PlanItem[];
  readonly #duration = new Map<string, number>();

  constructor(
    private readonly plan: Plan,
    private readonly days: DayList,
  ) {
    const { items } = plan;
    const parents = new Set(items.map(({ parent_id }) => parent_id));
    this.#leaves = items.filter(({ id }) => !parents.has(id));
    const byId = new Map(items.map((item) => [item.id, item]));
    for (const leaf of this.#leaves) {
      for (let at: PlanItem | undefined = leaf; at; at = byId.get(at.parent_id ?? ''))
        this.#below.set(at.id, [...(this.#below.get(at.id) ?? []), leaf]);
      const planned = days.dates.filter((date) => date >= leaf.start_date! && date <= leaf.end_date!).length;
      const hasDates = leaf.start_date !== null && leaf.end_date !== null;
      this.#duration.set(leaf.id, leaf.is_milestone ? 0 : (leaf.duration_days ?? (hasDates ? planned : 1)));
    }
  }

  /** Offsets from a far past to a far future that satisfy a condition on the first and the last day. */
  #offsets(item: PlanItem, test: (first: string, last: string) => boolean): number[] {
    const { dates, zero } = this.days;
    const length = this.#duration.get(item.id)!;
    return dates.flatMap((_, at) => {
      // Without a duration, the item is at the end of the day before its offset.
      const [first, last] = length === 0 ? [dates[at - 1], dates[at - 1]] : [dates[at], dates[at + length - 1]];
      return first !== undefined && last !== undefined && test(first, last) ? [at - zero] : [];
    });
  }

  bounds(item: PlanItem): [lower: number, upper: number] {
    const type = item.constraint_type ?? (item.start_date === null ? 'none' : 'start_no_earlier_than');
    const date = item.constraint_type === null ? item.start_date! : item.constraint_date!;
    const isMoment = this.#duration.get(item.id) === 0;
    const most = (test: (first: string, last: string) => boolean): number => this.#offsets(item, test).at(-1)!;
    const least = (test: (first: string, last: string) => boolean): number => this.#offsets(item, test)[0]!;
    const end = (): number => most((_first, last) => last <= date);
    const begin = (): number => (isMoment ? end() : least((first) => first >= date));
    switch (type) {
      case 'start_no_earlier_than':
        return [begin(), FAR];
      case 'start_no_later_than':
        return [-FAR, most((first) => first <= date)];
      case 'finish_no_earlier_than':
        return [isMoment ? end() : least((_first, last) => last >= date), FAR];
      case 'finish_no_later_than':
        return [-FAR, end()];
      case 'must_start_on':
        return [begin(), begin()];
      case 'must_finish_on':
        return [end(), end()];
      default:
        return [-FAR, FAR];
    }
  }

  run(): BruteTimes {
    const { items, dependencies } = this.plan;
    const length = (id: string): number => this.#duration.get(id)!;
    const isLeaf = (id: string): boolean => this.#duration.has(id);
    const bounds = new Map(this.#leaves.map((leaf) => [leaf.id, this.bounds(leaf)]));
    const early = new Map(this.#leaves.map(({ id }) => [id, Math.max(0, bounds.get(id)![0])]));
    const summaries = items.filter(({ id }) => !isLeaf(id));
    /** Finishes that summaries must have because of their predecessors. */
    const required = new Map(summaries.map(({ id }) => [id, 0]));
    const inside = (id: string): string[] => items.filter((one) => this.#isWithin(one.id, id)).map((one) => one.id);
    const insides = new Map(summaries.map(({ id }) => [id, inside(id)]));
    const finishAt = (id: string, at: Map<string, number>): number =>
      isLeaf(id)
        ? at.get(id)! + length(id)
        : Math.max(
            ...insides.get(id)!.map((one) => required.get(one) ?? 0),
            ...this.#below.get(id)!.map((leaf) => at.get(leaf.id)! + length(leaf.id)),
          );
    const startAt = (id: string, at: Map<string, number>): number =>
      Math.min(...this.#below.get(id)!.map((leaf) => at.get(leaf.id)!));
    const from = (one: PlanDependency, at: Map<string, number>): number =>
      one.lag_days + (one.type.startsWith('F') ? finishAt(one.predecessor_id, at) : startAt(one.predecessor_id, at));
    repeat(() => {
      let changed = false;
      for (const one of dependencies) {
        const time = from(one, early);
        const { successor_id: to } = one;
        if (one.type.endsWith('F') && !isLeaf(to)) {
          if (required.get(to)! >= time) continue;
          required.set(to, time);
          changed = true;
          continue;
        }
        for (const leaf of this.#below.get(to)!) {
          const needed = time - (one.type.endsWith('F') ? length(leaf.id) : 0);
          if (early.get(leaf.id)! >= needed) continue;
          early.set(leaf.id, needed);
          changed = true;
        }
      }
      return changed;
    });
    const finish = Math.max(0, ...items.map(({ id }) => finishAt(id, early)));
    /** The item that starts first below each: of those with the same start, by the order of the plan on each level. */
    const firstBelow = (id: string): string => {
      if (isLeaf(id)) return id;
      const children = items.filter(({ parent_id }) => parent_id === id);
      const start = startAt(id, early);
      return firstBelow(children.find((child) => startAt(child.id, early) === start)!.id);
    };
    const first = new Map(items.map(({ id }) => [id, firstBelow(id)]));

    const late = new Map(
      this.#leaves.map(({ id }) => [id, Math.min((this.plan.lateFinish ?? finish) - length(id), bounds.get(id)![1])]),
    );
    const lateFinish = new Map(summaries.map(({ id }) => [id, this.plan.lateFinish ?? finish]));
    repeat(() => {
      let changed = false;
      const lower = (map: Map<string, number>, id: string, to: number): void => {
        if (map.get(id)! <= to) return;
        map.set(id, to);
        changed = true;
      };
      for (const item of items) {
        const above = lateFinish.get(item.parent_id ?? '');
        if (above === undefined) continue;
        if (isLeaf(item.id)) lower(late, item.id, above - length(item.id));
        else lower(lateFinish, item.id, above);
      }
      for (const { type, lag_days, predecessor_id, successor_id: to } of dependencies) {
        const target = type.endsWith('S')
          ? startAt(to, late)
          : isLeaf(to)
            ? late.get(to)! + length(to)
            : lateFinish.get(to)!;
        if (type.startsWith('S')) lower(late, first.get(predecessor_id)!, target - lag_days);
        else if (isLeaf(predecessor_id)) lower(late, predecessor_id, target - lag_days - length(predecessor_id));
        else lower(lateFinish, predecessor_id, target - lag_days);
      }
      return changed;
    });

    /** Whether a leaf at its time moves something else from its time, or the finish of the plan. */
    const isFree = (id: string, at: Map<string, number>): boolean =>
      at.get(id)! + length(id) <= finish &&
      dependencies.every(({ type, lag_days, predecessor_id: before, successor_id: to }) => {
        const isMine = type.startsWith('F') ? this.#isWithin(id, before) : first.get(before) === id;
        if (!isMine) return true;
        const time = lag_days + at.get(id)! + (type.startsWith('F') ? length(id) : 0);
        if (type.endsWith('S')) return this.#below.get(to)!.every((leaf) => at.get(leaf.id)! >= time);
        return (isLeaf(to) ? at.get(to)! + length(to) : finishAt(to, early)) >= time;
      });
    const scheduled = new Map(early);
    const alap = this.#leaves.filter((leaf) => leaf.constraint_type === 'as_late_as_possible').map(({ id }) => id);
    for (const id of alap) scheduled.set(id, finish + 1);
    repeat(() => {
      let changed = false;
      for (const id of alap) {
        while (scheduled.get(id)! > early.get(id)! && !isFree(id, scheduled)) {
          scheduled.set(id, scheduled.get(id)! - 1);
          changed = true;
        }
      }
      return changed;
    });
    const free = new Map<string, number>();
    for (const { id } of this.#leaves) {
      const moved = new Map(scheduled);
      while (isFree(id, moved)) moved.set(id, moved.get(id)! + 1);
      free.set(id, moved.get(id)! - scheduled.get(id)! - 1);
    }
    return { early, late, scheduled, free, finish };
  }

  #isWithin(id: string, above: string): boolean {
    const { items } = this.plan;
    for (let at: string | null = id; at !== null; at = items.find((one) => one.id === at)!.parent_id)
      if (at === above) return true;
    return false;
  }
}

function repeat(step: () => boolean): void {
  for (let round = 0; step(); round++) if (round > 10_000) throw new Error('The times do not settle.');
}
