/**
 * Amounts are integers of cents, rates integers of 10⁻¹⁰: sums and conversions are exact, and are rounded once, where an
 * amount is converted.
 */

/** Digits after the point of a rate. */
export const RATE_DIGITS = 10;
const RATE_UNIT = 10n ** BigInt(RATE_DIGITS);
const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/;

/**
 * A decimal number as an integer of its last digit.
 * @param text such as `-12.5`
 * @param digits after the point
 * @throws RangeError for a text that is no decimal number, or has more digits other than zeros
 */
export function scaled(text: string, digits: number): bigint {
  const [, sign, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined || /[^0]/.test(fraction.slice(digits)))
    throw new RangeError(`${JSON.stringify(text)} is no decimal number with ${digits} digits after the point`);
  const value = BigInt(`${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`);
  return sign === '-' ? -value : value;
}

/** Cents of an amount in its JSON or SQL form. @throws RangeError for more than two digits after the point */
export const centsOf = (amount: string | number): bigint =>
  scaled(typeof amount === 'number' ? amount.toFixed(2) : amount, 2);

/** An amount as JSON has it: a number with two digits after the point. Exact below 10¹³. */
export const amountOf = (cents: bigint): number => Number(cents) / 100;

/**
 * The quotient rounded to an integer, halves away from zero, as `round` of PostgreSQL does with `numeric`.
 * @param divisor positive
 */
export function divided(value: bigint, divisor: bigint): bigint {
  const half = divisor / 2n;
  return (value < 0n ? value - half : value + half) / divisor;
}

/** An amount in another currency, rounded to cents. @param rate as an integer of 10⁻¹⁰ */
export const converted = (cents: bigint, rate: bigint): bigint => divided(cents * rate, RATE_UNIT);
