import type { RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import type { WorkingCalendar } from '../calendar/working-calendar.js';
import { amountOf, centsOf } from '../money/decimal.js';
import { ratesOf } from '../money/settings.js';
import { assigneesOf } from '../people.js';
import { Calendars } from '../plan/calendars.js';
import { daysIn } from './dates.js';
import { readItems, type PlannedRow } from './repository.js';
import { treeOf, type TreeItem } from './tree.js';

/** The parts of an item that are presented. */
interface Presented {
  id: string;
  card_id: string;
  planned_cost: number | null;
  planned_currency: string | null;
  assignee_id: string | null;
}

/** All items of a plan. */
export interface PlanTree {
  rows: readonly PlannedRow[];
  /** In the order of the tree. */
  items: readonly TreeItem[];
  calendar: WorkingCalendar;
}

/** By request, the plans that its list has read already. */
const read = new WeakMap<RequestContext, Map<string, PlanTree>>();

/** Reads whole plans, in three statements for any number of them. */
async function readTrees(host: Host, cards: readonly string[]): Promise<Map<string, PlanTree>> {
  const plans = await readItems(host.db, cards);
  const calendars = await new Calendars(host).of(cards);
  return new Map(
    [...plans].map(([id, rows]) => {
      const calendar = calendars(id);
      return [id, { rows, calendar, items: treeOf(rows, daysIn(calendar)) }];
    }),
  );
}

/** Reads the plan of an initiative, once for the list of its items and their views. */
export async function treeFor(host: Host, ctx: RequestContext, cardId: string): Promise<PlanTree> {
  const trees = await readTrees(host, [cardId]);
  read.set(ctx, trees);
  return trees.get(cardId)!;
}

interface Sum {
  cents: bigint;
  missing: Set<string>;
}

/**
 * The planned costs of what is below items, in cents of the currency of the workspace.
 * @param today YYYY-MM-DD, whose rate counts for items without a start
 */
function plannedSums(host: Host, { rows, items }: PlanTree, today: string): Map<string, Sum> {
  const { rates } = ratesOf(host);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const sums = new Map<string, Sum>();
  // Backwards, so that what is below an item comes before it.
  for (const { id, children } of items.toReversed()) {
    const { parent_id, planned_cost: cost, planned_currency: currency, start_date } = byId.get(id)!;
    const own = sums.get(id) ?? { cents: 0n, missing: new Set<string>() };
    sums.set(id, own);
    // What was planned for an item before it had others below it does not count.
    if (children === 0 && cost !== null && currency !== null) {
      const cents = rates.convert(centsOf(cost), currency, start_date ?? today);
      if (cents === undefined) own.missing.add(currency);
      else own.cents += cents;
    }
    if (parent_id === null) continue;
    const above = sums.get(parent_id) ?? { cents: 0n, missing: new Set<string>() };
    above.cents += own.cents;
    for (const one of own.missing) above.missing.add(one);
    sums.set(parent_id, above);
  }
  return sums;
}

const WITHHELD = { planned_cost: null, planned_currency: null, missing_rates: [], amounts_withheld: true };

/** Members of items that follow from their whole plans; the number of statements does not depend on the number of items. */
export async function presentItems(rows: readonly Presented[], ctx: RequestContext, host: Host) {
  const cards = [...new Set(rows.map(({ card_id }) => card_id))];
  const known = read.get(ctx);
  const trees = known && cards.every((id) => known.has(id)) ? known : await readTrees(host, cards);
  const open = await host.cards.seesCosts(ctx, cards);
  const people = await assigneesOf(host, rows);
  const today = new Date().toISOString().slice(0, 10);
  const items = new Map(cards.map((id) => [id, new Map(trees.get(id)!.items.map((item) => [item.id, item]))]));
  const sums = new Map([...open].map((id) => [id, plannedSums(host, trees.get(id)!, today)]));
  return rows.map(({ id, card_id, planned_cost, planned_currency }, i) => {
    const item = items.get(card_id)!.get(id);
    const sum = sums.get(card_id)?.get(id);
    const isSummary = item !== undefined && item.children > 0;
    const own = { planned_cost, planned_currency, missing_rates: [], amounts_withheld: false };
    const rolledUp = {
      planned_cost: amountOf(sum?.cents ?? 0n),
      planned_currency: host.workspace().currency,
      missing_rates: [...(sum?.missing ?? [])].sort(),
      amounts_withheld: false,
    };
    return {
      depth: item?.depth ?? 0,
      // Deleted since the page was read: shown without its place.
      outline: item?.outline ?? '',
      children_count: item?.children ?? 0,
      assignee: people[i]!,
      // A new calendar changes it without a new version: as a part of this, it is a part of the entity tag.
      ...(item && { duration_days: item.duration_days }),
      ...(isSummary && {
        start_date: item.start_date,
        end_date: item.end_date,
        completion: item.completion,
      }),
      ...(!open.has(card_id) ? WITHHELD : isSummary ? rolledUp : own),
    };
  });
}
