import { Nullable, OneOf, Page, PageQuery, SortBy, Strict, Timestamp, Type, Uuid, type Static } from '@lintel/sdk';
import { CitedCard, ModelUse, NO_MODEL } from '../models/schemas.js';

const STATES = ['queued', 'running', 'ready', 'failed', 'cancelled', 'committed'] as const;
const KINDS = ['reuse', 'extend', 'buy', 'build'] as const;
const REASONS = [
  'covers_terms',
  'misses_terms',
  'in_use',
  'not_in_use',
  'relations',
  'supports_capability',
  'costs',
  'no_application_fits',
  'supplier_known',
] as const;
const Title = () => Type.String({ minLength: 1, maxLength: 200, pattern: '^(?!\\s*$)[^\\p{Cc}]*$' });
const Ref = () => Type.String({ minLength: 1, maxLength: 40, pattern: '^[A-Za-z0-9_-]+$' });
const Fit = () =>
  Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Share of the terms of the requirement, weighted by their rarity.',
  });
const Terms = () => Type.Array(Type.String(), { description: 'Words of the requirement.' });

export const ProposalCreate = Strict(
  {
    requirement: Type.String({
      minLength: 3,
      maxLength: 10_000,
      pattern: '\\S',
      description: 'What is needed, as text.',
    }),
    title: Type.Optional(Title()),
    use_model: Type.Optional(Type.Boolean({ default: true, description: 'Whether the language model may be asked.' })),
  },
  { 'x-name': 'InsightProposalCreate', examples: [{ requirement: 'Customers pay invoices online.' }] },
);
export type ProposalCreate = Static<typeof ProposalCreate>;

const End = Strict({ ref: Type.Optional(Ref()), id: Type.Optional(Uuid()) }, { minProperties: 1, maxProperties: 1 });
export const ChangeSet = Strict(
  {
    cards: Type.Array(
      Strict({
        ref: Ref(),
        type: Type.String({ minLength: 1, maxLength: 64 }),
        name: Title(),
        subtype: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
        description: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
        lifecycle: Type.Optional(Type.Record(Type.String(), Type.String({ format: 'date' }), { maxProperties: 20 })),
        attributes: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { maxProperties: 200 })),
      }),
      { maxItems: 50, description: 'Cards that are created.' },
    ),
    relations: Type.Array(Strict({ type: Type.String({ minLength: 1, maxLength: 64 }), source: End, target: End }), {
      maxItems: 200,
      description:
        'Relations that are created between these cards (`ref`) and existing ones (`id`); existing ones stay.',
    }),
  },
  { 'x-name': 'InsightChangeSet' },
);
export type ChangeSet = Static<typeof ChangeSet>;

export const ProposalPatch = Strict(
  {
    title: Type.Optional(Title()),
    option_id: Type.Optional(
      Type.String({
        maxLength: 10,
        description: 'One of `design.options`: the change set becomes that of this option.',
      }),
    ),
    change_set: Type.Optional(ChangeSet),
    refresh: Type.Optional(
      Type.Literal(true, {
        description:
          'Takes the cards that the proposal names as they are now: it can be committed though they were changed.',
      }),
    ),
  },
  { minProperties: 1, 'x-name': 'InsightProposalPatch', examples: [{ title: 'Online payment' }] },
);
export type ProposalPatch = Static<typeof ProposalPatch>;
export const ProposalCommit = Strict(
  {
    with_decision: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether a draft decision is created, where the module `adr` is enabled.',
      }),
    ),
  },
  { 'x-name': 'InsightProposalCommit', examples: [{ with_decision: true }] },
);

