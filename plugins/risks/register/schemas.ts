import { DateOnly, Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Type, Uuid, type Static } from '@lintel/sdk';
import { CARD_ROLES, CATEGORIES, IMPACTS, LEVELS, MaybeOneOf, OneOf, PROBABILITIES } from '../scales.js';
import { STATUSES } from '../moves.js';

const EXAMPLE_ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
export const CARD_ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3c';
const Title = () => Type.String({ minLength: 1, maxLength: 300, pattern: '^(?!\\s*$)[^\\p{Cc}]*$' });

export const CardLinkInput = Strict(
  {
    card_id: Uuid(),
    role: OneOf(CARD_ROLES, {
      description:
        'affected: the risk would harm it; contributing: it is a cause; control_owner: it keeps the risk down.',
    }),
  },
  {
    examples: [{ card_id: CARD_ID, role: 'affected' }],
  },
);
export type CardLinkInput = Static<typeof CardLinkInput>;
export const CardRoleInput = Strict({ role: CardLinkInput.properties.role }, { examples: [{ role: 'contributing' }] });

const fields = {
  title: Title(),
  category: OneOf(CATEGORIES),
  description: Nullable(Type.String({ maxLength: 50_000, description: 'Markdown.' })),
  initial_probability: MaybeOneOf(PROBABILITIES, { description: 'Before anything is done about it.' }),
  initial_impact: MaybeOneOf(IMPACTS),
  residual_probability: MaybeOneOf(PROBABILITIES, { description: 'With what is done about it.' }),
  residual_impact: MaybeOneOf(IMPACTS),
  owner_id: Nullable(Uuid()),
  target_date: Nullable(DateOnly()),
};
const cards = Type.Array(CardLinkInput, { maxItems: 500, description: 'The cards concerned, each once.' });

export const RISK_EXAMPLE = {
  title: 'Unsupported database',
  category: 'technology',
  description: 'The version is out of support since March.',
  initial_probability: 'high',
  initial_impact: 'critical',
  residual_probability: 'medium',
  residual_impact: 'high',
  owner_id: null,
  target_date: '2026-09-30',
} as const;

const { title, category, ...rest } = fields;
export const RiskCreate = Strict(
  { title, category, ...Type.Partial(Type.Object({ ...rest, cards })).properties },
  { examples: [{ ...RISK_EXAMPLE, cards: [{ card_id: CARD_ID, role: 'affected' }] }] },
);
export type RiskCreate = Static<typeof RiskCreate>;
export const RiskPatch = Strict(
  { ...Type.Partial(Type.Object({ ...fields, cards })).properties },
  {
    minProperties: 1,
    description: 'JSON Merge Patch; `cards` is replaced whole, as far as the caller sees them.',
    examples: [{ residual_probability: 'low', target_date: null }],
  },
);
export type RiskPatch = Static<typeof RiskPatch>;

export const TransitionBody = Strict(
  {
    to: OneOf(STATUSES),
    comment: Type.Optional(Type.String({ maxLength: 5_000 })),
    rationale: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 10_000,
        pattern: '\\S',
        description: 'Why; has to be said where a risk is accepted.',
      }),
    ),
    expires_on: Type.Optional(
      Type.String({
        format: 'date',
        description: 'The day an acceptance ends; after today (UTC). Of an acceptance alone.',
      }),
    ),
  },
  { examples: [{ to: 'accepted', rationale: 'Replaced by the new platform in autumn.', expires_on: '2031-12-31' }] },
);
export type TransitionBody = Static<typeof TransitionBody>;

const CardRef = Type.Object({
  id: Uuid(),
  type: Type.String(),
  name: Type.String(),
  status: Type.String({ enum: ['ACTIVE', 'ARCHIVED'] }),
});
const LEVEL = (description: string) => MaybeOneOf(LEVELS, { description });
const CardLink = Type.Object({ card_id: Uuid(), role: CardLinkInput.properties.role, card: CardRef });

export const RiskView = Type.Object(
  {
    id: Uuid(),
    reference: Type.String({ description: 'Given once, without gaps.' }),
    ...fields,
    status: OneOf(STATUSES),
    allowed_transitions: Type.Array(OneOf(STATUSES), { description: 'Where it can go from its status.' }),
    initial_level: LEVEL('By the matrix of the settings.'),
    residual_level: LEVEL('By the matrix of the settings.'),
    level: LEVEL('The residual level, or the initial one where the residual is not judged.'),
    owner: Nullable(Type.Object({ id: Uuid(), display_name: Type.String(), is_active: Type.Boolean() })),
    is_overdue: Type.Boolean({
      description: 'The target date has passed (UTC) and the risk is not yet mitigated, accepted or closed.',
    }),
    acceptance: Nullable(
      Type.Object({
        rationale: Type.String(),
        expires_on: DateOnly(),
        accepted_by: Nullable(Uuid()),
        accepted_at: Timestamp(),
      }),
    ),
    closed_at: Nullable(Timestamp()),
    cards: Type.Array(CardLink, { description: 'Those the caller may see.' }),
    mitigations: Type.Object({ total: Type.Integer(), open: Type.Integer(), overdue: Type.Integer() }),
    created_by: Nullable(Uuid()),
    created_at: Timestamp(),
    updated_at: Timestamp(),
    version: Type.Integer({ minimum: 1 }),
  },
  {
    examples: [
      {
        id: EXAMPLE_ID,
        reference: 'R-000001',
        ...RISK_EXAMPLE,
        status: 'identified',
        allowed_transitions: ['analysed', 'accepted'],
        initial_level: 'critical',
        residual_level: 'high',
        level: 'high',
        owner: null,
        is_overdue: false,
        acceptance: null,
        closed_at: null,
        cards: [
          {
            card_id: CARD_ID,
            role: 'affected',
            card: { id: CARD_ID, type: 'Application', name: 'Billing', status: 'ACTIVE' },
          },
        ],
        mitigations: { total: 1, open: 1, overdue: 0 },
        created_by: null,
        created_at: '2026-01-15T10:00:00.000Z',
        updated_at: '2026-01-15T10:00:00.000Z',
        version: 1,
      },
    ],
  },
);
export type RiskView = Static<typeof RiskView>;
export const RiskPage = Page(RiskView);

