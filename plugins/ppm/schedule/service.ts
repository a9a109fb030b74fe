import type { RequestContext } from '@lintel/sdk';
import { requireInitiative, type Host } from '../basics.js';
import { dateOf, dayOf } from '../calendar/days.js';
import { mapInSlices, visitInSlices } from '../slices.js';
import { datesOf, type Plans, type ScheduledPlan } from './plan.js';
import type { ScheduleQuery, ScheduleView } from './schemas.js';

/** Schedules of initiatives. */
export class ScheduleService {
  constructor(
    private readonly host: Host,
    private readonly plans: Plans,
  ) {}

  /** @throws not_found, invalid_state */
  async get(ctx: RequestContext, cardId: string, { finish_by, critical }: ScheduleQuery): Promise<ScheduleView> {
    const { id } = await requireInitiative(this.host, ctx, cardId);
    const plan = await this.plans.scheduled(
      ctx,
      await this.plans.load(id),
      finish_by === undefined ? undefined : dayOf(finish_by),
    );
    const { items, times, days, calendar, origin } = plan;
    let last = Number.NEGATIVE_INFINITY;
    const shown: ScheduleView['items'] = [];
    await visitInSlices(items, ({ row, outline, depth, isSummary }, i) => {
      last = Math.max(last, days[i]!.finish);
      const { duration, isDurationAssumed, totalFloat, freeFloat, isCritical } = times.items[i]!;
      if (critical !== undefined && critical !== isCritical) return;
      shown.push({
        id: row.id,
        outline,
        depth,
        title: row.title,
        is_summary: isSummary,
        is_milestone: row.is_milestone,
        duration_days: duration,
        duration_assumed: isDurationAssumed,
        ...datesOf(days[i]!),
        total_float: totalFloat,
        free_float: freeFloat,
        critical: isCritical,
      });
    });
    return {
      card_id: id,
      start_date: dateOf(calendar.dayAt(origin)),
      finish_date: items.length === 0 ? null : dateOf(last),
      finish_by: finish_by ?? null,
      duration_days: times.finish,
      items: shown,
      conflicts: await conflictsOf(plan),
    };
  }
}

async function conflictsOf({ items, times, days, dependencies }: ScheduledPlan): Promise<ScheduleView['conflicts']> {
  const index = new Map<string, number>();
  await visitInSlices(items, ({ row: { id } }, i) => index.set(id, i));
  const driving = new Set(times.conflicts.map(({ dependencyId }) => dependencyId));
  const byId = new Map<string, (typeof dependencies)[number]>();
  await visitInSlices(dependencies, (one) => {
    if (driving.has(one.id)) byId.set(one.id, one);
  });
  return await mapInSlices(times.conflicts, ({ id, constraint, date, isFinish, dependencyId }) => {
    const at = index.get(id)!;
    const dependency = byId.get(dependencyId ?? '');
    return {
      item_id: id,
      title: items[at]!.row.title,
      constraint_type: constraint,
      wanted: date,
      computed: dateOf(isFinish ? days[at]!.finish : days[at]!.start),
      driven_by: dependency
        ? {
            dependency_id: dependency.id,
            predecessor_id: dependency.predecessor_id,
            title: items[index.get(dependency.predecessor_id)!]!.row.title,
            type: dependency.type,
          }
        : null,
    };
  });
}
