import { TimeSlice } from '@lintel/sdk';
import type { WorkingCalendar } from '../calendar/working-calendar.js';
import { boundsOf, constraintOf, durationOf, isFinish, isUpper, type Bounds } from './bounds.js';
import { cycleOf, finishNode, firstNode, networkOf, startNode, type Network } from './network.js';
import { backward, forward, settle, type Forward, type NodeBounds } from './passes.js';
import type { CyclicPlan, ItemTimes, PlanDependency, PlanItem, TimeConflict, Times } from './types.js';

/** What a schedule is computed from. */
export interface Plan {
  items: readonly PlanItem[];
  dependencies: readonly PlanDependency[];
  calendar: WorkingCalendar;
  /** Index of the first working day of the plan, as `calendar.indexOf`. */
  origin: number;
  /** The finish of the backward pass; default: the computed finish. */
  lateFinish?: number | undefined;
}

const OPEN: Bounds = { lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
/** The constraints that a summary can have; others of an item that became a summary have no effect. */
const OF_SUMMARIES: readonly unknown[] = ['start_no_earlier_than', 'finish_no_later_than'];

/**
 * Computes the schedule of a plan by the critical path method over working days, with the four types of dependencies, lags
 * and constraints (Kelley and Walker 1959; the precedence diagramming method of Fondahl 1961). Predecessors are never
 * violated: a constraint that contradicts them is a conflict, and causes negative float.
 *
 * Dependencies of summaries: those to the start hold for everything below it, those from the finish begin at the last
 * finish, those from the start at the first start. Total float is the latest start less the scheduled one; free float is
 * what an item can move without moving another one from its scheduled time. Critical are items without total float.
 * Takes time in proportion to items and dependencies.
 */
export function schedule(plan: Plan): Times | CyclicPlan {
  const steps = stepsOf(plan);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** As `schedule`, in time slices: for plans of any size. */
export async function scheduleInSlices(plan: Plan): Promise<Times | CyclicPlan> {
  const slice = new TimeSlice();
  const steps = stepsOf(plan);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slice.isOver) await slice.next();
  }
}

function* stepsOf(plan: Plan): Generator<undefined, Times | CyclicPlan> {
  const { items, dependencies, calendar, origin } = plan;
  const isLeaf = leaves(items);
  const lengths = items.map((item, i) => (isLeaf[i] ? durationOf(item, calendar) : { days: 0, isAssumed: false }));
  const durations = lengths.map(({ days }) => days);
  yield;
  const network = networkOf(items, dependencies, durations);
  yield;
  if (network.order.length < items.length * 3) return { ok: false, cycle: cycleOf(network).map((i) => items[i]!.id) };
  const bounds = items.map((item, i) => {
    if (isLeaf[i] || OF_SUMMARIES.includes(item.constraint_type))
      return boundsOf(item, isLeaf[i] ? durations[i]! : 1, calendar, origin);
    return OPEN;
  });
  yield;
  const nodeBounds: NodeBounds = {
    of: (i) => (isLeaf[i] || items[i]!.constraint_type === 'start_no_earlier_than' ? bounds[i]! : OPEN),
    // The bounds are those of the start of an item of one day.
    finishOf: (i) =>
      items[i]!.constraint_type === 'finish_no_later_than' ? { ...OPEN, upper: bounds[i]!.upper + 1 } : OPEN,
  };
  const times = forward(network, durations, nodeBounds);
  yield;
  const last = plan.lateFinish ?? times.finish;
  const late = backward(network, durations, nodeBounds, times.driver, last);
  yield;
  const isLate = (i: number): boolean => items[i]!.constraint_type === 'as_late_as_possible';
  const settled = settle(network, durations, isLate, times);
  yield;
  const result = items.map((item, i): ItemTimes => {
    const node = startNode(i);
    const [start, earlyStart, lateStart] = [settled.scheduled[node]!, times.early[node]!, late[node]!];
    const { days, isAssumed } = lengths[i]!;
    return {
      id: item.id,
      isSummary: !isLeaf[i],
      duration: days,
      isDurationAssumed: isAssumed,
      start,
      finish: start + days,
      earlyStart,
      earlyFinish: earlyStart + days,
      lateStart,
      lateFinish: lateStart + days,
      totalFloat: lateStart - start,
      freeFloat: settled.limit[node]! - start,
      isCritical: lateStart <= start,
    };
  });
  yield;
  rollUp(network, result, times, late, settled.limit);
  yield;
  const conflicts = items.flatMap((item, i) =>
    conflictOf(item, i, { result, nodeBounds, network, times, dependencies }),
  );
  return { ok: true, items: result, conflicts, finish: times.finish, lateFinish: last };
}

