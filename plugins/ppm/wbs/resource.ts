import { DateOnly, Money, Nullable, OneOf, Type, Uuid, resource, type FieldError, type UnitOfWork } from '@lintel/sdk';
import { initiativesAmong, type Host } from '../basics.js';
import { Currency, currencyFaults } from '../costs/currency.js';
import { Assignee } from '../people.js';
import { CARD_MANAGE, MANAGE, VIEW } from '../permissions.js';
import { Calendars } from '../plan/calendars.js';
import { planChanged } from '../rollup/queue.js';
import { CONSTRAINTS } from '../schedule/types.js';
import { constraintFaults, MOST_DAYS, plannedDates } from './dates.js';
import { childrenOf, isExternalTaken, noteProgress } from './repository.js';
import { presentItems } from './views.js';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

/** Fields of an item that callers send. */
export const WBS_FIELDS = {
  parent_id: Nullable(Uuid({ description: 'The item above it; changed by `move`.' })),
  title: Type.String({ minLength: 1, maxLength: 300, pattern: '^(?!\\s*$)[^\\p{Cc}\\uFFFE\\uFFFF]*$' }),
  description: Nullable(Type.String({ maxLength: 20_000, description: 'Markdown.' })),
  is_milestone: Type.Boolean({
    default: false,
    description: 'An event without a duration, at the end of the day of its date.',
  }),
  start_date: Nullable(DateOnly()),
  end_date: Nullable(DateOnly()),
  duration_days: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: MOST_DAYS,
      description: 'Working days. With both dates it follows from the calendar of the plan.',
    }),
  ),
  constraint_type: Nullable(
    OneOf(CONSTRAINTS, { description: 'For the schedule. Null: it starts no earlier than its `start_date`.' }),
  ),
  constraint_date: Nullable(DateOnly()),
  completion: Type.Number({
    minimum: 0,
    maximum: 100,
    default: 0,
    'x-scale': 2,
    description: 'Percent.',
  }),
  planned_cost: Nullable(Money({ minimum: 0, description: 'Null for callers who may not see the costs of the card.' })),
  planned_currency: Currency('ISO 4217; absent or null in a body with `planned_cost`: the currency of the workspace.'),
  assignee_id: Nullable(Uuid({ description: 'A user.' })),
  external_id: Nullable(
    Type.String({ minLength: 1, maxLength: 100, description: 'Of an imported item; unique in the plan.' }),
  ),
};

export const WBS_EXAMPLE = {
  parent_id: null,
  title: 'Move the database',
  description: null,
  is_milestone: false,
  start_date: '2026-03-02',
  end_date: '2026-03-13',
  duration_days: 10,
  constraint_type: null,
  constraint_date: null,
  completion: 40,
  planned_cost: 12000,
  planned_currency: 'EUR',
  assignee_id: null,
  external_id: null,
} as const;

/** Fields of an item with others below it that are computed from these, and cannot be set. */
const COMPUTED = ['start_date', 'end_date', 'duration_days', 'completion', 'planned_cost'] as const;
const DATES = ['is_milestone', 'start_date', 'end_date', 'duration_days'] as const;

