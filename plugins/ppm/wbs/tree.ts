/** An item with what its place and its summaries are computed from. */
export interface TreeRow {
  id: string;
  parent_id: string | null;
  is_milestone: boolean;
  /** YYYY-MM-DD. */
  start_date: string | null;
  end_date: string | null;
  /** Working days. */
  duration_days: number | null;
  /** Percent. */
  completion: number;
}

/** What follows for an item from the whole tree. */
export interface TreeItem {
  id: string;
  /** Place in the list of all items, from 0. */
  index: number;
  /** 0 for the highest items. */
  depth: number;
  /** The place in the tree, such as `1.2.3`. */
  outline: string;
  /** Items directly below it. */
  children: number;
  start_date: string | null;
  end_date: string | null;
  /** Working days: of a leaf as planned, of a summary from its first to its last day. */
  duration_days: number | null;
  /** Percent; of a summary the mean of its leaves, weighted by their working days. */
  completion: number;
}

/** Weighted completion of the leaves of an item, in hundredths of a percent. */
interface Sums {
  days: number;
  done: number;
  leaves: number;
  plain: number;
}

/**
 * Orders the items of a plan as a tree, numbers them, and computes the summaries.
 * @param rows siblings in their order
 * @param daysBetween working days between two dates, both included
 * @returns the items in the order of the tree, each after the one above it
 */
export function treeOf(rows: readonly TreeRow[], daysBetween: (from: string, to: string) => number): TreeItem[] {
  const children = new Map<string | null, TreeRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent_id);
    if (siblings) siblings.push(row);
    else children.set(row.parent_id, [row]);
  }
  const items: TreeItem[] = [];
  function add(parent: string | null, depth: number, prefix: string): Sums {
    const sums = { days: 0, done: 0, leaves: 0, plain: 0 };
    for (const [i, row] of (children.get(parent) ?? []).entries()) {
      const item: TreeItem = {
        id: row.id,
        index: items.length,
        depth,
        outline: `${prefix}${i + 1}`,
        children: children.get(row.id)?.length ?? 0,
        start_date: row.start_date,
        end_date: row.end_date,
        duration_days: row.duration_days,
        completion: row.completion,
      };
      items.push(item);
      const below = item.children > 0 ? add(row.id, depth + 1, `${item.outline}.`) : leafOf(row);
      if (item.children > 0) summarise(item, below, items, daysBetween);
      for (const key of ['days', 'done', 'leaves', 'plain'] as const) sums[key] += below[key];
    }
    return sums;
  }
  add(null, 0, '');
  return items;
}

/** Milestones have no weight; an item of unknown duration counts as one day, as in the schedule. */
function leafOf({ is_milestone, duration_days, completion }: TreeRow): Sums {
  const days = is_milestone ? 0 : (duration_days ?? 1);
  const hundredths = Math.round(completion * 100);
  return { days, done: days * hundredths, leaves: 1, plain: hundredths };
}

/** Sets dates, duration and completion of an item from those below it, which are the last ones of the list. */
function summarise(
  item: TreeItem,
  { days, done, leaves, plain }: Sums,
  items: readonly TreeItem[],
  daysBetween: (from: string, to: string) => number,
): void {
  let start: string | null = null;
  let end: string | null = null;
  for (let i = item.index + 1; i < items.length; i++) {
    const below = items[i]!;
    if (below.depth !== item.depth + 1) continue;
    if (below.start_date !== null && (start === null || below.start_date < start)) start = below.start_date;
    if (below.end_date !== null && (end === null || below.end_date > end)) end = below.end_date;
  }
  item.start_date = start;
  item.end_date = end;
  item.duration_days = start === null || end === null ? null : daysBetween(start, end);
  item.completion = Math.round(days > 0 ? done / days : plain / leaves) / 100;
}
