import { LANGUAGE_TAG, Nullable, OneOf, Strict, Type, Uuid, type Static, type TSchema } from '@lintel/sdk';
import { CARD_ROLES, CATEGORIES, IMPACTS, KINDS, LEVELS, MaybeOneOf, PROBABILITIES } from '../scales.js';
import { STATUSES } from '../moves.js';
import { CARD_ID, risks } from '../register/resource.js';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
const COUNTED = {
  count: Type.Integer({ minimum: 0 }),
  href: Type.String({ description: 'The list of the counted risks.' }),
};
const Counted = Type.Object(COUNTED, { 'x-name': 'RiskCount' });
const filter = <T>(name: string) => Type.Optional(Type.Unsafe<T>(risks.filters[name] as TSchema));
const NARROWED = {
  category: filter<string>('category'),
  owner: filter<string>('owner'),
  card_id: filter<string>('card_id'),
  card_role: filter<string>('card_role'),
  search: filter<string>('search'),
};

export const MetricsQuery = Strict({
  ...NARROWED,
  months: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 60,
      default: 12,
      description: 'Months of the trend, the current one included.',
    }),
  ),
});
export type MetricsQuery = Static<typeof MetricsQuery>;

const count = (href: string, n = 1) => ({ count: n, href: `/api/v1/risks${href}` });
export const MetricsView = Type.Object(
  {
    total: Counted,
    open: Counted,
    overdue: Counted,
    by_status: Type.Array(Type.Object({ key: OneOf(STATUSES), ...COUNTED })),
    by_level: Type.Array(
      Type.Object({
        key: MaybeOneOf(LEVELS, { description: 'null for those not judged.' }),
        label: Nullable(Type.String()),
        ...COUNTED,
      }),
    ),
    by_category: Type.Array(Type.Object({ key: OneOf(CATEGORIES), ...COUNTED })),
    by_owner: Type.Array(
      Type.Object({ owner: Nullable(Type.Object({ id: Uuid(), display_name: Type.String() })), ...COUNTED }),
      { description: 'Owners with the most risks first, 100 at most.' },
    ),
    owners: Type.Integer({ description: 'How many users own risks.' }),
    trend: Type.Array(
      Type.Object({ month: Type.String({ pattern: '^\\d{4}-\\d{2}$' }), opened: Counted, closed: Counted }),
      { description: 'Entered and closed by month (UTC); a reopened risk is not counted as closed.' },
    ),
  },
  {
    examples: [
      {
        total: count(''),
        open: count('?status=identified'),
        overdue: count('?overdue=true', 0),
        by_status: [{ key: 'identified', ...count('?status=identified') }],
        by_level: [{ key: 'high', label: 'High', ...count('?level=high') }],
        by_category: [{ key: 'security', ...count('?category=security') }],
        by_owner: [{ owner: null, ...count('?owner=none') }],
        owners: 0,
        trend: [
          {
            month: '2026-01',
            opened: count('?created_from=2026-01-01&created_to=2026-01-31'),
            closed: count('?closed_from=2026-01-01&closed_to=2026-01-31', 0),
          },
        ],
      },
    ],
  },
);
export type MetricsView = Static<typeof MetricsView>;

export const MatrixQuery = Strict({
  kind: Type.Optional(OneOf(KINDS, { default: 'residual', description: 'Which of the two judgements.' })),
  format: Type.Optional(OneOf(['json', 'svg'] as const, { default: 'json' })),
  lang: Type.Optional(
    Type.String({
      pattern: LANGUAGE_TAG,
      maxLength: 35,
      description: 'Language of the image, BCP 47; default: the first one of the workspace.',
      examples: ['en'],
    }),
  ),
  status: Type.Optional(
    Type.String({
      ...risks.filters['status'],
      description: `Any of these by comma: ${STATUSES.join(', ')}; default: all except closed.`,
    }),
  ),
  ...NARROWED,
  overdue: filter<boolean>('overdue'),
});
export type MatrixQuery = Static<typeof MatrixQuery>;

