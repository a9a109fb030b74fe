import type { RequestContext } from '@lintel/sdk';
import { requireInitiative, type Host } from '../basics.js';
import { dateOf, dayOf } from '../calendar/days.js';
import type { WorkingCalendar } from '../calendar/working-calendar.js';
import { plannedCents } from '../earned-value/planned-costs.js';
import { amountOf } from '../money/decimal.js';
import { ExchangeRates } from '../money/rates.js';
import { today, type Plans } from '../schedule/plan.js';
import { visitInSlices } from '../slices.js';
import { freeze } from './freeze.js';
import type { BaselineReader } from './reader.js';
import type { FrozenItem } from './repository.js';
import { COMPARED, type ComparedState, type CompareQuery, type CompareView } from './schemas.js';

type Item = CompareView['items'][number];

/** What has become different since a baseline. */
export class BaselineComparison {
  constructor(
    private readonly host: Host,
    private readonly plans: Plans,
    private readonly reader: BaselineReader,
  ) {}

  /** @throws not_found, invalid_state */
  async compare(
    ctx: RequestContext,
    cardId: string,
    id: string,
    { unchanged = false, most = 1_000 }: CompareQuery,
  ): Promise<CompareView> {
    const card = await requireInitiative(this.host, ctx, cardId);
    const baseline = await this.reader.find(card.id, id);
    const hasCosts = (await this.host.cards.seesCosts(ctx, [card.id])).has(card.id);
    const plan = await this.plans.scheduled(ctx, await this.plans.load(card.id));
    const before = new Map<string, FrozenItem>();
    await visitInSlices(baseline.items, (item) => before.set(item.id, item));
    const now = await freeze(plan);
    const known = new Set<string>();
    const counts = { added: 0, removed: 0, changed: 0, unchanged: 0 };
    const items: Item[] = [];
    const add = (item: Item): void => {
      counts[item.difference]++;
      // One more than are listed shows that there are more.
      if ((unchanged || item.difference !== 'unchanged') && items.length <= most) items.push(item);
    };
    await visitInSlices(now, (item, i) => {
      known.add(item.id);
      add(itemOf(before.get(item.id), item, plan.items[i]!.outline, plan.calendar, hasCosts));
    });
    await visitInSlices(baseline.items, (item) => {
      if (!known.has(item.id)) add(itemOf(item, undefined, null, plan.calendar, hasCosts));
    });
    const [was, is] = [await lastOf(baseline.items), await lastOf(now)];
    return {
      baseline: { id: baseline.id, name: baseline.name, created_at: baseline.created_at.toISOString() },
      summary: {
        ...counts,
        baseline_finish: was,
        finish: is,
        finish_difference: difference(was, is, plan.calendar),
        ...(hasCosts && (await this.#sums(baseline.items, now))),
      },
      amounts_withheld: !hasCosts,
      truncated: items.length > most,
      items: items.slice(0, most),
    };
  }

  async #sums(before: readonly FrozenItem[], now: readonly FrozenItem[]) {
    const rates = new ExchangeRates(this.host.workspace().currency, this.host.settings().exchange_rates);
    const missing = new Set<string>();
    const date = dateOf(today());
    const sum = async (items: readonly FrozenItem[]): Promise<number> => {
      let total = 0n;
      await visitInSlices(items, (item) => {
        total += plannedCents(item, rates, date, missing) ?? 0n;
      });
      return amountOf(total);
    };
    const [was, is] = [await sum(before), await sum(now)];
    return { baseline_planned_cost: was, planned_cost: is, missing_rates: [...missing].sort() };
  }
}

async function lastOf(items: readonly FrozenItem[]): Promise<string | null> {
  let last: string | null = null;
  await visitInSlices(items, ({ end_date }) => {
    if (end_date !== null && (last === null || end_date > last)) last = end_date;
  });
  return last;
}

/** Working days from one date to a later one; negative if it is earlier. */
function difference(before: string | null, now: string | null, calendar: WorkingCalendar): number | null {
  return before === null || now === null ? null : calendar.indexOf(dayOf(now)) - calendar.indexOf(dayOf(before));
}

function stateOf({ end_date, ...item }: FrozenItem, hasCosts: boolean): ComparedState {
  const { title, parent_id, is_milestone, start_date, duration_days, completion, planned_cost, planned_currency } =
    item;
  return {
    title,
    parent_id,
    is_milestone,
    start_date,
    finish_date: end_date,
    duration_days,
    completion,
    ...(hasCosts && { planned_cost: planned_cost === null ? null : Number(planned_cost), planned_currency }),
  };
}

function itemOf(
  before: FrozenItem | undefined,
  now: FrozenItem | undefined,
  outline: string | null,
  calendar: WorkingCalendar,
  hasCosts: boolean,
): Item {
  const [was, is] = [before && stateOf(before, hasCosts), now && stateOf(now, hasCosts)];
  const isCostChanged = was?.planned_cost !== is?.planned_cost || was?.planned_currency !== is?.planned_currency;
  const changed =
    was && is ? COMPARED.filter((field) => (field === 'planned_cost' ? isCostChanged : was[field] !== is[field])) : [];
  return {
    id: (now ?? before)!.id,
    outline,
    difference: !was ? 'added' : !is ? 'removed' : changed.length > 0 ? 'changed' : 'unchanged',
    changed,
    start_difference: difference(was?.start_date ?? null, is?.start_date ?? null, calendar),
    finish_difference: difference(was?.finish_date ?? null, is?.finish_date ?? null, calendar),
    before: was ?? null,
    now: is ?? null,
  };
}
