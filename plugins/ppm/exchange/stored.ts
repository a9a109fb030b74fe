/** What is written to a file: a plan as it is stored, with the computed days of its items. */
import type { PlanDependency, PlanItem } from '../schedule/types.js';
import type { FileCalendar } from './file-plan.js';

/** An item with its place in the tree. */
export interface StoredItem extends PlanItem {
  external_id: string | null;
  outline: string;
  depth: number;
  isSummary: boolean;
  title: string;
  description: string | null;
  /** 0 to 100; of a summary, rolled up. */
  completion: number;
  /** Undefined for callers who may not see it. */
  planned_cost: string | null | undefined;
  planned_currency: string | null | undefined;
  /** Computed first and last day, YYYY-MM-DD, and working days. */
  computed: { start: string; finish: string; days: number; isCritical: boolean };
}

/** A plan to be written. Items are in the order of the tree, each after the one above it. */
export interface StoredPlan {
  title: string;
  start_date: string | null;
  /** The calendar of the plan; null for that of the organisation. */
  calendar: FileCalendar | null;
  /** The days that are worked in effect: weekdays, and the exceptions with the holidays of the organisation. */
  effective: FileCalendar & { working_days: number[] };
  /** First day of the schedule. */
  startDay: string;
  items: StoredItem[];
  dependencies: PlanDependency[];
  hoursPerDay: number;
  /** ISO 4217, of the workspace. */
  currency: string;
}
