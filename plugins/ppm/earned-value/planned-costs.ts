/** Planned costs of items in the currency of the workspace. */
import { centsOf } from '../money/decimal.js';
import type { ExchangeRates } from '../money/rates.js';

/** An item with its planned cost. */
export interface Priced {
  planned_cost: string | null;
  planned_currency: string | null;
  start_date: string | null;
}

/**
 * The planned cost of an item in cents, converted with the rate of its start date, or of today.
 * @param missing collects currencies without a rate
 * @returns undefined without a planned cost, and without a rate
 */
export function plannedCents(
  item: Priced,
  rates: ExchangeRates,
  today: string,
  missing: Set<string>,
): bigint | undefined {
  if (item.planned_cost === null || item.planned_currency === null) return undefined;
  const cents = rates.convert(centsOf(item.planned_cost), item.planned_currency, item.start_date ?? today);
  if (cents === undefined) missing.add(item.planned_currency);
  return cents;
}
