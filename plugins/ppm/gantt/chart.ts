/** What a Gantt chart shows, as plain data: it is sent to the process that draws. */

/** A row. Days are numbers of `dayOf`; `finish` is the last day. */
export interface GanttRow {
  outline: string;
  /** 0 for the highest items. */
  depth: number;
  title: string;
  kind: 'task' | 'milestone' | 'summary';
  start: number;
  finish: number;
  /** 0 to 100. */
  completion: number;
  isCritical: boolean;
  /** The days of the baseline; null for an item that it does not have. */
  baseline: { start: number; finish: number } | null;
  /** Path of the item below the public address. */
  href?: string | undefined;
}

/** A dependency of two rows, by their positions. */
export interface GanttLink {
  from: number;
  to: number;
  type: 'FS' | 'SS' | 'FF' | 'SF';
  isCritical: boolean;
}

/** A Gantt chart. */
export interface Gantt {
  title: string;
  rows: readonly GanttRow[];
  links: readonly GanttLink[];
  today: number;
  /** The days that are not worked, between the first and the last day of the rows, ascending; fewer if they are too many to be seen. */
  nonWorking: readonly number[];
  /** The name of the baseline. */
  baseline: string | null;
  /** All items of the plan, if the rows are a part of them: the position of the first row, from 1. */
  part: { first: number; total: number } | null;
}

/** How a chart is drawn. */
export interface GanttOptions {
  /** Pixels. */
  width: number;
  theme: 'light' | 'dark';
  /** BCP 47 tag. */
  lang: string;
  /** With it, rows are links. */
  publicUrl?: string | undefined;
}

/** A bar, a diamond or a bracket in the drawing; `x2` is its right end. */
export interface Mark {
  x1: number;
  x2: number;
  /** The middle of the row. */
  y: number;
  /** Half of the height. */
  half: number;
  /** The horizontal space of the label beside it, if it has one. */
  label: { from: number; to: number } | null;
}
