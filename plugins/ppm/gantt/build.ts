/** The chart of a schedule. */
import type { WorkingCalendar } from '../calendar/working-calendar.js';
import type { ItemDays } from '../schedule/dates.js';
import type { PlanDependency, Times } from '../schedule/types.js';
import { mapInSlices, visitInSlices } from '../slices.js';
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

/** What a chart is made of; times and days are of all items of the plan, in its order. */
export interface GanttSource {
  title: string;
  /** The items that are shown: a part of the plan. */
  items: readonly ShownItem[];
  /** The position in the plan of the first of them. */
  from: number;
  /** The number of items of the plan. */
  total: number;
  times: Times;
  days: readonly ItemDays[];
  dependencies: readonly PlanDependency[];
  calendar: WorkingCalendar;
  today: number;
  baseline: { name: string; days: ReadonlyMap<string, { start: number; finish: number }> } | null;
}

/** A dependency is critical if both of its items are, and it determines the time of the successor. */
function isCriticalLink(
  { type, lag_days }: PlanDependency,
  before: Times['items'][number],
  after: Times['items'][number],
): boolean {
  if (!before.isCritical || !after.isCritical) return false;
  const from = (type.startsWith('F') ? before.finish : before.start) + lag_days;
  return (type.endsWith('F') ? after.finish : after.start) === from;
}

export async function ganttOf(source: GanttSource): Promise<Gantt> {
  const { items, times, days, calendar, baseline, from, total } = source;
  const position = new Map<string, number>();
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const rows = await mapInSlices(items, (item, i): GanttRow => {
    const [{ isSummary, isCritical }, { start, finish }] = [times.items[from + i]!, days[from + i]!];
    position.set(item.id, i);
    [first, last] = [Math.min(first, start), Math.max(last, finish)];
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
  const links: GanttLink[] = [];
  await visitInSlices(source.dependencies, (one) => {
    const [before, after] = [position.get(one.predecessor_id), position.get(one.successor_id)];
    if (before === undefined || after === undefined) return;
    const isCritical = isCriticalLink(one, times.items[from + before]!, times.items[from + after]!);
    links.push({ from: before, to: after, type: one.type, isCritical });
  });
  return {
    title: source.title,
    rows,
    links,
    today: source.today,
    nonWorking: rows.length === 0 ? [] : restDays(first - 3, last + 60, (day) => calendar.isWorking(day)),
    baseline: baseline?.name ?? null,
    part: rows.length < total ? { first: from + 1, total } : null,
  };
}
