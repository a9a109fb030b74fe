import { dateOf } from '../calendar/days.js';
import { completions } from '../schedule/completion.js';
import type { ScheduledPlan } from '../schedule/plan.js';
import { mapInSlices } from '../slices.js';
import type { FrozenItem } from './repository.js';

/** The items of a plan as a baseline has them, in the order of the tree. */
export async function freeze({ items, times, days }: ScheduledPlan): Promise<FrozenItem[]> {
  const done = await completions(items, times.items);
  return await mapInSlices(items, ({ row, isSummary }, i) => ({
    id: row.id,
    parent_id: row.parent_id,
    position: row.position,
    title: row.title,
    is_milestone: row.is_milestone,
    start_date: dateOf(days[i]!.start),
    end_date: dateOf(days[i]!.finish),
    duration_days: times.items[i]!.duration,
    completion: done[i]!,
    planned_cost: isSummary ? null : row.planned_cost,
    planned_currency: isSummary ? null : row.planned_currency,
  }));
}
