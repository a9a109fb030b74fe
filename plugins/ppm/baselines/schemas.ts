import { DateOnly, Nullable, OneOf, Strict, Timestamp, Type, Uuid, type Static } from '@lintel/sdk';

export const BaselineParams = Strict({ card_id: Uuid(), id: Uuid() });
export const DIFFERENCES = ['added', 'removed', 'changed', 'unchanged'] as const;
/** What is compared, besides whether the item exists. */
export const COMPARED = [
  'title',
  'parent_id',
  'is_milestone',
  'start_date',
  'finish_date',
  'duration_days',
  'planned_cost',
] as const;

export const CompareQuery = Strict({
  unchanged: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether items without differences are listed too.' }),
  ),
  most: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, default: 1_000, description: 'Maximum number of items listed.' }),
  ),
});
export type CompareQuery = Static<typeof CompareQuery>;

const Days = (description: string) => Type.Integer({ description: `Working days. ${description}` });
const Amount = Type.Optional(
  Nullable(Type.Number({ description: 'Only for callers who may see the costs of the initiative.' })),
);
const State = Type.Object({
  title: Type.String(),
  parent_id: Nullable(Uuid()),
  is_milestone: Type.Boolean(),
  start_date: Nullable(DateOnly()),
  finish_date: Nullable(DateOnly()),
  duration_days: Nullable(Type.Integer()),
  completion: Type.Number({ minimum: 0, maximum: 100 }),
  planned_cost: Amount,
  planned_currency: Type.Optional(Nullable(Type.String())),
});
export type ComparedState = Static<typeof State>;

export const CompareView = Type.Object({
  baseline: Type.Object({ id: Uuid(), name: Type.String(), created_at: Timestamp() }),
  summary: Type.Object({
    added: Type.Integer(),
    removed: Type.Integer(),
    changed: Type.Integer(),
    unchanged: Type.Integer(),
    baseline_finish: Nullable(DateOnly()),
    finish: Nullable(DateOnly()),
    finish_difference: Nullable(Days('Positive if the plan now finishes later.')),
    baseline_planned_cost: Type.Optional(Nullable(Type.Number({ description: 'In the currency of the workspace.' }))),
    planned_cost: Type.Optional(Nullable(Type.Number())),
    missing_rates: Type.Optional(
      Type.Array(Type.String(), { description: 'Currencies without an exchange rate; their amounts are left out.' }),
    ),
  }),
  amounts_withheld: Type.Boolean({ description: 'Whether amounts are left out because the caller may not see them.' }),
  truncated: Type.Boolean(),
  items: Type.Array(
    Type.Object({
      id: Uuid(),
      outline: Nullable(Type.String({ description: 'In the plan of now; null for removed items.' })),
      difference: OneOf(DIFFERENCES),
      changed: Type.Array(OneOf(COMPARED)),
      start_difference: Nullable(Days('Positive if the item now starts later.')),
      finish_difference: Nullable(Days('Positive if the item now finishes later.')),
      before: Nullable(State),
      now: Nullable(State),
    }),
    { description: 'Items of now in the order of the tree, then removed ones.' },
  ),
});
export type CompareView = Static<typeof CompareView>;
