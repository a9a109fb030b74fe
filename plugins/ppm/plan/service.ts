import { isDeepStrictEqual } from 'node:util';
import type { RequestContext, ResourceResult } from '@lintel/sdk';
import { requireActiveInitiative, requireInitiative, type Host } from '../basics.js';
import { dateOf, dayOf, weekdayOf } from '../calendar/days.js';
import type { WorkingCalendar } from '../calendar/working-calendar.js';
import { CARD_FIELDS, FIELD_KEYS } from '../rollup/fields.js';
import { planChanged } from '../rollup/queue.js';
import type { Calendars } from './calendars.js';
import type { Recounts } from './recount.js';
import {
  countPlan,
  lockPlan,
  patchPlan,
  readHolidays,
  readPlans,
  type On,
  type PlanCounts,
  type PlanRow,
} from './repository.js';
import type { PlanPatch, PlanView } from './schemas.js';

const DAYS_BEFORE = 366;
const DAYS_AHEAD = 5 * 366;
type PlanResource = Omit<ResourceResult<PlanView>, 'status'>;

/** A plan, and what its calendar is made from. */
interface StoredPlan {
  row: PlanRow | undefined;
  counts: PlanCounts;
  holidays: { date: string; name: string }[];
  calendar: WorkingCalendar;
}
const FIELDS = ['start_date', 'calendar'] as const;

/** The start and the calendar of plans. */
export class PlanService {
  constructor(
    private readonly host: Host,
    private readonly calendars: Calendars,
    private readonly recounts: Recounts,
  ) {}

  /** @throws not_found */
  async resource(ctx: RequestContext, cardId: string): Promise<PlanResource> {
    const { id } = await requireInitiative(this.host, ctx, cardId);
    return await this.shown(ctx, id, await this.read(this.host.db, id));
  }

  private async read(on: On, id: string): Promise<StoredPlan> {
    return {
      row: (await readPlans(on, [id])).get(id),
      counts: await countPlan(on, id),
      holidays: await readHolidays(on),
      calendar: (await this.calendars.of([id], on))(id),
    };
  }

  private async shown(
    ctx: RequestContext,
    id: string,
    { row, counts, holidays, calendar }: StoredPlan,
  ): Promise<PlanResource> {
    const working_days = row?.calendar?.working_days ?? this.host.settings().working_days;
    const today = dayOf(new Date().toISOString().slice(0, 10));
    const names = new Map(holidays.map(({ date, name }) => [date, name]));
    for (const { date, name } of row?.calendar?.exceptions ?? []) if (name !== undefined) names.set(date, name);
    const free: { date: string; name: string }[] = [];
    for (let day = today - DAYS_BEFORE; day <= today + DAYS_AHEAD; day++)
      if (working_days.includes(weekdayOf(day)) && !calendar.isWorking(day))
        free.push({ date: dateOf(day), name: names.get(dateOf(day)) ?? '' });
    const body: PlanView = {
      card_id: id,
      start_date: row?.start_date ?? null,
      calendar: row?.calendar ?? null,
      effective_calendar: { working_days, holidays: free },
      wbs_count: counts.wbs,
      task_count: counts.tasks,
      dependency_count: counts.dependencies,
      rolled_up_fields: await this.rolledUpFields(ctx, id, row),
      version: row?.version ?? 1,
      updated_at: row?.updated_at.toISOString() ?? null,
    };
    return { version: body.version, body, derived: [counts, free, working_days, body.rolled_up_fields] };
  }

  /** Fields of amounts are not named to callers who may not see these: they would reveal that there are some. */
  private async rolledUpFields(ctx: RequestContext, id: string, row: PlanRow | undefined): Promise<string[]> {
    const sees = (await this.host.cards.seesCosts(ctx, [id])).has(id);
    return FIELD_KEYS.filter((key) => row?.rolled_up[key] !== undefined && (sees || !CARD_FIELDS[key])).sort();
  }

  /**
   * @returns the plan as it was written
   * @throws not_found, invalid_state if the card is archived, precondition_failed, validation_failed
   */
  async update(ctx: RequestContext, cardId: string, patch: PlanPatch): Promise<PlanResource> {
    const { id, name } = await requireActiveInitiative(this.host, ctx, cardId);
    const dates = patch.calendar?.exceptions?.map(({ date }) => date) ?? [];
    const twice = dates.findIndex((date, i) => dates.indexOf(date) < i);
    let written: StoredPlan | undefined;
    await this.host.transactions.run(ctx, async (uow) => {
      const before = await lockPlan(uow, id);
      const next: PlanRow = { ...before, ...patch };
      // The order of the members is not that of the body: the column does not keep it.
      const changed = FIELDS.filter((field) => !isDeepStrictEqual(next[field], before[field]));
      this.host.checkVersion(ctx, before.version, changed);
      if (twice >= 0)
        throw this.host.invalid({ field: `/calendar/exceptions/${twice}/date`, reason: 'has an exception already' });
      if (changed.length === 0) {
        written = await this.read(uow, id);
        return { id, version: before.version };
      }
      const version = await patchPlan(uow, id, next);
      if (changed.includes('calendar')) await this.recounts.of(uow, id);
      await planChanged(this.host, uow, id);
      uow.emit({
        type: 'ppm_plan.updated',
        subject: { kind: 'ppm_plan', id, name },
        data: {
          card_id: id,
          version,
          changes: changed.map((field) => ({ field, old: before[field], new: next[field] })),
        },
      });
      written = await this.read(uow, id);
      return { id, version };
    });
    // For a repeated Idempotency-Key the transaction did nothing.
    return await this.shown(ctx, id, written ?? (await this.read(this.host.db, id)));
  }
}
