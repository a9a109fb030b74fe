import type { Host } from '../basics.js';
import { ExchangeRates } from './rates.js';

const known = new WeakMap<object, ExchangeRates>();

/** The current exchange rates, and the month in which the fiscal year begins, from 1. */
export function ratesOf(host: Host): { rates: ExchangeRates; fiscalYearStart: number } {
  const { exchange_rates: list } = host.settings();
  const { currency, fiscalYearStart } = host.workspace();
  let rates = known.get(list);
  if (rates?.currency !== currency) known.set(list, (rates = new ExchangeRates(currency, list)));
  return { rates, fiscalYearStart };
}
