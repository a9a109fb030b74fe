import { DateOnly, Nullable, OneOf, Strict, Type, Uuid, type Static } from '@lintel/sdk';
import { FORECASTS, INTERVALS } from './compute.js';

export const EarnedValueQuery = Strict({
  date: Type.Optional(Type.String({ format: 'date', description: 'The status date; default: today (UTC).' })),
  eac: Type.Optional(
    OneOf(FORECASTS, {
      default: 'cpi',
      description:
        'Formula of the estimate at completion: `cpi` BAC / CPI; `remaining` AC + (BAC − EV); `cpi_spi` AC + (BAC − EV) / (CPI × SPI).',
    }),
  ),
  baseline_id: Type.Optional(
    Uuid({ description: 'Planned dates and costs are those of this baseline; items added since are left out.' }),
  ),
  interval: Type.Optional(
    OneOf(INTERVALS, { description: 'Of the series; default: weeks, or months for more than 400 weeks.' }),
  ),
});
export type EarnedValueQuery = Static<typeof EarnedValueQuery>;

const Amount = (description: string) => Type.Number({ description });
const Index = (description: string) =>
  Nullable(
    Type.Number({
      description: `${description}, rounded to four digits; null if the divisor is 0, and without a basis.`,
    }),
  );

/** What earned value can be computed from. */
const BASES = ['planned_costs', 'none'] as const;

export const EarnedValueView = Type.Object({
  card_id: Uuid(),
  date: DateOnly(),
  currency: Type.String({ description: 'Of the workspace; amounts are converted to it.', examples: ['EUR'] }),
  baseline_id: Nullable(Uuid()),
  basis: OneOf(BASES, {
    description:
      'From what the values are computed: planned costs of items, or nothing, because no item has one above 0. Amounts that follow from them are then 0, indices and estimates are null.',
  }),
  budget: Nullable(
    Amount(
      'Sum of the budget lines of the initiative, for comparison: it has no effect on the values. Null without lines.',
    ),
  ),
  bac: Amount('Budget at completion: the sum of the planned costs of all items.'),
  pv: Amount('Planned value: of each item the share of its planned working days that have passed.'),
  ev: Amount('Earned value: planned costs times completion on the date.'),
  ac: Amount('Actual cost: costs up to the date.'),
  sv: Amount('Schedule variance, EV − PV.'),
  cv: Amount('Cost variance, EV − AC.'),
  spi: Index('EV / PV'),
  cpi: Index('EV / AC'),
  eac: Nullable(Amount('Estimate at completion, by the formula; null if it cannot be computed, and without a basis.')),
  eac_formula: Type.String({ examples: ['EAC = BAC / CPI'] }),
  etc: Nullable(Amount('Estimate to complete, EAC − AC.')),
  vac: Nullable(Amount('Variance at completion, BAC − EAC.')),
  items_without_cost: Type.Integer({
    description: 'Items without a planned cost, other than milestones: they do not count.',
  }),
  missing_rates: Type.Array(Type.String(), {
    description: 'Currencies without an exchange rate on a date; these amounts are left out.',
  }),
  series: Type.Object({
    interval: Nullable(OneOf(INTERVALS, { description: 'Null for plans of more than 400 months.' })),
    points: Type.Array(
      Type.Object({
        date: DateOnly(),
        pv: Amount('At the end of the day.'),
        ev: Nullable(Amount('Null after the status date.')),
        ac: Nullable(Amount('Null after the status date.')),
      }),
      { description: 'Ends of weeks (Sundays) or months, and the last day.' },
    ),
  }),
});
export type EarnedValueView = Static<typeof EarnedValueView>;
