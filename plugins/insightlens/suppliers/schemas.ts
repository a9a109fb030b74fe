import { Nullable, OneOf, Page, PageQuery, SortBy, Strict, Timestamp, Type, Uuid, type Static } from '@lintel/sdk';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
const OTHER = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3c';
const STATES = ['proposed', 'confirmed'] as const;

const row = {
  id: Uuid(),
  name: Type.String({
    description:
      'Given by people, to those who see all its names; otherwise that of its card, or the most frequent one.',
  }),
  state: OneOf(STATES, { description: 'Whether people have confirmed which names belong to it.' }),
  cards: Type.Integer({ minimum: 0, description: 'Number of cards that are this supplier.' }),
  spellings: Type.Integer({ minimum: 0, description: 'Number of different names.' }),
  dependants: Type.Integer({ minimum: 0, description: 'Number of cards that have a relation to it or name it.' }),
  spend: Nullable(
    Type.Number({
      description: 'Sum of the costs of these cards, in the currency of the workspace; null if no costs are visible.',
    }),
  ),
  share: Nullable(Type.Number({ description: 'Share of the spend on all suppliers, 0 to 1.' })),
  decided_by: Nullable(Uuid()),
  decided_at: Nullable(Timestamp()),
  version: Type.Integer({ minimum: 1 }),
};
const example = {
  id: ID,
  name: 'Acme',
  state: 'proposed',
  cards: 2,
  spellings: 3,
  dependants: 14,
  spend: 120_000,
  share: 0.12,
  decided_by: null,
  decided_at: null,
  version: 1,
};

export const SupplierRow = Type.Object(row, { 'x-name': 'InsightSupplierRow', examples: [example] });
export type SupplierRow = Static<typeof SupplierRow>;
export const SupplierPage = Page(SupplierRow);

export const SupplierQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('spend', 'dependants', 'name'),
  state: Type.Optional(OneOf(STATES)),
  search: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'In one of its names; case is ignored.' }),
  ),
  card_id: Type.Optional(Uuid({ description: 'A card that is, names or depends on the supplier.' })),
});
export type SupplierQuery = Static<typeof SupplierQuery>;

const CardOf = Type.Object({ id: Uuid(), name: Type.String(), type: Type.String() });
const REASONS = [
  'same_words',
  'word_order',
  'misspelling',
  'romanisation',
  'descriptor',
  'alias',
  'stated',
  'decision',
] as const;

export const SupplierView = Type.Object(
  {
    ...row,
    currency: Type.String({ description: 'Of the spend: ISO 4217.' }),
    names: Type.Array(
      Type.Object({
        key: Type.String({ description: 'The name without legal form, country, accents and case.' }),
        spellings: Type.Array(Type.String()),
        count: Type.Integer({ description: 'Number of cards.' }),
        reason: Nullable(
          OneOf(REASONS, {
            description: 'Why it is a name of this supplier, compared with the most frequent one; null for that one.',
          }),
        ),
        score: Nullable(Type.Number({ description: '0 to 1.' })),
      }),
    ),
    supplier_cards: Type.Array(CardOf, { description: 'Cards that are this supplier, at most 200.' }),
    lock_in: Type.Object(
      {
        score: Nullable(
          Type.Number({
            description:
              '0 to 100: 100 · Σ w·(1 − r) / Σ w over the cards that depend on it. w: criticality, from the number of options for the first one to 1; r: share of the capabilities of the card that a card of no or another supplier supports too, 0 without capabilities. Null without cards.',
          }),
        ),
        by_criticality: Type.Array(
          Type.Object({
            key: Nullable(Type.String()),
            label: Nullable(Type.String()),
            count: Type.Integer(),
            irreplaceable: Type.Integer(),
          }),
        ),
      },
      {
        description:
          'What depends on it: how critical it is, and whether there is something else. `irreplaceable`: r is 0.',
      },
    ),
    dependent_cards: Type.Array(
      Type.Object({
        id: Uuid(),
        name: Type.String(),
        type: Type.String(),
        criticality: Nullable(Type.String()),
        replaceable: Type.Number({ description: 'r, 0 to 1.' }),
        cost: Nullable(Type.Number()),
      }),
      { description: 'The most critical ones first, at most 200.' },
    ),
  },
  {
    'x-name': 'InsightSupplier',
    examples: [
      {
        ...example,
        currency: 'EUR',
        names: [
          { key: 'acme', spellings: ['Acme', 'ACME Inc.'], count: 12, reason: null, score: null },
          { key: 'acmee', spellings: ['Acmee'], count: 1, reason: 'misspelling', score: 0.93 },
        ],
        supplier_cards: [{ id: OTHER, name: 'Acme', type: 'Provider' }],
        lock_in: {
          score: 62.5,
          by_criticality: [{ key: 'missionCritical', label: 'Mission critical', count: 3, irreplaceable: 2 }],
        },
        dependent_cards: [
          { id: ID, name: 'Shop', type: 'Application', criticality: 'missionCritical', replaceable: 0, cost: 50_000 },
        ],
      },
    ],
  },
);
export type SupplierView = Static<typeof SupplierView>;

