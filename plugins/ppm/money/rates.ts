import { converted, RATE_DIGITS, scaled } from './decimal.js';

/** A rate of the settings: units of the currency of the workspace for one unit of `currency`, from `date` on. */
export interface ExchangeRate {
  /** ISO 4217. */
  currency: string;
  /** YYYY-MM-DD. */
  date: string;
  /** A positive decimal number. */
  rate: string;
}

const DAY_MS = 86_400_000;
/** Days are below this, so that the key of a currency and a day is one number. */
const DAYS = 10_000_000;
const FIRST_DAY = Date.parse('0001-01-01');
const A = 65;

/** A number for each code of three letters. */
const codeOf = (currency: string): number =>
  [...currency].reduce((code, letter) => code * 26 + (letter.charCodeAt(0) - A), 0);
/** A key that sorts by currency, then by day. */
const keyOf = (currency: string, date: string): number =>
  codeOf(currency) * DAYS + (Date.parse(date) - FIRST_DAY) / DAY_MS;

/**
 * Exchange rates by date: an amount is converted with the latest rate on or before its date. Amounts in the currency of the
 * workspace need none.
 */
export class ExchangeRates {
  /** Sorted; `rates` has the rate at the same index. */
  readonly keys: readonly number[];
  /** Integers of 10⁻¹⁰. */
  readonly rates: readonly bigint[];

  /** @param currency of the workspace */
  constructor(
    readonly currency: string,
    list: readonly ExchangeRate[],
  ) {
    const sorted = list
      .map(({ currency: from, date, rate }) => ({ key: keyOf(from, date), rate: scaled(rate, RATE_DIGITS) }))
      .sort((a, b) => a.key - b.key);
    this.keys = sorted.map(({ key }) => key);
    this.rates = sorted.map(({ rate }) => rate);
  }

  /**
   * The rate on a day, as an integer of 10⁻¹⁰; undefined if there is none on or before it.
   * @param date YYYY-MM-DD
   */
  on(currency: string, date: string): bigint | undefined {
    if (currency === this.currency) return 10n ** BigInt(RATE_DIGITS);
    const key = keyOf(currency, date);
    let [low, high] = [0, this.keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.keys[middle]! <= key) low = middle + 1;
      else high = middle;
    }
    const found = this.keys[low - 1];
    return found !== undefined && found >= codeOf(currency) * DAYS ? this.rates[low - 1] : undefined;
  }

  /** Cents in the currency of the workspace, rounded; undefined without a rate. @param date YYYY-MM-DD */
  convert(cents: bigint, currency: string, date: string): bigint | undefined {
    if (currency === this.currency) return cents;
    const rate = this.on(currency, date);
    return rate === undefined ? undefined : converted(cents, rate);
  }
}

/** The day on which the fiscal year begins that is named by the calendar year of its first day. @param month from 1 */
export const fiscalYearStart = (year: number, month: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;

/** The codes of ISO 4217 that the Unicode data of Node.js has, historic ones included. */
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
/** Whether a text is a currency code of ISO 4217. */
export const isCurrency = (code: string): boolean => CODES.has(code);
