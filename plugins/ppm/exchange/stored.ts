/** What is written to a file: a plan as it is stored, with the computed days of its items. */
import type { ItemRow } from '../schedule/repository.js';
import type { Placed } from '../schedule/tree.js';
import type { PlanDependency } from '../schedule/types.js';
import type { FileCalendar } from './file-plan.js';

/** An item with its place in the tree. */
export interface StoredItem extends Placed<ItemRow> {
  /** 0 to 100; of a summary, rolled up. */
  completion: number;
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
