/** A plan with its computed schedule. */
import type { RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { dateOf, dayOf } from '../calendar/days.js';
import { effectiveCalendar } from '../calendar/effective.js';
import type { WorkingCalendar } from '../calendar/working-calendar.js';
import { mapInSlices, visitInSlices } from '../slices.js';
import { scheduleInSlices } from './compute.js';
import { DatesOutOfRange, daysOf, type ItemDays } from './dates.js';
import {
  readDependencies,
  readHolidays,
  readItems,
  readPlanRow,
  readStoredItems,
  type DependencyRow,
  type HolidayRow,
  type ItemRow,
  type PlanRow,
  type Reads,
  type ScheduledRow,
} from './repository.js';
import { inOrder, type Placed } from './tree.js';
import type { Times } from './types.js';

/** A plan as it was read; items in the order of the tree. */
export interface LoadedPlan<R extends ScheduledRow = ScheduledRow> {
  cardId: string;
  row: PlanRow | undefined;
  items: Placed<R>[];
  dependencies: DependencyRow[];
  holidays: HolidayRow[];
  calendar: WorkingCalendar;
}

/** The schedule of a plan; times and days are in the order of its items. */
export interface ScheduledPlan<R extends ScheduledRow = ScheduledRow> extends LoadedPlan<R> {
  /** Index of the first working day. */
  origin: number;
  times: Times;
  days: ItemDays[];
}

/** The current day of UTC, as a number of `dayOf`. */
export const today = (): number => Math.floor(Date.now() / 86_400_000);

/** By request, the start of its card: read before its transaction, which must not wait for a second connection. */
const cardStarts = new WeakMap<RequestContext, number>();

/** Reads plans and computes their schedules. */
export class Plans {
  constructor(private readonly host: Host) {}

  /** Reads what a schedule is computed from, in four statements for any number of items. */
  async load(cardId: string, reads: Reads = this.host.db): Promise<LoadedPlan> {
    return await this.#read(cardId, reads, readItems);
  }

  /** The same, with items as they are stored. */
  async loadStored(cardId: string, reads: Reads = this.host.db): Promise<LoadedPlan<ItemRow>> {
    return await this.#read(cardId, reads, readStoredItems);
  }

  async #read<R extends ScheduledRow>(
    cardId: string,
    reads: Reads,
    readRows: (reads: Reads, cardId: string) => Promise<R[]>,
  ): Promise<LoadedPlan<R>> {
    const row = await readPlanRow(reads, cardId);
    const items = await inOrder(await readRows(reads, cardId));
    const known = new Set<string>();
    await visitInSlices(items, ({ row: { id } }) => known.add(id));
    const dependencies: DependencyRow[] = [];
    // The statements see different instants: an item may have been deleted in between.
    await visitInSlices(await readDependencies(reads, cardId), (one) => {
      if (known.has(one.predecessor_id) && known.has(one.successor_id)) dependencies.push(one);
    });
    const holidays = await readHolidays(reads);
    const calendar = this.calendarOf(row?.calendar ?? null, holidays);
    return { cardId, row, items, dependencies, holidays, calendar };
  }

  calendarOf(calendar: PlanRow['calendar'], holidays: readonly HolidayRow[]): WorkingCalendar {
    const { working_days } = this.host.settings();
    return effectiveCalendar(
      calendar,
      working_days,
      holidays.map(({ date }) => date),
    );
  }

  /**
   * The schedule of a plan: it begins on its start date, otherwise on its earliest planned date, on the start date of the
   * card, or today.
   * @param finishBy the finish of the backward pass, a number of `dayOf`; default: the computed finish
   * @throws invalid_state for dependencies that contradict each other, and for dates outside of the years 1 to 9999; validation_failed if `finishBy` leads there
   */
  async scheduled<R extends ScheduledRow>(
    ctx: RequestContext,
    plan: LoadedPlan<R>,
    finishBy?: number,
  ): Promise<ScheduledPlan<R>> {
    const { calendar, dependencies } = plan;
    const origin = calendar.indexOf(await this.#start(ctx, plan));
    const items = await mapInSlices(plan.items, ({ row }) => row);
    const lateFinish = finishBy === undefined ? undefined : calendar.indexOf(finishBy + 1) - origin;
    const times = await scheduleInSlices({ items, dependencies, calendar, origin, lateFinish });
    if (!times.ok)
      throw this.host.problem('invalid_state', {
        detail: 'Dependencies of the plan contradict each other: no schedule can be computed.',
        cycle: times.cycle,
      });
    try {
      return { ...plan, origin, times, days: await daysOf(items, times, calendar, origin) };
    } catch (error) {
      if (!(error instanceof DatesOutOfRange)) throw error;
      if (finishBy !== undefined)
        throw this.host.problem('validation_failed', {
          errors: [{ field: 'finish_by', reason: 'takes latest dates out of the years 1 to 9999', in: 'query' }],
        });
      throw this.host.problem('invalid_state', { detail: 'The schedule leaves the years 1 to 9999.' });
    }
  }

  async #start(ctx: RequestContext, { cardId, row, items }: LoadedPlan): Promise<number> {
    if (row?.start_date) return dayOf(row.start_date);
    let least: string | null = null;
    await visitInSlices(items, ({ row: { start_date, end_date }, isSummary }) => {
      const date = start_date ?? end_date;
      if (!isSummary && date !== null && (least === null || date < least)) least = date;
    });
    if (least !== null) return dayOf(least);
    if (items.length === 0) return today();
    return cardStarts.get(ctx) ?? (await this.#cardStart(ctx, cardId));
  }

  /** Reads the start date of a card for a schedule that is computed in a transaction of the request. */
  async readCardStart(ctx: RequestContext, cardId: string): Promise<void> {
    cardStarts.set(ctx, await this.#cardStart(ctx, cardId));
  }

  /** The start date of a card, otherwise today. */
  async #cardStart(ctx: RequestContext, cardId: string): Promise<number> {
    const [card] = await this.host.cards.read(ctx, [cardId]);
    const start = (card?.['attributes'] as { startDate?: unknown } | undefined)?.startDate;
    const day = typeof start === 'string' ? dayOf(start) : Number.NaN;
    return Number.isNaN(day) ? today() : day;
  }
}

/** The days of an item as dates. */
export function datesOf({ start, finish, earlyStart, earlyFinish, lateStart, lateFinish }: ItemDays) {
  return {
    start_date: dateOf(start),
    finish_date: dateOf(finish),
    early_start: dateOf(earlyStart),
    early_finish: dateOf(earlyFinish),
    late_start: dateOf(lateStart),
    late_finish: dateOf(lateFinish),
  };
}
