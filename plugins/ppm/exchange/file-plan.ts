/** Plans as files have them, before they are compared with what is stored. */
import type { Constraint, DependencyType } from '../schedule/types.js';

/** Bytes of a file. */
export const MAX_BYTES = 20 * 1_048_576;
/** Items and dependencies of a plan. */
export const MAX_ITEMS = 10_000;
export const MAX_LINKS = 20_000;
/** Levels of the tree. */
export const MAX_DEPTH = 20;
/** Working days of an item. */
export const MAX_DURATION = 20_000;
/** Working days of a lag, and of a lead. */
export const MAX_LAG = 999;
/** Characters. */
export const MAX_TITLE = 300;
export const MAX_DESCRIPTION = 20_000;
/** The number of characters of a text, as JSON Schema counts them. */
export const lengthOf = (text: string): number => [...text].length;
/** Problems of a file that are named. */
export const MAX_PROBLEMS = 100;

/** An item of a file. A member that is undefined is not in the file, and left as it is. */
export interface FileItem {
  /** Identifies it within the file. */
  key: string;
  /** Of the file, from 1. */
  line: number;
  /** The id of an item of Lintel, if the file has one. */
  id: string | null;
  external_id: string | null;
  /** 0 for the highest items. */
  depth: number;
  title: string;
  description: string | null | undefined;
  is_milestone: boolean;
  start_date: string | null;
  end_date: string | null;
  duration_days: number | null;
  constraint_type: Constraint | null;
  constraint_date: string | null;
  /** 0 to 100. */
  completion: number | undefined;
  /** A decimal number with two digits after the point. */
  planned_cost: string | null | undefined;
  planned_currency: string | null | undefined;
}

/** A dependency of a file, between keys. */
export interface FileLink {
  line: number;
  predecessor: string;
  successor: string;
  type: DependencyType;
  /** Working days; without an effect if the lag is elapsed time. */
  lag_days: number;
  /**
   * Of a lag in elapsed time, its first day and the day after its last one, as numbers of `dayOf`; of a negative one, the other way
   * round. The calendar of the plan says how many working days these are.
   */
  elapsed?: { from: number; to: number };
}

/** A calendar of a plan, as it is stored. */
export interface FileCalendar {
  /** ISO weekdays, ascending; null for those of the organisation. */
  working_days: number[] | null;
  exceptions: { date: string; working: boolean; name: string | null }[];
}

/** A plan in a file. */
export interface FilePlan {
  format: 'csv' | 'mspdi';
  items: FileItem[];
  /** Undefined if the file does not state dependencies. */
  links: FileLink[] | undefined;
  /** Undefined if the file has none. */
  calendar: FileCalendar | undefined;
  start_date: string | null | undefined;
  /** Whether Lintel wrote the file: its start is then the first day of the schedule, also of a plan without a start of its own. */
  isExport: boolean;
  /** What the file has and was not read, or only as something else; one sentence for each kind. */
  notes: string[];
}

/** A problem of a file, at a line of it. */
export interface FileProblem {
  line: number;
  reason: string;
}

/** What was read, or why nothing was. */
export type ReadPlan = { ok: true; plan: FilePlan } | { ok: false; problems: FileProblem[] };

/** Collects problems; the first hundred are named. */
export class Problems {
  readonly list: FileProblem[] = [];

  add(line: number, reason: string): void {
    if (this.list.length < MAX_PROBLEMS) this.list.push({ line, reason });
  }
}

/** Ends reading at once: what follows could not be understood. */
export class FileRefusal extends Error {
  constructor(
    readonly line: number,
    reason: string,
  ) {
    super(reason);
  }
}