/** Items of the work breakdown of initiatives. Writes go through `WbsService`, which locks the plan. */
export const wbs = resource({
  kind: 'ppm_wbs',
  table: 'ppm_wbs',
  tag: 'ppm',
  operation: 'PpmWbsItem',
  label: 'an item of a work breakdown',
  labels: 'items of a work breakdown',
  permissions: { view: VIEW, manage: MANAGE },
  card: { field: 'card_id', permission: CARD_MANAGE },
  fixed: ['card_id'],
  fields: { card_id: Uuid({ description: 'The initiative.' }), ...WBS_FIELDS },
  unlogged: ['planned_cost', 'planned_currency'],
  assigned: { position: Type.Integer() },
  types: { position: 'bigint' },
  hidden: ['position'],
  shown: {
    depth: Type.Integer({ minimum: 0, description: 'Number of items above it.', examples: [2] }),
    outline: Type.String({ description: 'Place in the tree.', examples: ['1.2.3'] }),
    children_count: Type.Integer({
      minimum: 0,
      description:
        'Items directly below it. With some it is a summary: its dates, duration, completion and planned cost, the latter in the currency of the workspace, are computed from them.',
      examples: [0],
    }),
    assignee: Assignee,
    missing_rates: Type.Array(Type.String(), {
      description: 'Currencies without an exchange rate, whose amounts are not in the planned cost of a summary.',
      examples: [[]],
    }),
    amounts_withheld: Type.Boolean({
      description: 'The caller may not see the costs of the card: amounts are null.',
      examples: [false],
    }),
  },
  search: ['title', 'description'],
  references: { card_id: initiativesAmong, assignee_id: 'user' },
  filters: {
    id: {
      schema: Type.String({ maxLength: 10_000, description: 'Ids by comma.' }),
      sql: (value, bind, alias) => `${alias}.id = any(${bind(String(value).split(','))}::uuid[])`,
    },
    parent_id: 'any',
    assignee_id: 'any',
    is_milestone: 'any',
    external_id: 'any',
    start_date: 'range',
    end_date: 'range',
  },
  name: 'title',
  example: { card_id: ID, ...WBS_EXAMPLE },
  async prepare({ host: plain, uow, id, before, next }) {
    const host = plain as unknown as Host;
    const isOther = (field: keyof typeof next): boolean => (before?.[field] ?? null) !== (next[field] ?? null);
    const faults = before ? [] : scaleFaults(next);
    const computed = before ? COMPUTED.filter(isOther) : [];
    if (
      before &&
      (computed.length > 0 || isOther('is_milestone')) &&
      (await childrenOf(uow, next.card_id, id)).length > 0
    ) {
      faults.push(...computed.map((field) => ({ field: `/${field}`, reason: 'is computed from the items below it' })));
      if (next.is_milestone)
        faults.push({ field: '/is_milestone', reason: 'cannot be set of an item with others below it' });
      if (faults.length > 0) throw host.invalid(...faults);
    }
    const dates = DATES.some(isOther) ? await datesOf(host, uow, next, before) : undefined;
    if (dates) faults.push(...dates.faults);
    if (isOther('constraint_type') || isOther('constraint_date'))
      faults.push(...constraintFaults(next.constraint_type, next.constraint_date));
    const cost = costOf(host, next, before);
    faults.push(...cost.faults);
    const { external_id: external } = next;
    if (external !== null && isOther('external_id') && (await isExternalTaken(uow, next.card_id, external, id)))
      faults.push({ field: '/external_id', reason: 'is that of another item of the plan' });
    if (faults.length > 0) throw host.invalid(...faults);
    if (next.completion !== (before?.completion ?? 0)) await noteProgress(uow, id, next.completion);
    await planChanged(plain, uow, next.card_id);
    return { ...dates?.set, planned_currency: cost.currency };
  },
  removing: ({ host, uow, before }) => planChanged(host, uow, before!.card_id),
  present: (rows, ctx, host) => presentItems(rows, ctx, host as unknown as Host),
});
export type Wbs = ReturnType<typeof wbs.service>;

/** Numbers with too many digits; of changed items the resource itself checks them. */
const scaleFaults = (next: { completion: number; planned_cost: number | null }): Omit<FieldError, 'in'>[] =>
  (['completion', 'planned_cost'] as const)
    .filter((field) => Number((next[field] ?? 0).toFixed(2)) !== (next[field] ?? 0))
    .map((field) => ({ field: `/${field}`, reason: 'must have at most 2 digits after the point' }));

type Item = Parameters<typeof plannedDates>[0] & {
  card_id: string;
  planned_cost: number | null;
  planned_currency: string | null;
};

async function datesOf(host: Host, uow: UnitOfWork, next: Item, before: Item | undefined) {
  const calendars = await new Calendars(host).of([next.card_id], uow);
  return plannedDates(next, before, calendars(next.card_id));
}

/** The currency of the planned cost, and what is wrong with it. A new currency needs an exchange rate. */
function costOf(host: Host, next: Item, before: Item | undefined) {
  const field = '/planned_currency';
  if (next.planned_cost === null) {
    const isStray = next.planned_currency !== null && next.planned_currency !== before?.planned_currency;
    return { currency: null, faults: isStray ? [{ field, reason: 'is only for an item with a planned_cost' }] : [] };
  }
  const currency = next.planned_currency ?? host.workspace().currency;
  if (currency === before?.planned_currency) return { currency, faults: [] };
  const date = next.start_date ?? new Date().toISOString().slice(0, 10);
  return { currency, faults: currencyFaults(host, currency, date).map((fault) => ({ ...fault, field })) };
}
