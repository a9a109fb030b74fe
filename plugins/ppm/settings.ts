import { Strict, Type, type Static } from '@lintel/sdk';

const ExchangeRate = Strict({
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' }),
  date: Type.String({ format: 'date', description: 'First day on which the rate applies.' }),
  rate: Type.String({
    pattern: '^(0\\.[0-9]{0,9}[1-9]|[1-9][0-9]{0,7}(\\.[0-9]{1,10})?)$',
    maxLength: 19,
    description: 'Units of the currency of the workspace for one unit of the currency, as a decimal number.',
  }),
});

export const Settings = Type.Object({
  working_days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    default: [1, 2, 3, 4, 5],
    minItems: 1,
    maxItems: 7,
    uniqueItems: true,
    description: 'Working days of the week by ISO 8601, 1 is Monday. Plans may have their own.',
  }),
  hours_per_day: Type.Number({
    default: 8,
    minimum: 1,
    maximum: 24,
    description: 'Working hours of a person on a working day: the capacity in reports of the load.',
  }),
  exchange_rates: Type.Array(ExchangeRate, {
    default: [],
    maxItems: 5_000,
    description: 'Exchange rates by date; an amount is converted with the latest rate on or before its date.',
  }),
});
export type Settings = Static<typeof Settings>;
