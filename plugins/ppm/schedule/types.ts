/** What is scheduled: items of a work breakdown and the dependencies between them. */

/** Predecessor to successor: F is a finish, S is a start. FS: the successor starts after the finish of the predecessor. */
export const DEPENDENCY_TYPES = ['FS', 'SS', 'FF', 'SF'] as const;
export type DependencyType = (typeof DEPENDENCY_TYPES)[number];

/** In the order of the numbers of MSPDI, from 0. */
export const CONSTRAINTS = [
  'as_soon_as_possible',
  'as_late_as_possible',
  'must_start_on',
  'must_finish_on',
  'start_no_earlier_than',
  'start_no_later_than',
  'finish_no_earlier_than',
  'finish_no_later_than',
] as const;
export type Constraint = (typeof CONSTRAINTS)[number];

/** An item of the work breakdown. Dates are YYYY-MM-DD. An item with others below it is a summary. */
export interface PlanItem {
  id: string;
  parent_id: string | null;
  is_milestone: boolean;
  start_date: string | null;
  end_date: string | null;
  /** Working days. */
  duration_days: number | null;
  constraint_type: Constraint | null;
  constraint_date: string | null;
}

/** A dependency of two items, which may be summaries. */
export interface PlanDependency {
  id: string;
  predecessor_id: string;
  successor_id: string;
  type: DependencyType;
  /** Working days; negative for a lead. */
  lag_days: number;
}

/**
 * The times of an item, in working days from the start of the plan: 0 is the beginning of its first working day. A leaf
 * with a duration of d working days that starts at s finishes at s + d.
 */
export interface ItemTimes {
  id: string;
  isSummary: boolean;
  /** 0 for milestones. */
  duration: number;
  /** Neither a duration nor dates were planned: one day. */
  isDurationAssumed: boolean;
  start: number;
  finish: number;
  earlyStart: number;
  earlyFinish: number;
  lateStart: number;
  lateFinish: number;
  totalFloat: number;
  freeFloat: number;
  isCritical: boolean;
}

/** A constraint that predecessors, or the start of the plan, do not allow to be met. */
export interface TimeConflict {
  id: string;
  constraint: Constraint;
  /** The date of the constraint. */
  date: string;
  /** Whether the constraint is about the finish. */
  isFinish: boolean;
  /** The computed start or finish. */
  time: number;
  /** The dependency that determines it; null for the start of the plan. */
  dependencyId: string | null;
}

/** A computed schedule. Items are in the order in which they were passed. */
export interface Times {
  ok: true;
  items: ItemTimes[];
  conflicts: TimeConflict[];
  /** The latest early finish. */
  finish: number;
  /** The finish of the backward pass: `finish`, or the one that was asked for. */
  lateFinish: number;
}

/** The dependencies contradict each other. */
export interface CyclicPlan {
  ok: false;
  /** The items of one cycle, in its order. */
  cycle: string[];
}
