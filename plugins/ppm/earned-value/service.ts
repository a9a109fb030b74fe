import type { RequestContext } from '@lintel/sdk';
import { requireInitiative, type Host } from '../basics.js';
import type { BaselineReader } from '../baselines/reader.js';
import { requireAmounts } from '../costs/access.js';
import { dateOf, dayOf } from '../calendar/days.js';
import { amountOf, centsOf } from '../money/decimal.js';
import { ExchangeRates } from '../money/rates.js';
import { today, type Plans, type ScheduledPlan } from '../schedule/plan.js';
import { mapInSlices, visitInSlices } from '../slices.js';
import {
  earnedValues,
  estimate,
  FORMULAS,
  ratio,
  seriesDays,
  type CostedItem,
  type EarnedSource,
  type Interval,
  type Point,
} from './compute.js';
import { plannedCents } from './planned-costs.js';
import { readBudget, readProgress, readSpent } from './repository.js';
import type { EarnedValueQuery, EarnedValueView } from './schemas.js';

/** Items with their planned costs. */
interface Costed {
  items: CostedItem[];
  without: number;
}

/** Earned value of initiatives. */
export class EarnedValueService {
  constructor(
    private readonly host: Host,
    private readonly plans: Plans,
    private readonly baselines: BaselineReader,
  ) {}

  /** @throws not_found, forbidden for callers who may not see the costs of the initiative, invalid_state, validation_failed */
  async get(ctx: RequestContext, cardId: string, query: EarnedValueQuery): Promise<EarnedValueView> {
    const { id } = await requireInitiative(this.host, ctx, cardId);
    await requireAmounts(this.host, ctx, id);
    const day = query.date === undefined ? today() : dayOf(query.date);
    const rates = new ExchangeRates(this.host.workspace().currency, this.host.settings().exchange_rates);
    const missing = new Set<string>();
    const plan = await this.plans.scheduled(ctx, await this.plans.load(id));
    const { items, without } =
      query.baseline_id === undefined
        ? await costedNow(plan, rates, missing)
        : await this.#costedThen(id, query.baseline_id, rates, missing);
    const spent = await readSpent(this.host, id, dateOf(day), rates);
    const budget = await readBudget(this.host, id, rates, this.host.workspace().fiscalYearStart);
    for (const { missing: currencies } of [...spent, ...budget])
      for (const currency of currencies) missing.add(currency);
    const source: EarnedSource = {
      items,
      progress: await mapInSlices(await readProgress(this.host, id, dateOf(day)), (row) => ({
        ...row,
        day: dayOf(row.day),
      })),
      spent: await mapInSlices(spent, (row) => ({ day: dayOf(row.day), cents: centsOf(row.amount) })),
      calendar: plan.calendar,
    };
    const [at] = (await earnedValues(source, [day])) as [Point];
    const bac = items.reduce((sum, { cents }) => sum + cents, 0n);
    const { eac: forecast = 'cpi' } = query;
    // Without planned costs nothing can be said of performance: an index of 0 would say that nothing was done.
    const hasBasis = bac > 0n;
    const eac = hasBasis ? estimate(forecast, bac, at) : null;
    const indexOf = (value: bigint | null): number | null =>
      value === null || !hasBasis ? null : Number(value) / 10_000;
    return {
      card_id: id,
      date: dateOf(day),
      currency: rates.currency,
      baseline_id: query.baseline_id?.toLowerCase() ?? null,
      basis: hasBasis ? 'planned_costs' : 'none',
      budget: budget[0] === undefined ? null : amountOf(centsOf(budget[0].amount)),
      bac: amountOf(bac),
      pv: amountOf(at.pv),
      ev: amountOf(at.ev),
      ac: amountOf(at.ac),
      sv: amountOf(at.ev - at.pv),
      cv: amountOf(at.ev - at.ac),
      spi: indexOf(ratio(at.ev, at.pv)),
      cpi: indexOf(ratio(at.ev, at.ac)),
      eac: eac === null ? null : amountOf(eac),
      eac_formula: FORMULAS[forecast],
      etc: eac === null ? null : amountOf(eac - at.ac),
      vac: eac === null ? null : amountOf(bac - eac),
      items_without_cost: without,
      missing_rates: [...missing].sort(),
      series: await this.#series(source, day, query.interval),
    };
  }

  async #costedThen(cardId: string, id: string, rates: ExchangeRates, missing: Set<string>): Promise<Costed> {
    const { items, days } = await this.baselines.find(cardId, id);
    const above = new Set<string | null>();
    await visitInSlices(items, ({ parent_id }) => above.add(parent_id));
    return await costed(items, rates, missing, (item) =>
      above.has(item.id) ? undefined : { ...item, days: days.get(item.id) ?? null },
    );
  }

  async #series(source: EarnedSource, day: number, wanted: Interval | undefined): Promise<EarnedValueView['series']> {
    const planned = source.items.flatMap(({ start, finish }) =>
      start === null || finish === null ? [] : [start, finish],
    );
    const all = [...planned, ...source.spent.map((row) => row.day), ...source.progress.map((row) => row.day)];
    if (all.length === 0) return { interval: wanted ?? 'week', points: [] };
    const from = all.reduce((least, one) => Math.min(least, one));
    const to = all.reduce((last, one) => Math.max(last, one));
    const intervals: readonly Interval[] = wanted === undefined ? ['week', 'month'] : [wanted];
    for (const interval of intervals) {
      const days = seriesDays(from, to, interval);
      if (!days) continue;
      return {
        interval,
        points: (await earnedValues(source, days)).map((point) => ({
          date: dateOf(point.day),
          pv: amountOf(point.pv),
          ev: point.day > day ? null : amountOf(point.ev),
          ac: point.day > day ? null : amountOf(point.ac),
        })),
      };
    }
    if (wanted === undefined) return { interval: null, points: [] };
    throw this.host.problem('validation_failed', {
      errors: [{ field: 'interval', reason: 'would give more than 400 points', in: 'query' }],
    });
  }
}

interface Priced {
  id: string;
  is_milestone: boolean;
  start_date: string | null;
  planned_cost: string | null;
  planned_currency: string | null;
  days: { start: number; finish: number } | null;
}

/** Planned dates where an item has both, otherwise those of the schedule. */
function costedNow(plan: ScheduledPlan, rates: ExchangeRates, missing: Set<string>): Promise<Costed> {
  return costed(plan.items, rates, missing, ({ row, isSummary }, i) => {
    if (isSummary) return undefined;
    const { start_date, end_date } = row;
    const { start, finish } = plan.days[i]!;
    const isPlanned = start_date !== null && end_date !== null;
    return { ...row, days: isPlanned ? { start: dayOf(start_date), finish: dayOf(end_date) } : { start, finish } };
  });
}

/** @param leafOf an item with its days; undefined for a summary */
async function costed<T>(
  all: readonly T[],
  rates: ExchangeRates,
  missing: Set<string>,
  leafOf: (item: T, index: number) => Priced | undefined,
): Promise<Costed> {
  let without = 0;
  const date = dateOf(today());
  const items: CostedItem[] = [];
  await visitInSlices(all, (item, i) => {
    const leaf = leafOf(item, i);
    if (!leaf) return;
    const cents = plannedCents(leaf, rates, date, missing);
    if (leaf.planned_cost === null && !leaf.is_milestone) without++;
    if (cents !== undefined)
      items.push({ id: leaf.id, cents, start: leaf.days?.start ?? null, finish: leaf.days?.finish ?? null });
  });
  return { items, without };
}
