/** Completion of summaries. */
import { mapInSlices, visitInSlices } from '../slices.js';
import type { ItemTimes } from './types.js';

/**
 * The completion of every item: that of a summary is the average of the leaves below it, weighted by their durations, or the
 * plain one where all durations are 0.
 * @param items in the order of the tree, with the completion of leaves in percent
 * @param times in the same order
 */
export async function completions(
  items: readonly { row: { id: string; parent_id: string | null; completion: number } }[],
  times: readonly Pick<ItemTimes, 'isSummary' | 'duration'>[],
): Promise<number[]> {
  const index = new Map<string, number>();
  const sums = await mapInSlices(items, ({ row }, i) => {
    index.set(row.id, i);
    return { days: 0, done: 0, count: 0, plain: 0 };
  });
  await visitInSlices(items, (_, fromStart) => {
    const i = items.length - 1 - fromStart;
    const { parent_id, completion } = items[i]!.row;
    const own = sums[i]!;
    if (!times[i]!.isSummary) {
      const { duration } = times[i]!;
      Object.assign(own, { days: duration, done: duration * completion, count: 1, plain: completion });
    }
    // Items above come before those below them, so that all of these were added already.
    const above = sums[index.get(parent_id ?? '') ?? -1];
    if (!above) return;
    above.days += own.days;
    above.done += own.done;
    above.count += own.count;
    above.plain += own.plain;
  });
  return await mapInSlices(items, ({ row: { completion } }, i) => {
    const { days, done, count, plain } = sums[i]!;
    if (!times[i]!.isSummary) return completion;
    return Math.round((days > 0 ? done / days : plain / Math.max(count, 1)) * 100) / 100;
  });
}