export const CardLinkView = Type.Object(
  {
    ...CardLink.properties,
    risk_id: Uuid(),
    version: Type.Integer({ minimum: 1, description: 'Of the risk: links are a part of it.' }),
  },
  {
    examples: [
      {
        card_id: CARD_ID,
        role: 'affected',
        card: { id: CARD_ID, type: 'Application', name: 'Billing', status: 'ACTIVE' },
        risk_id: EXAMPLE_ID,
        version: 2,
      },
    ],
  },
);
export type CardLinkView = Static<typeof CardLinkView>;
export const CardLinkPage = Page(CardLinkView);
export const CardLinkQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('role', 'card_id'),
  role: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: anyOf(CARD_ROLES),
      description: `Any of these by comma: ${CARD_ROLES.join(', ')}.`,
    }),
  ),
});
export type CardLinkQuery = Static<typeof CardLinkQuery>;
export const CardLinkParams = Strict({ id: Uuid(), card_id: Uuid() });

function anyOf(values: readonly string[]): string {
  return `^(${values.join('|')})(,(${values.join('|')}))*$`;
}
const Any = (values: readonly string[], what: string) =>
  Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: anyOf(values),
      description: `${what} Any of these by comma: ${values.join(', ')}.`,
    }),
  );
const Judged = (values: readonly string[], what: string) =>
  Any([...values, 'none'], `${what} \`none\` are those it is not said of.`);
const Day = (what: string) =>
  Type.Optional(Type.String({ format: 'date', description: `${what}, that day (UTC) included.` }));
const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** What narrows lists, metrics and the matrix alike, so that each number has a list that shows what is behind it. */
export const FILTERS = {
  status: Any(STATUSES, 'Status.'),
  category: Any(CATEGORIES, 'Category.'),
  level: Judged(LEVELS, 'The residual level, or the initial one.'),
  initial_level: Judged(LEVELS, 'Initial level.'),
  residual_level: Judged(LEVELS, 'Residual level.'),
  initial_probability: Judged(PROBABILITIES, 'Initial probability.'),
  initial_impact: Judged(IMPACTS, 'Initial impact.'),
  residual_probability: Judged(PROBABILITIES, 'Residual probability.'),
  residual_impact: Judged(IMPACTS, 'Residual impact.'),
  owner: Type.Optional(
    Type.String({
      maxLength: 4_000,
      pattern: `^(me|none|${UUID})(,(me|none|${UUID}))*$`,
      description: 'Ids of users by comma; `me` is the caller, `none` are risks nobody owns.',
    }),
  ),
  card_id: Type.Optional(Uuid({ description: 'Risks that concern the card.' })),
  card_role: Any(CARD_ROLES, 'What that card, or some card, is to the risk.'),
  overdue: Type.Optional(
    Type.Boolean({
      description: 'Whether the target date has passed and the risk is not yet mitigated, accepted or closed.',
    }),
  ),
  created_from: Day('Made from'),
  created_to: Day('Made up to'),
  closed_from: Day('Closed from'),
  closed_to: Day('Closed up to'),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Every word must stand in the reference, the title or the description.',
    }),
  ),
};
export const RiskFilters = Strict(FILTERS);
export type RiskFilters = Static<typeof RiskFilters>;
export const RiskQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('reference', 'title', 'status', 'category', 'level', 'target_date', 'created_at', 'updated_at'),
  ...FILTERS,
});
export type RiskQuery = Static<typeof RiskQuery>;
const { card_id: _card, ...ofCard } = RiskQuery.properties;
export const CardRiskQuery = Strict(ofCard);

export const HistoryQuery = Strict({ ...PageQuery, sort_by: SortBy('at') });
export const HistoryPage = Page(
  Type.Object({
    version: Nullable(
      Type.Integer({ minimum: 1, description: 'The version the change led to; of a deletion, the last one.' }),
    ),
    at: Timestamp(),
    type: Type.String({ description: 'Of the event that tells of the change.' }),
    actor: Nullable(Type.Object({ id: Uuid(), display_name: Type.String() })),
    origin: Type.String({ examples: ['api'] }),
    change_id: Nullable(Uuid({ description: 'Groups all that one request or job changed.' })),
    request_id: Nullable(Type.String()),
    comment: Nullable(Type.String()),
    rationale: Nullable(Type.String()),
    changes: Type.Array(Type.Object({ field: Type.String(), old: Type.Unknown(), new: Type.Unknown() })),
  }),
);
export type HistoryEntry = Static<typeof HistoryPage>['items'][number];
