import { RATE_DIGITS } from './decimal.js';
import type { ExchangeRates } from './rates.js';

/** The rate of the currency of the workspace. */
const ONE = `${10n ** BigInt(RATE_DIGITS)}::bigint`;

/** Expressions over the columns of one row: a currency of three letters, and a date. */
export interface Line {
  currency: string;
  date: string;
}

/**
 * Builds SQL of the rate of a line, as `ExchangeRates.on` finds it: an integer of 10⁻¹⁰, null without a rate. The rates are two
 * arrays of the statement, searched by `width_bucket`, so that the time for a row grows with the logarithm of their number.
 * Select it in a lateral subquery with `offset 0`: otherwise it would be computed again wherever it is used.
 * @param bind returns the placeholder of a value
 */
export function rateSql(rates: ExchangeRates, bind: (value: unknown) => string): (line: Line) => string {
  const own = bind(rates.currency);
  const keys = bind([...rates.keys]);
  const values = bind(rates.rates.map(String));
  const letter = (currency: string, place: number): string => `(ascii(substr(${currency}, ${place}, 1)) - 65)`;
  return ({ currency, date }) => {
    const base = `((${letter(currency, 1)} * 676 + ${letter(currency, 2)} * 26 + ${letter(currency, 3)}) * 10000000::bigint)`;
    return `case when ${currency} = ${own}::text then ${ONE} else (
      select case when x.place > 0 and (${keys}::bigint[])[x.place] >= x.base then (${values}::bigint[])[x.place] end
      from (select y.base, width_bucket(y.base + (${date} - date '0001-01-01'), ${keys}::bigint[]) as place
        from (select ${base} as base offset 0) y offset 0) x) end`;
  };
}

/** SQL of an amount in the currency of the workspace, rounded to cents, halves away from zero. @param rate of `rateSql` */
export const convertedSql = (amount: string, rate: string): string =>
  `case when ${rate} = ${ONE} then ${amount} else round(${amount} * ${rate} * 0.0000000001, 2) end`;

/** The same in one expression, for an amount that is converted once; null without a rate. */
export function conversion(
  rates: ExchangeRates,
  bind: (value: unknown) => string,
): (line: Line & { amount: string }) => string {
  const rateOf = rateSql(rates, bind);
  return ({ amount, ...line }) => convertedSql(amount, `(${rateOf(line)})`);
}
