import { Nullable, Type } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { isCurrency } from '../money/rates.js';
import { ratesOf } from '../money/settings.js';

/** The currency of an amount. */
export const Currency = (description = 'ISO 4217. Absent or null in a body: the currency of the workspace.') =>
  Nullable(Type.String({ pattern: '^[A-Z]{3}$', description, examples: ['EUR'] }));

/**
 * What is wrong with the currency of an amount.
 * @param date YYYY-MM-DD, whose rate counts
 */
export function currencyFaults(host: Host, currency: string, date: string): { field: string; reason: string }[] {
  const field = '/currency';
  if (!isCurrency(currency)) return [{ field, reason: 'must be a code of ISO 4217' }];
  const { rates } = ratesOf(host);
  if (rates.on(currency, date) !== undefined) return [];
  return [{ field, reason: `has no exchange rate of ${currency} on or before ${date} in the settings of the module` }];
}