export const SupplierNode = Type.Object({
  id: Uuid(),
  name: Type.String(),
  dependants: Type.Integer(),
  spend: Nullable(Type.Number()),
  share: Nullable(Type.Number()),
  parent_id: Nullable(Uuid()),
  evidence: Nullable(
    OneOf(['hierarchy', 'known_owner', 'name_and_shared_cards'], { description: 'Why it is below its parent.' }),
  ),
});
export type SupplierNode = Static<typeof SupplierNode>;
const Concentration = Type.Object({
  hhi: Nullable(
    Type.Number({
      description:
        'Herfindahl index: the sum of the squares of the shares of all suppliers, from 1/n to 1. Null without figures.',
    }),
  ),
  effective_suppliers: Nullable(
    Type.Number({ description: '1 / hhi: so many suppliers with equal shares have this index.' }),
  ),
  largest_share: Nullable(Type.Number()),
});

export const SupplierTree = Type.Object(
  {
    items: Type.Array(SupplierNode, {
      description: 'Parents before their children; those with the most dependent cards, at most 2,000.',
    }),
    truncated: Type.Boolean(),
    currency: Type.String(),
    total_spend: Nullable(Type.Number({ description: 'A card of two suppliers counts for both.' })),
    concentration: Type.Object({
      by_spend: Concentration,
      by_dependants: Concentration,
    }),
  },
  {
    'x-name': 'InsightSupplierTree',
    examples: [
      {
        items: [
          { id: ID, name: 'Acme', dependants: 14, spend: 120_000, share: 0.6, parent_id: null, evidence: null },
          {
            id: OTHER,
            name: 'Acme Cloud',
            dependants: 3,
            spend: 80_000,
            share: 0.4,
            parent_id: ID,
            evidence: 'hierarchy',
          },
        ],
        truncated: false,
        currency: 'EUR',
        total_spend: 200_000,
        concentration: {
          by_spend: { hhi: 0.52, effective_suppliers: 1.92, largest_share: 0.6 },
          by_dependants: { hhi: 0.71, effective_suppliers: 1.41, largest_share: 0.82 },
        },
      },
    ],
  },
);
export type SupplierTree = Static<typeof SupplierTree>;

const Keys = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { maxItems: 200, uniqueItems: true });
export const SupplierChange = Strict(
  {
    state: Type.Optional(OneOf(STATES)),
    name: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }))),
    merge: Type.Optional(
      Type.Array(Uuid(), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description: 'Suppliers whose names become names of this one.',
      }),
    ),
    split: Type.Optional(
      Strict(
        {
          keys: Type.Optional(Keys),
          card_ids: Type.Optional(Type.Array(Uuid(), { maxItems: 200, uniqueItems: true })),
          name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })),
        },
        { description: 'Names and cards of this supplier that become another supplier.' },
      ),
    ),
  },
  {
    minProperties: 1,
    'x-name': 'InsightSupplierChange',
    description: 'Every change confirms which names that the caller sees belong to the supplier.',
    examples: [{ state: 'confirmed' }, { merge: [OTHER] }, { split: { keys: ['acme air'] } }],
  },
);
export type SupplierChange = Static<typeof SupplierChange>;
