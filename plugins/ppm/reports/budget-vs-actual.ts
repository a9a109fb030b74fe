import {
  defineReport,
  OneOf,
  Strict,
  Type,
  type BarsPicture,
  type Picture,
  type PictureLabel,
  type Static,
} from '@lintel/sdk';
import { CATEGORIES } from '../costs/budgets.js';
import { ratesOf } from '../money/settings.js';
import { VIEW } from '../permissions.js';
import type { PpmServices } from '../services.js';
import { readBudgetVsActual, type Sums } from './budget-vs-actual-repository.js';
import { COLORS, Count, initiative, money, Named } from './shapes.js';
import { textsOf } from './words/index.js';

const ROWS = 2_000;
const INITIATIVES = 15;
/** Of the picture. */
const SHOWN = 6;
const YEARS = 6;
const Amount = (description?: string) => Type.Number(description === undefined ? {} : { description });
const SUMS = {
  budget: Amount(),
  planned: Amount(),
  actual: Amount(),
  forecast: Amount('Cost lines: the actual amount of a line, or the planned one if there is none.'),
  variance: Amount('Budget less forecast: negative where more will be spent.'),
};
const parameters = Strict({
  fiscal_year: Type.Optional(
    Type.Integer({
      minimum: 1900,
      maximum: 2999,
      description: 'The calendar year in which the fiscal year begins; default: all.',
    }),
  ),
  category: Type.Optional(OneOf(CATEGORIES)),
});
const answer = Type.Object({
  currency: Type.String({ description: 'ISO 4217: that of the workspace, of all amounts.' }),
  totals: Type.Object(SUMS),
  initiatives: Count('Initiatives with amounts.'),
  years: Type.Array(Type.Object({ fiscal_year: Type.Integer(), ...SUMS })),
  by_initiative: Type.Array(Type.Object({ ...Named.properties, href: Type.String(), ...SUMS }), {
    description: `At most ${INITIATIVES} initiatives, those with the largest budgets first.`,
  }),
  rows: Type.Array(
    Type.Object({ ...Named.properties, fiscal_year: Type.Integer(), category: OneOf(CATEGORIES), ...SUMS }),
    { description: `By initiative, fiscal year and category; at most ${ROWS}.` },
  ),
  truncated: Type.Boolean({ description: 'There are more rows; totals and years include them.' }),
  missing_rates: Type.Array(Type.String(), { description: 'Currencies of lines that are left out without a rate.' }),
  amounts_withheld: Type.Boolean({
    description: 'The caller may not see the costs of some initiatives: they are not included.',
  }),
});
type Answer = Static<typeof answer>;

const withVariance = <T extends Sums>(sums: T): T & { variance: number } => ({
  ...sums,
  variance: Math.round((sums.budget - sums.forecast) * 100) / 100,
});

function picture(view: Answer, lang: string): Picture {
  const { totals, years, by_initiative, currency } = view;
  const inCurrency = money(lang, currency);
  const { budget: words, picture: common } = textsOf(lang);
  const shown = ({ budget, actual, forecast }: Sums): string =>
    words.amounts(inCurrency(budget), inCurrency(actual), inCurrency(forecast));
  // Bars of a category are stacked: the budget and the costs of a row are two bars beside each other.
  const bars = (rows: readonly (Sums & PictureLabel)[]): BarsPicture => {
    const values = (of: (row: Sums) => number, place: number): (number | null)[] =>
      rows.flatMap((row) => [0, 1].map((at) => (at === place ? Math.max(0, of(row)) : null)));
    return {
      kind: 'bars',
      categories: rows.flatMap(({ label, href }) => [
        { label: words.budgetOf(label), href },
        { label: words.costsOf(label), href },
      ]),
      series: [
        { label: words.budget, color: COLORS.budget, values: values(({ budget }) => budget, 0) },
        { label: common.actual, color: COLORS.actual, values: values(({ actual }) => actual, 1) },
        {
          label: words.stillForecast,
          color: COLORS.forecast,
          values: values(({ actual, forecast }) => forecast - Math.max(0, actual), 1),
        },
      ],
      unit: currency,
    };
  };
  return {
    title: words.title,
    subtitle: shown(totals),
    description: years.map((year) => `${year.fiscal_year}: ${shown(year)}`).join('; '),
    notes: [
      ...(view.amounts_withheld ? [words.withheld] : []),
      ...(view.missing_rates.length > 0 ? [words.noRates(view.missing_rates.join(', '))] : []),
    ],
    content: {
      kind: 'panels',
      panels: [
        {
          title: common.figures,
          isWide: true,
          picture: {
            kind: 'figures',
            figures: [
              { label: words.budget, value: inCurrency(totals.budget) },
              { label: common.actual, value: inCurrency(totals.actual) },
              { label: common.forecast, value: inCurrency(totals.forecast) },
              { label: words.variance, value: inCurrency(totals.variance), note: words.varianceNote },
            ],
          },
        },
        {
          title: words.byYear,
          isWide: true,
          picture: bars(years.slice(-YEARS).map((year) => ({ ...year, label: String(year.fiscal_year) }))),
        },
        {
          title: words.byInitiative,
          isWide: true,
          picture: bars(by_initiative.slice(0, SHOWN).map((row) => ({ ...row, label: row.name }))),
        },
      ],
    },
  };
}

/** Budgets, planned, actual and forecast costs by initiative, fiscal year and category. */
export const budgetVsActual = defineReport<PpmServices, typeof parameters, typeof answer>({
  id: 'budget-vs-actual',
  title: 'Budget and actual costs',
  description: 'Budgets, planned, actual and forecast costs of initiatives by fiscal year and category.',
  permission: VIEW,
  parameters,
  cardFilters: true,
  answer,
  run: ({ host }, { ctx, lang, asOf, filters, parameters: { fiscal_year, category } }) =>
    host.inventory.read(ctx, { lang, asOf }, async (inventory): Promise<Answer> => {
      inventory.demandCosts();
      const sources = ratesOf(host);
      const most = { rows: ROWS, initiatives: INITIATIVES };
      const found = await readBudgetVsActual(inventory, sources, filters, { fiscal_year, category }, most);
      return {
        currency: sources.rates.currency,
        totals: withVariance(found.totals),
        initiatives: found.initiatives,
        years: found.by_year.map(withVariance),
        by_initiative: found.by_initiative.map((row) => ({ ...withVariance(row), href: initiative(row.id) })),
        rows: found.rows.map(withVariance),
        truncated: found.total_rows > found.rows.length,
        missing_rates: found.missing_rates,
        amounts_withheld: found.withheld,
      };
    }),
  tables: ({ rows, currency }, { lang }) => {
    const { budget: words, picture: common } = textsOf(lang);
    const amounts = [words.budget, words.planned, common.actual, common.forecast, words.variance];
    return [
      {
        name: words.title,
        columns: [
          { title: common.initiative, kind: 'text' },
          { title: words.year, kind: 'number' },
          { title: words.category, kind: 'text' },
          ...amounts.map((title) => ({ title: `${title} (${currency})`, kind: 'number' as const })),
        ],
        rows: rows.map((row) => [
          row.name,
          row.fiscal_year,
          row.category,
          row.budget,
          row.planned,
          row.actual,
          row.forecast,
          row.variance,
        ]),
      },
    ];
  },
  picture: (view, { lang }) => picture(view, lang),
});
