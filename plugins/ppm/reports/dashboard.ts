import { DateOnly, defineReport, Nullable, OneOf, Strict, Type, Uuid, type Picture, type Static } from '@lintel/sdk';
import { HEALTHS } from '../initiatives/schemas.js';
import { ratesOf } from '../money/settings.js';
import { VIEW } from '../permissions.js';
import type { PpmServices } from '../services.js';
import { dashboardPicture } from './dashboard-picture.js';
import { readMilestones, readPortfolio, type AttentionRow, type PortfolioFigures } from './portfolio-repository.js';
import { AREAS, reasonsOf } from './reasons.js';
import { Count, Counted, initiative, initiatives, Named } from './shapes.js';
import { textsOf } from './words/index.js';

const ATTENTION = 25;
const MILESTONES = 15;
const STATES = [...HEALTHS, 'none'] as const;
const Sum = (description: string) => Nullable(Type.Number({ description }));
const amounts = Type.Object({
  currency: Type.String({ description: 'ISO 4217.' }),
  initiatives: Count('Initiatives whose costs the caller may see: the sums are over these.'),
  budget: Sum('Sum of the budgets.'),
  planned: Sum('Sum of the planned amounts of cost lines.'),
  actual: Sum('Sum of the actual amounts of cost lines.'),
  forecast: Sum('Sum of cost lines, actual or planned.'),
  variance: Sum('Budget less forecast: negative where more will be spent.'),
  missing_rates: Type.Array(Type.String(), { description: 'Currencies of lines that are left out without a rate.' }),
  amounts_withheld: Type.Boolean({ description: 'The caller may not see the costs of some of the initiatives.' }),
});
const attention = Type.Object({
  ...Named.properties,
  href: Type.String(),
  health: Nullable(OneOf(HEALTHS)),
  completion: Nullable(Type.Number()),
  end_date: Nullable(DateOnly()),
  late_items: Count(),
  cost_variance: Sum('Budget less forecast; null without a budget, and if amounts are withheld.'),
  amounts_withheld: Type.Boolean(),
  reasons: Type.Array(
    Type.Object({
      area: OneOf(AREAS, { description: 'The reported health, the end of the plan, late items, amounts, or risks.' }),
      text: Type.String({ examples: ['actual 115 % of budget'] }),
      short: Type.Array(Type.String(), { description: 'One or two short lines for a narrow column.' }),
    }),
    { description: 'Why it needs attention, in the language of the request; the weightiest first.' },
  ),
});

const parameters = Strict({});
const answer = Type.Object({
  initiatives: Counted,
  health: Type.Array(Type.Object({ key: OneOf(STATES), label: Type.String(), ...Counted.properties })),
  completion: Type.Object({
    none: Count('Without items of a work breakdown.'),
    not_started: Count(),
    in_progress: Count(),
    complete: Count(),
    average: Nullable(Type.Number({ description: 'Per cent.' })),
  }),
  late: Type.Object({ ...Counted.properties, items: Count('Late items of all initiatives.') }),
  open_risks: Type.Object({ initiatives: Count(), count: Count() }),
  amounts,
  attention: Type.Array(attention, { description: `At most ${ATTENTION} initiatives, the most urgent first.` }),
  milestones: Type.Array(
    Type.Object({ id: Uuid(), title: Type.String(), date: DateOnly(), is_late: Type.Boolean(), initiative: Named }),
    { description: `At most ${MILESTONES} milestones that are not reached, by date.` },
  ),
});
export type Dashboard = Static<typeof answer>;

const cents = (amount: number): number => Math.round(amount * 100) / 100;

function totals({ amounts: sums, total }: PortfolioFigures, currency: string): Dashboard['amounts'] {
  const isNone = sums.initiatives === 0 && total > 0;
  const shown = (amount: number): number | null => (isNone ? null : amount);
  return {
    ...sums,
    currency,
    budget: shown(sums.budget),
    planned: shown(sums.planned),
    actual: shown(sums.actual),
    forecast: shown(sums.forecast),
    variance: shown(cents(sums.budget - sums.forecast)),
    amounts_withheld: sums.initiatives < total,
  };
}

/** How all initiatives stand, which ones need attention and why. */
export const dashboard = defineReport<PpmServices, typeof parameters, typeof answer>({
  id: 'dashboard',
  title: 'Initiatives',
  description:
    'Initiatives by health and completion, budgets and costs, which ones need attention and why, next milestones.',
  permission: VIEW,
  parameters,
  cardFilters: true,
  answer,
  run: ({ host, workingDays }, { ctx, lang, asOf, filters }) =>
    host.inventory.read(ctx, { lang, asOf }, async (inventory): Promise<Dashboard> => {
      const money = ratesOf(host);
      const figures = await readPortfolio(inventory, money, filters, ATTENTION);
      const { today } = inventory;
      const { health: labels } = textsOf(lang);
      const count = await workingDays.counter(figures.attention.map(({ id }) => id));
      const milestones = await readMilestones(inventory, filters, MILESTONES);
      const row = (one: AttentionRow): Dashboard['attention'][number] => ({
        id: one.id,
        name: one.name,
        href: initiative(one.id),
        health: one.health,
        completion: one.completion,
        end_date: one.end_date,
        late_items: one.late_items,
        cost_variance: one.budget === null || one.budget === 0 ? null : cents(one.budget - one.forecast!),
        amounts_withheld: !one.costs_visible,
        reasons: reasonsOf(one, today, count, lang),
      });
      return {
        initiatives: { count: figures.total, href: initiatives(filters) },
        health: STATES.map((key) => ({
          key,
          label: labels[key],
          count: figures.health?.[key] ?? 0,
          href: initiatives(filters, { health: key }),
        })),
        completion: figures.completion,
        late: {
          count: figures.late.initiatives,
          href: initiatives(filters, { late: true }),
          items: figures.late.items,
        },
        open_risks: figures.open_risks,
        amounts: totals(figures, money.rates.currency),
        attention: figures.attention.map(row),
        milestones: milestones.map((one) => ({ ...one, is_late: one.date < today })),
      };
    }),
  tables: ({ attention: rows, health, milestones }, { lang }) => {
    const { picture: words, tables, health: labels } = textsOf(lang);
    return [
      {
        name: words.attention,
        columns: [
          { title: words.initiative, kind: 'text' },
          { title: words.health, kind: 'text' },
          { title: tables.completion, kind: 'number' },
          { title: tables.end, kind: 'date' },
          { title: tables.lateItems, kind: 'number' },
          { title: tables.costVariance, kind: 'number' },
          { title: tables.reasons, kind: 'text' },
        ],
        rows: rows.map((one) => [
          one.name,
          labels[one.health ?? 'none'],
          one.completion,
          one.end_date,
          one.late_items,
          one.cost_variance,
          one.reasons.map(({ text }) => text).join('; '),
        ]),
      },
      {
        name: words.health,
        columns: [
          { title: words.health, kind: 'text' },
          { title: words.initiatives, kind: 'number' },
        ],
        rows: health.map(({ label, count }) => [label, count]),
      },
      {
        name: tables.milestones,
        columns: [
          { title: words.date, kind: 'date' },
          { title: words.milestone, kind: 'text' },
          { title: words.initiative, kind: 'text' },
        ],
        rows: milestones.map(({ date, title, initiative: of }) => [date, title, of.name]),
      },
    ];
  },
  picture: (view, { lang }): Picture => dashboardPicture(view, lang),
});
