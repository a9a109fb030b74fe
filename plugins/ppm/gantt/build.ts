/** The chart of a schedule. */
import type { WorkingCalendar } from '../calendar/working-calendar.js';
import type { ItemDays } from '../schedule/dates.js';
import type { PlanDependency, Times } from '../schedule/types.js';
import { restDays } from './axis.js';
import type { Gantt, GanttLink, GanttRow } from './chart.js';

/** An item as it is shown. */
export interface ShownItem {
  id: string;
  outline: string;
  depth: number;
  title: string;
  is_milestone: boolean;
  completion: number;
  href?: string | undefined;
}

/** What a chart is made of; items, times and days are in the same order. */
export interface GanttSource {
  title: string;
  items: readonly ShownItem[];
  times: Times;
  days: readonly ItemDays[];
  dependencies: readonly PlanDependency[];
  calendar: WorkingCalendar;
  today: number;
  baseline: { name: string; days: ReadonlyMap<string, { start: number; finish: number }> } | null;
  /** The first row and their number, of those that are drawn; default: all. */
  part?: { from: number; count: number } | undefined;
}

/** A dependency is critical if both of its items are, and it determines the time of the successor. */
export function isCriticalLink(
  { type, lag_days, predecessor_id, successor_id }: PlanDependency,
  times: ReadonlyMap<string, Times['items'][number]>,
): boolean {
  const [before, after] = [times.get(predecessor_id), times.get(successor_id)];
  if (!before?.isCritical || !after?.isCritical) return false;
  const from = (type.startsWith('F') ? before.finish : before.start) + lag_days;
  return (type.endsWith('F') ? after.finish : after.start) === from;
}

export function ganttOf(source: GanttSource): Gantt {
  const { items, times, days, calendar, baseline, part } = source;
  const [from, count] = [part?.from ?? 0, part?.count ?? items.length];
  const rows = items.slice(from, from + count).map((item, i): GanttRow => {
    const [{ isSummary, isCritical }, { start, finish }] = [times.items[from + i]!, days[from + i]!];
    return {
      outline: item.outline,
      depth: item.depth,
      title: item.title,
      kind: isSummary ? 'summary' : item.is_milestone ? 'milestone' : 'task',
      start,
      finish,
      completion: item.completion,
      isCritical,
      baseline: baseline?.days.get(item.id) ?? null,
      href: item.href,
    };
  });
  const position = new Map(items.slice(from, from + count).map(({ id }, i) => [id, i]));
  const byId = new Map(times.items.map((one) => [one.id, one]));
  const links = source.dependencies.flatMap((one): GanttLink[] => {
    const [before, after] = [position.get(one.predecessor_id), position.get(one.successor_id)];
    if (before === undefined || after === undefined) return [];
    return [{ from: before, to: after, type: one.type, isCritical: isCriticalLink(one, byId) }];
  });
  const first = rows.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY);
  const last = rows.reduce((most, { finish }) => Math.max(most, finish), Number.NEGATIVE_INFINITY);
  return {
    title: source.title,
    rows,
    links,
    today: source.today,
    nonWorking: rows.length === 0 ? [] : restDays(first - 3, last + 60, (day) => calendar.isWorking(day)),
    baseline: baseline?.name ?? null,
    part: rows.length < items.length ? { first: from + 1, total: items.length } : null,
  };
}
