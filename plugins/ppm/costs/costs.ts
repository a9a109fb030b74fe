import { DateOnly, Money, Nullable, Uuid, resource } from '@lintel/sdk';
import { initiativesAmong, type Host } from '../basics.js';
import { CARD_MANAGE, MANAGE, VIEW } from '../permissions.js';
import { planChanged } from '../rollup/queue.js';
import { Category, Description } from './budgets.js';
import { Currency, currencyFaults } from './currency.js';
import { isFull, isItemOf, MAX_LINES } from './repository.js';

/** Cost lines of initiatives: what is planned and what was spent at a date. */
export const costs = resource({
  kind: 'ppm_cost',
  table: 'ppm_costs',
  tag: 'ppm',
  operation: 'PpmCost',
  label: 'a cost line of an initiative',
  labels: 'cost lines of an initiative',
  permissions: { view: VIEW, manage: MANAGE },
  card: { field: 'card_id', permission: CARD_MANAGE },
  fixed: ['card_id'],
  fields: {
    card_id: Uuid({ description: 'The initiative.' }),
    wbs_id: Nullable(Uuid({ description: 'The item of the work breakdown that causes them.' })),
    description: Description,
    category: Category,
    planned: Money({ minimum: 0, default: 0 }),
    actual: Money({ default: 0, description: 'Below zero: a refund.' }),
    currency: Currency(),
    date: DateOnly(),
  },
  unlogged: ['planned', 'actual', 'currency', 'description'],
  references: { card_id: initiativesAmong },
  filters: { wbs_id: 'any', category: 'any', currency: 'any', date: 'range' },
  sorts: { date: true, planned: true, actual: true },
  defaultSort: 'date',
  example: {
    card_id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b',
    wbs_id: null,
    description: 'Consulting in January.',
    category: 'opex',
    planned: 18000,
    actual: 19250.5,
    currency: 'EUR',
    date: '2026-01-31',
  },
  prepare: async ({ host: plain, uow, before, next }) => {
    const host = plain as unknown as Host;
    const currency = next.currency ?? host.workspace().currency;
    const isOther = before?.currency !== currency || before.date !== next.date;
    const faults = isOther ? currencyFaults(host, currency, next.date) : [];
    const isMoved = next.wbs_id !== null && before?.wbs_id !== next.wbs_id;
    if (isMoved && !(await isItemOf(uow, next.wbs_id!, next.card_id)))
      faults.push({ field: '/wbs_id', reason: 'names no item of the work breakdown of this initiative' });
    if (!before && (await isFull(uow, 'ppm_costs', next.card_id)))
      faults.push({ field: '', reason: `an initiative has at most ${MAX_LINES} of these lines` });
    if (faults.length > 0) throw host.invalid(...faults);
    await planChanged(host, uow, next.card_id);
    return { currency };
  },
  removing: ({ host, uow, before }) => planChanged(host, uow, before!.card_id),
});
export type Costs = ReturnType<typeof costs.service>;
