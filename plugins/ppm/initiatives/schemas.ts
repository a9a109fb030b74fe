import {
  AnyOf,
  DateOnly,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  SortBy,
  Timestamp,
  Type,
  Uuid,
  type ListParams,
  type Static,
  type TObject,
} from '@lintel/sdk';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
export const HEALTHS = ['on_track', 'at_risk', 'off_track'] as const;
export const Health = OneOf(HEALTHS);
const Count = (description?: string) => Type.Integer({ minimum: 0, ...(description !== undefined && { description }) });
export const Amount = (description: string) =>
  Nullable(
    Type.Number({ description: `${description}, in the currency of the workspace; null if amounts are withheld.` }),
  );

export const HealthView = Type.Object(
  {
    schedule: Health,
    cost: Health,
    scope: Health,
    overall: OneOf(HEALTHS, { description: 'The worst of the three.' }),
    report_date: DateOnly(),
  },
  { description: 'Of the latest status report.', 'x-name': 'PpmHealth' },
);
export const Milestone = Type.Object(
  { id: Uuid(), title: Type.String(), date: DateOnly(), completion: Type.Number({ minimum: 0, maximum: 100 }) },
  { 'x-name': 'PpmNextMilestone' },
);
const AMOUNTS = {
  currency: Type.String({ description: 'ISO 4217, of all amounts: that of the workspace.' }),
  budget: Amount('Sum of the budget lines'),
  planned: Amount('Sum of the planned amounts of cost lines'),
  actual: Amount('Sum of the actual amounts of cost lines'),
  forecast: Amount('Sum of cost lines: the actual amount of a line, or the planned one if there is none'),
  missing_rates: Type.Array(Type.String(), {
    description:
      'Currencies of lines that the sums leave out, because the settings have no exchange rate for their date.',
  }),
  amounts_withheld: Type.Boolean({ description: 'The caller may not see the costs of the initiative.' }),
};
const ITEM = {
  id: Uuid(),
  name: Type.String(),
  subtype: Nullable(Type.String()),
  status: Type.String({ examples: ['ACTIVE'] }),
  parent_id: Nullable(Uuid()),
  start_date: Nullable(DateOnly()),
  end_date: Nullable(DateOnly()),
  completion: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'Of the lowest items of the work breakdown, weighted by working days; null without items.',
    }),
  ),
  items: Count('The lowest items of the work breakdown.'),
  late_items: Count('Items that should have been complete before today (UTC).'),
  health: Nullable(HealthView),
  open_risks: Type.Object({ count: Count(), highest_score: Nullable(Type.Integer()) }, { 'x-name': 'PpmOpenRisks' }),
  next_milestones: Type.Array(Milestone, { description: 'At most 5 that are not reached, by date.' }),
  ...AMOUNTS,
};
const EXAMPLE = {
  id: ID,
  name: 'New shop',
  subtype: 'project',
  status: 'ACTIVE',
  parent_id: null,
  start_date: '2026-01-05',
  end_date: '2026-09-30',
  completion: 42.5,
  items: 24,
  late_items: 1,
  health: { schedule: 'at_risk', cost: 'on_track', scope: 'on_track', overall: 'at_risk', report_date: '2026-04-01' },
  open_risks: { count: 2, highest_score: 12 },
  next_milestones: [{ id: ID, title: 'Go-live', date: '2026-09-30', completion: 0 }],
  currency: 'EUR',
  budget: 250000,
  planned: 240000,
  actual: 98000.5,
  forecast: 251000,
  missing_rates: [],
  amounts_withheld: false,
};
export const InitiativeItem = Type.Object(ITEM, { 'x-name': 'PpmInitiativeItem', examples: [EXAMPLE] });
export type InitiativeItem = Static<typeof InitiativeItem>;
export const InitiativePage = Page(InitiativeItem);

const ROLLED_UP = OneOf(['costBudget', 'costActual', 'startDate', 'endDate']);
export const InitiativeView = Type.Object(
  {
    ...ITEM,
    children: Type.Array(InitiativeItem, {
      description: 'The first 200 active initiatives directly below it; their figures are not part of its own.',
    }),
    counts: Type.Object({
      status_reports: Count(),
      wbs: Count(),
      tasks: Count(),
      open_tasks: Count(),
      dependencies: Count(),
      risks: Count(),
      baselines: Count(),
    }),
    card_roll_up: Type.Object(
      {
        fields: Type.Array(ROLLED_UP, { description: 'Fields of the card that are computed from the plan.' }),
        pending: Nullable(
          Type.Boolean({ description: 'The card has not been compared with the plan since its last change.' }),
        ),
        written_at: Nullable(Timestamp()),
      },
      {
        description:
          'Values that are written to the card, at most every 5 seconds. If amounts are withheld, `pending` and `written_at` are null.',
      },
    ),
  },
  { 'x-name': 'PpmInitiative' },
);
export type InitiativeView = Static<typeof InitiativeView>;

/** Sorts by figures; those by amounts are for callers who see all of them. */
export const AMOUNT_SORTS = ['budget', 'planned', 'actual', 'forecast'] as const;
export const SORTS = ['name', 'completion', 'start_date', 'end_date', 'late_items', 'health', 'open_risks'] as const;

const OWN = {
  health: Type.Optional(AnyOf([...HEALTHS, 'none'])),
  late: Type.Optional(Type.Boolean({ description: 'Whether items are late.' })),
};
/** The query of the list. @param filters those of `GET /cards` */
export function initiativeQuery(filters: TObject): TObject {
  const { properties, ...rules } = filters;
  const { type: _type, ...others } = properties;
  return Type.Object({ ...PageQuery, sort_by: SortBy(...SORTS, ...AMOUNT_SORTS), ...others, ...OWN }, rules) as never;
}
export type InitiativeQuery = ListParams & {
  health?: string;
  late?: boolean;
} & Record<string, string | number | boolean | undefined>;
