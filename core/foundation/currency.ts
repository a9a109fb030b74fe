/** Currencies of ISO 4217 whose minor unit is not a hundredth: those of CLDR, which Intl has, differ for some. */
const DIGITS: readonly [digits: number, currencies: string][] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];
const BY_CURRENCY = new Map(
  DIGITS.flatMap(([digits, currencies]) => currencies.split(' ').map((currency) => [currency, digits] as const)),
);

/** The digits after the point of amounts in a currency. @param currency code of ISO 4217 */
export const currencyDigits = (currency: string): number => BY_CURRENCY.get(currency) ?? 2;

/** Whether an amount has more digits after the point than permitted. */
export const hasMoreDigits = (amount: number, digits: number): boolean => Number(amount.toFixed(digits)) !== amount;