function leaves(items: readonly PlanItem[]): boolean[] {
  const parents = new Set(items.map(({ parent_id }) => parent_id));
  return items.map(({ id }) => !parents.has(id));
}

/** Summaries from what is below them: deeper ones first. */
function rollUp(
  network: Network,
  result: ItemTimes[],
  { early }: Forward,
  late: Float64Array,
  limit: Float64Array,
): void {
  const { parents, isSummary } = network;
  for (const [i, item] of result.entries()) {
    if (!isSummary[i]) continue;
    const [finish, lateFinish] = [early[finishNode(i)]!, late[finishNode(i)]!];
    Object.assign(item, {
      start: Number.POSITIVE_INFINITY,
      finish,
      earlyStart: early[firstNode(i)]!,
      earlyFinish: finish,
      lateStart: Number.POSITIVE_INFINITY,
      lateFinish,
      totalFloat: lateFinish - finish,
      freeFloat: Math.min(limit[finishNode(i)]! - finish, limit[firstNode(i)]! - early[firstNode(i)]!),
      isCritical: lateFinish <= finish,
    });
  }
  for (const i of bottomUp(parents)) {
    const item = result[i]!;
    if (item.isSummary) item.duration = item.finish - item.start;
    const above = result[parents[i]!];
    if (!above) continue;
    above.start = Math.min(above.start, item.start);
    above.finish = Math.max(above.finish, item.finish);
    above.lateStart = Math.min(above.lateStart, item.lateStart);
    above.totalFloat = Math.min(above.totalFloat, item.totalFloat);
    above.isCritical ||= item.isCritical;
  }
}

/** Positions of items, each before the one above it. */
function bottomUp(parents: Int32Array): number[] {
  const below = new Int32Array(parents.length);
  for (const parent of parents) if (parent >= 0) below[parent]!++;
  const order = [...parents.keys()].filter((i) => below[i] === 0);
  for (let at = 0; at < order.length; at++) {
    const parent = parents[order[at]!]!;
    if (parent >= 0 && --below[parent]! === 0) order.push(parent);
  }
  return order;
}

interface Computed {
  result: readonly ItemTimes[];
  nodeBounds: NodeBounds;
  network: Network;
  times: Forward;
  dependencies: readonly PlanDependency[];
}

function conflictOf(item: PlanItem, i: number, computed: Computed): TimeConflict[] {
  const { result, nodeBounds, network, times, dependencies } = computed;
  const { type, date } = constraintOf(item);
  if (date === null || !isUpper(type)) return [];
  const { isSummary, start, finish } = result[i]!;
  const [time, limit] = isSummary ? [finish, nodeBounds.finishOf(i).upper] : [start, nodeBounds.of(i).upper];
  if (time <= limit) return [];
  const driving = drivingDependency(isSummary ? finishNode(i) : startNode(i), network, times.driver);
  return [
    {
      id: item.id,
      constraint: type,
      date,
      isFinish: isFinish(type),
      time: isFinish(type) ? finish : start,
      dependencyId: dependencies[driving]?.id ?? null,
    },
  ];
}

/** The dependency that determines the time of a node, also through summaries; −1 for none. */
function drivingDependency(node: number, { dependency, first }: Network, driver: Int32Array): number {
  let at = node;
  for (let edge = driver[at]!; edge >= 0; edge = driver[at]!) {
    if (dependency[edge]! >= 0) return dependency[edge]!;
    at = sourceOf(first, edge);
  }
  return -1;
}

/** The node from which an edge leads: the last one whose edges begin at or before it. */
function sourceOf(first: Int32Array, edge: number): number {
  let [low, high] = [0, first.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (first[middle]! <= edge) low = middle;
    else high = middle;
  }
  return low;
}
