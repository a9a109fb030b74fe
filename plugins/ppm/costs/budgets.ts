import { Money, Nullable, OneOf, Type, Uuid, resource } from '@lintel/sdk';
import { initiativesAmong, type Host } from '../basics.js';
import { fiscalYearStart } from '../money/rates.js';
import { CARD_MANAGE, MANAGE, VIEW } from '../permissions.js';
import { planChanged } from '../rollup/queue.js';
import { Currency, currencyFaults } from './currency.js';
import { isFull, MAX_LINES } from './repository.js';

export const CATEGORIES = ['capex', 'opex'] as const;
export const Category = OneOf(CATEGORIES, { description: 'Capital or operating expenditure.' });
export const Description = Nullable(Type.String({ maxLength: 2_000 }));

/** Lines of the budgets of initiatives. */
export const budgets = resource({
  kind: 'ppm_budget',
  table: 'ppm_budgets',
  tag: 'ppm',
  operation: 'PpmBudget',
  label: 'a line of the budget of an initiative',
  labels: 'lines of the budget of an initiative',
  permissions: { view: VIEW, manage: MANAGE },
  card: { field: 'card_id', permission: CARD_MANAGE },
  fixed: ['card_id'],
  fields: {
    card_id: Uuid({ description: 'The initiative.' }),
    fiscal_year: Type.Integer({
      minimum: 1900,
      maximum: 2999,
      description: 'The calendar year in which the fiscal year begins.',
    }),
    category: Category,
    amount: Money({ minimum: 0 }),
    currency: Currency(),
    description: Description,
  },
  unlogged: ['amount', 'currency', 'description'],
  references: { card_id: initiativesAmong },
  filters: { fiscal_year: 'range', category: 'any', currency: 'any' },
  sorts: { fiscal_year: true, amount: true },
  defaultSort: 'fiscal_year',
  example: {
    card_id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b',
    fiscal_year: 2026,
    category: 'capex',
    amount: 250000,
    currency: 'EUR',
    description: 'Licences and servers.',
  },
  prepare: async ({ host: plain, uow, before, next }) => {
    const host = plain as unknown as Host;
    const currency = next.currency ?? host.workspace().currency;
    const isOther = before?.currency !== currency || before.fiscal_year !== next.fiscal_year;
    const date = fiscalYearStart(next.fiscal_year, host.workspace().fiscalYearStart);
    const faults = isOther ? currencyFaults(host, currency, date) : [];
    if (!before && (await isFull(uow, 'ppm_budgets', next.card_id)))
      faults.push({ field: '', reason: `an initiative has at most ${MAX_LINES} of these lines` });
    if (faults.length > 0) throw host.invalid(...faults);
    await planChanged(host, uow, next.card_id);
    return { currency };
  },
  removing: ({ host, uow, before }) => planChanged(host, uow, before!.card_id),
});
export type Budgets = ReturnType<typeof budgets.service>;