const Step = <T extends string>(keys: readonly T[]) =>
  Type.Object({ key: OneOf(keys), label: Type.String(), definition: Type.String() });
const Cell = Type.Object({
  impact: OneOf(IMPACTS),
  level: OneOf(LEVELS),
  ...COUNTED,
  risks: Type.Array(Type.Object({ id: Uuid(), reference: Type.String(), title: Type.String() }), {
    description: 'The first eight.',
  }),
});
export const MatrixView = Type.Object(
  {
    kind: OneOf(KINDS),
    total: Counted,
    not_judged: Counted,
    probabilities: Type.Array(Step(PROBABILITIES)),
    impacts: Type.Array(Step(IMPACTS)),
    levels: Type.Array(
      Type.Object({ key: OneOf(LEVELS), label: Type.String(), color: Type.String(), count: Type.Integer() }),
    ),
    rows: Type.Array(Type.Object({ probability: OneOf(PROBABILITIES), cells: Type.Array(Cell) }), {
      description: 'Highest probability first; in a row the highest impact first.',
    }),
  },
  {
    examples: [
      {
        kind: 'residual',
        total: count(''),
        not_judged: count('?residual_level=none', 0),
        probabilities: [{ key: 'high', label: 'High', definition: 'Expected within a year.' }],
        impacts: [{ key: 'high', label: 'High', definition: 'A core process stands still.' }],
        levels: [{ key: 'high', label: 'High', color: '#e5802d', count: 1 }],
        rows: [
          {
            probability: 'high',
            cells: [
              {
                impact: 'high',
                level: 'high',
                ...count('?residual_probability=high&residual_impact=high'),
                risks: [{ id: ID, reference: 'R-000001', title: 'Unsupported database' }],
              },
            ],
          },
        ],
      },
    ],
  },
);
export type MatrixView = Static<typeof MatrixView>;

export const PropagationQuery = Strict({
  direction: Type.Optional(
    OneOf(['downstream', 'upstream', 'both'] as const, {
      default: 'downstream',
      description: 'downstream follows relations from source to target, upstream from target to source.',
    }),
  ),
  depth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 6,
      default: 3,
      description: 'Relations from a card of the risk to the farthest ones.',
    }),
  ),
});
export type PropagationQuery = Static<typeof PropagationQuery>;
const CardName = { id: Uuid(), type: Type.String(), name: Type.String() };
export const PropagationView = Type.Object(
  {
    risk_id: Uuid(),
    origins: Type.Array(Type.Object({ ...CardName, role: OneOf(CARD_ROLES), status: Type.String() }), {
      description: 'Cards of the risk it spreads from: affected and contributing ones.',
    }),
    cards: Type.Array(
      Type.Object({
        ...CardName,
        depth: Type.Integer({ minimum: 1 }),
        origin_id: Uuid({ description: 'The card of the risk that is nearest.' }),
        path: Type.Array(Uuid(), { description: 'Ids of the relations from there on.' }),
        via: Type.Array(Uuid(), { description: 'Ids of the cards between, from there on.' }),
      }),
      { description: 'The cards reached, nearest first, without those of the risk itself.' },
    ),
    relations: Type.Array(Type.Object({ id: Uuid(), type: Type.String(), source_id: Uuid(), target_id: Uuid() }), {
      description: 'Every relation followed.',
    }),
    truncated: Type.Boolean({ description: 'The result is incomplete because of its limits.' }),
  },
  {
    examples: [
      {
        risk_id: ID,
        origins: [{ id: CARD_ID, type: 'Application', name: 'Billing', role: 'affected', status: 'ACTIVE' }],
        cards: [{ id: ID, type: 'ITComponent', name: 'Database', depth: 1, origin_id: CARD_ID, path: [ID], via: [] }],
        relations: [{ id: ID, type: 'applicationToITComponent', source_id: CARD_ID, target_id: ID }],
        truncated: false,
      },
    ],
  },
);
export type PropagationView = Static<typeof PropagationView>;