const CardMatch = Type.Object({ card_id: Uuid(), type: Type.String(), fit: Fit(), terms: Terms() });
const Reason = Type.Object({
  code: OneOf(REASONS),
  card_id: Type.Optional(Uuid()),
  value: Type.Optional(Type.Unknown()),
});
export const DesignView = Type.Object({
  capabilities: Type.Array(CardMatch, { description: 'Business capabilities that match, the best first.' }),
  cards: Type.Array(CardMatch, { description: 'Other existing cards that match, the best first.' }),
  options: Type.Array(
    Type.Object({
      id: Type.String({ examples: ['O1'] }),
      kind: OneOf(KINDS),
      card_ids: Type.Array(Uuid(), { description: 'Existing cards that it uses.' }),
      score: Type.Number({ description: 'By which the options are ordered.' }),
      reasons: Type.Array(Reason, { description: 'Facts; those that the reader may not see are left out.' }),
    }),
    { description: 'The best first.' },
  ),
  gaps: Type.Object({
    terms: Terms(),
    capability_ids: Type.Array(Uuid(), { description: 'Matching capabilities that no matching application supports.' }),
    has_no_capability: Type.Boolean(),
  }),
  dependencies: Nullable(
    Type.Object(
      { cards: Type.Array(Type.Object({ card_id: Uuid(), depth: Type.Integer() })), is_truncated: Type.Boolean() },
      { description: 'Cards around those of the best option; null if the caller may not see relations.' },
    ),
  ),
});

const ID = '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21';
const summary = {
  id: Uuid(),
  title: Type.String(),
  requirement: Type.String(),
  state: OneOf(STATES),
  asked_by: Uuid(),
  created_at: Timestamp(),
  finished_at: Nullable(Timestamp()),
  version: Type.Integer({ minimum: 1 }),
};
const EXAMPLE = {
  id: ID,
  title: 'Online payment',
  requirement: 'Customers pay invoices online.',
  state: 'queued',
  asked_by: ID,
  created_at: '2026-01-15T10:00:00.000Z',
  finished_at: null,
  version: 1,
};
export const ProposalSummary = Type.Object(summary, { 'x-name': 'InsightProposalSummary', examples: [EXAMPLE] });
export type ProposalSummary = Static<typeof ProposalSummary>;
export const ProposalPage = Page(ProposalSummary);

export const ProposalView = Type.Object(
  {
    ...summary,
    design: Nullable(DesignView),
    named_cards: Type.Array(
      Type.Object({
        id: Uuid(),
        name: Type.String(),
        type: Type.String(),
        status: Type.String(),
        is_changed: Type.Boolean({
          description:
            'Whether it was changed since the proposal was made or refreshed. Where `change_set` names it, the proposal is not committed before it is refreshed.',
        }),
      }),
      { description: 'The cards that the proposal names, as they are now.' },
    ),
    advice: Nullable(
      Type.Object(
        {
          summary: Type.String(),
          options: Type.Array(Type.Object({ id: Type.String(), reason: Type.String() })),
          risks: Type.Array(Type.String()),
          citations: Type.Array(CitedCard),
        },
        { description: 'What the language model adds; it changes neither options nor change set.' },
      ),
    ),
    model: Nullable(ModelUse),
    change_set: Nullable(ChangeSet),
    option_id: Nullable(
      Type.String({
        description: 'The option whose change set it is; null before it is made, and after it was edited.',
      }),
    ),
    error: Nullable(Type.Object({ code: Type.String(), detail: Type.String() })),
    outcome: Nullable(
      Type.Object({
        initiative_id: Nullable(Uuid()),
        cards: Type.Array(Type.Object({ ref: Type.String(), id: Uuid() })),
        relation_ids: Type.Array(Uuid()),
        adr: Nullable(Type.Object({ id: Uuid(), number: Type.String() })),
        adr_reason: Nullable(OneOf(['not_wanted', 'no_module'], { description: 'Why there is no draft decision.' })),
      }),
    ),
    committed_by: Nullable(Uuid()),
    committed_at: Nullable(Timestamp()),
  },
  {
    'x-name': 'InsightProposal',
    examples: [
      {
        ...EXAMPLE,
        design: null,
        named_cards: [],
        advice: null,
        model: NO_MODEL,
        change_set: null,
        option_id: null,
        error: null,
        outcome: null,
        committed_by: null,
        committed_at: null,
      },
    ],
  },
);
export type ProposalView = Static<typeof ProposalView>;

export const ProposalQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('created_at'),
  state: Type.Optional(OneOf(STATES)),
});
export type ProposalQuery = Static<typeof ProposalQuery>;
