import type { ExchangeRates } from './rates.js';

/** Expressions over the columns of one row. */
export interface Line {
  /** `numeric(16, 2)` or null. */
  amount: string;
  /** Three letters. */
  currency: string;
  /** A date. */
  date: string;
}

/**
 * Builds SQL that converts amounts as `ExchangeRates.convert` does. The rates are two arrays of the statement, searched by
 * `width_bucket`, so that the time for a row grows with the logarithm of their number.
 * @param bind returns the placeholder of a value
 * @returns a function: SQL of a line's amount in the currency of the workspace, rounded to cents; null without a rate
 */
export function conversion(rates: ExchangeRates, bind: (value: unknown) => string): (line: Line) => string {
  const own = bind(rates.currency);
  if (rates.keys.length === 0)
    return ({ amount, currency }) => `case when ${currency} = ${own}::text then ${amount} end`;
  const keys = bind([...rates.keys]);
  const values = bind(rates.rates.map(String));
  const letter = (currency: string, place: number): string => `(ascii(substr(${currency}, ${place}, 1)) - 65)`;
  return ({ amount, currency, date }) => {
    const base = `((${letter(currency, 1)} * 676 + ${letter(currency, 2)} * 26 + ${letter(currency, 3)}) * 10000000::bigint)`;
    return `case when ${currency} = ${own}::text then ${amount} else (select round(${amount} * (${values}::bigint[])[x.place] * 0.0000000001, 2)
      from (select width_bucket(${base} + (${date} - date '0001-01-01'), ${keys}::bigint[]) as place) x
      where x.place > 0 and (${keys}::bigint[])[x.place] >= ${base}) end`;
  };
}
