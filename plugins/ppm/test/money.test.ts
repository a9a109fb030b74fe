import t from 'tap';
import { amountOf, centsOf, divided, scaled } from '../money/decimal.js';
import { ExchangeRates, fiscalYearStart, isCurrency } from '../money/rates.js';

t.test('decimal numbers as integers', async (t) => {
  t.equal(scaled('12.5', 2), 1250n);
  t.equal(scaled('-0.01', 2), -1n);
  t.equal(scaled('1.0900000000', 10), 10_900_000_000n);
  t.equal(scaled('3.1000', 2), 310n, 'zeros behind the last digit');
  for (const text of ['', '1.', '.5', '1e3', '0x1', '1.005', 'NaN', ' 1'])
    t.throws(() => scaled(text, 2), RangeError, text);
  // 1.1 * 3 is 3.3000000000000003 as a float, and 0.1 + 0.2 is not 0.3.
  t.equal(centsOf(0.1) + centsOf(0.2), 30n);
  t.equal(amountOf(centsOf('999999999999.99')), 999_999_999_999.99);
  t.strictSame(
    [5n, -5n, 4n, -4n, 15n, 0n].map((value) => divided(value, 10n)),
    [1n, -1n, 0n, 0n, 2n, 0n],
    'halves are rounded away from zero',
  );
});

t.test('the latest rate on or before the date', async (t) => {
  const rates = new ExchangeRates('EUR', [
    { currency: 'USD', date: '2026-03-01', rate: '0.95' },
    { currency: 'USD', date: '2026-01-01', rate: '0.9' },
    { currency: 'CHF', date: '2025-06-15', rate: '1.0712345678' },
  ]);
  const at = (currency: string, date: string) => rates.convert(10_000n, currency, date);
  t.equal(at('USD', '2025-12-31'), undefined, 'not that of another currency');
  t.equal(at('USD', '2026-01-01'), 9000n);
  t.equal(at('USD', '2026-02-28'), 9000n);
  t.equal(at('USD', '2026-03-01'), 9500n);
  t.equal(at('USD', '2999-12-31'), 9500n);
  t.equal(at('CHF', '2025-06-14'), undefined);
  t.equal(at('CHF', '2026-01-01'), 10_712n);
  t.equal(at('EUR', '0001-01-01'), 10_000n, 'the currency of the workspace needs no rate');
  t.equal(at('ZZZ', '2026-01-01'), undefined);
  t.equal(new ExchangeRates('EUR', []).convert(1n, 'USD', '2026-01-01'), undefined);
  t.equal(fiscalYearStart(2026, 4), '2026-04-01');
  t.ok(isCurrency('EUR') && isCurrency('JPY') && !isCurrency('EUX') && !isCurrency('eur'));
});
