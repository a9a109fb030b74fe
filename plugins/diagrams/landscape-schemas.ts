import { Nullable, OneOf, Strict, Type, Uuid, type Static } from '@lintel/sdk';
import { CARD_EXAMPLE, CardView, DiagramView, Lang } from './schemas.js';

const Key = Type.String({ minLength: 1, maxLength: 100 });
const OTHER = { id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3d', type: 'ITComponent', name: 'PostgreSQL', status: 'ACTIVE' };
const RELATION_ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3e';

const RelationChange = Type.Object(
  {
    source: CardView,
    target: CardView,
    type: Nullable(Type.String({ description: 'The key of a relation type, if the edge names one.' })),
    relation_id: Nullable(Type.String({ description: 'The relation, if the edge names one.' })),
    label: Type.String(),
    cell_ids: Type.Array(Type.String(), { description: 'The edges in the version that has them.' }),
  },
  { 'x-name': 'DiagramRelationChange' },
);

export const DiffQuery = Strict({
  with: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The number of the version to compare with.' }),
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The later version. Default: the current one.' }),
  ),
});
export type DiffQuery = Static<typeof DiffQuery>;

const Counts = Type.Object({
  pages: Type.Integer({ minimum: 0 }),
  cells: Type.Integer({ minimum: 0, description: 'Shapes and edges.' }),
  shapes: Type.Integer({ minimum: 0, description: 'Shapes of cards that the caller sees.' }),
});

export const DiagramDiff = Type.Object(
  {
    from: Type.Integer({ minimum: 1 }),
    to: Type.Integer({ minimum: 1 }),
    cards: Type.Object({ added: Type.Array(CardView), removed: Type.Array(CardView) }),
    relations: Type.Object({ added: Type.Array(RelationChange), removed: Type.Array(RelationChange) }),
    counts: Type.Object({ from: Counts, to: Counts }),
    is_truncated: Type.Boolean({ description: 'Each list has at most 1,000 items.' }),
  },
  {
    examples: [
      {
        from: 1,
        to: 2,
        cards: { added: [CARD_EXAMPLE], removed: [] },
        relations: { added: [], removed: [] },
        counts: { from: { pages: 1, cells: 1, shapes: 1 }, to: { pages: 1, cells: 2, shapes: 2 } },
        is_truncated: false,
      },
    ],
  },
);
export type DiagramDiff = Static<typeof DiagramDiff>;

const NewRelation = Strict({ type: Key, source_id: Uuid(), target_id: Uuid() });
export const ProposeBody = Strict(
  {
    relations: Type.Optional(
      Type.Array(NewRelation, {
        minItems: 1,
        maxItems: 500,
        description: 'Candidates to create, with the rights of the caller; all or none.',
      }),
    ),
  },
  { examples: [{ relations: [{ type: 'app_to_itc', source_id: CARD_EXAMPLE.id, target_id: OTHER.id }] }] },
);
export type ProposeBody = Static<typeof ProposeBody>;

export const Proposals = Type.Object(
  {
    proposals: Type.Array(
      Type.Object({
        source: CardView,
        target: CardView,
        label: Type.String({ description: 'Of the first of the edges that has one.' }),
        edges: Type.Array(Type.Object({ page: Type.Integer({ minimum: 0 }), cell_id: Type.String() })),
        candidates: Type.Array(
          Type.Object({
            type: Type.String(),
            label: Type.String(),
            source_id: Uuid(),
            target_id: Uuid(),
            is_reverse: Type.Boolean({ description: 'Whether it goes against the direction of the edge.' }),
            matches_label: Type.Boolean({ description: 'Whether the edge has the label of the type.' }),
          }),
          {
            description:
              'Relation types of the metamodel between cards of these types, the most likely first. Empty if there are none.',
          },
        ),
      }),
      {
        description:
          'Edges between shapes of cards that have no relation yet, one entry for each pair of cards; the first 500.',
      },
    ),
    is_truncated: Type.Boolean(),
    created: Type.Array(Type.Object({ id: Uuid(), type: Type.String(), source_id: Uuid(), target_id: Uuid() }), {
      description: 'The relations that the request created.',
    }),
  },
  {
    examples: [
      {
        proposals: [
          {
            source: CARD_EXAMPLE,
            target: OTHER,
            label: 'runs on',
            edges: [{ page: 0, cell_id: '7' }],
            candidates: [
              {
                type: 'app_to_itc',
                label: 'uses',
                source_id: CARD_EXAMPLE.id,
                target_id: OTHER.id,
                is_reverse: false,
                matches_label: false,
              },
            ],
          },
        ],
        is_truncated: false,
        created: [{ id: RELATION_ID, type: 'app_to_itc', source_id: CARD_EXAMPLE.id, target_id: OTHER.id }],
      },
    ],
  },
);
export type Proposals = Static<typeof Proposals>;

export const MatchBody = Strict(
  {
    types: Type.Optional(
      Type.Array(Key, { minItems: 1, maxItems: 50, description: 'Card types to propose. Default: all.' }),
    ),
    min_score: Type.Optional(
      Type.Number({
        minimum: 0.3,
        maximum: 1,
        default: 0.5,
        description: 'Lowest score of a candidate; 1: equal names.',
      }),
    ),
    matches: Type.Optional(
      Type.Array(
        Strict({
          page: Type.Integer({ minimum: 0, maximum: 499 }),
          cell_id: Type.String({ minLength: 1, maxLength: 1_000 }),
          card_id: Uuid(),
        }),
        {
          minItems: 1,
          maxItems: 1_000,
          description: 'Accepted matches: references to these cards are written into the shapes, as a new version.',
        },
      ),
    ),
  },
  { examples: [{ matches: [{ page: 0, cell_id: '7', card_id: CARD_EXAMPLE.id }] }] },
);
export type MatchBody = Static<typeof MatchBody>;

export const Matches = Type.Object(
  {
    proposals: Type.Array(
      Type.Object({
        page: Type.Integer({ minimum: 0 }),
        cell_id: Type.String(),
        text: Type.String(),
        candidates: Type.Array(
          Type.Object({
            card: CardView,
            score: Type.Number({
              minimum: 0,
              maximum: 1,
              description: '1: the names are equal except for case and accents.',
            }),
          }),
        ),
      }),
      { description: 'Shapes that are of no card, and cards with similar names, the best first.' },
    ),
    is_truncated: Type.Boolean({
      description: 'Whether the drawing has more than 1,000 such shapes, or more than 200 different labels.',
    }),
    applied: Type.Integer({ minimum: 0, description: 'Matches that were written.' }),
    version: Type.Integer({ minimum: 1, description: 'Of the diagram.' }),
    content_version: Type.Integer({ minimum: 1 }),
  },
  {
    examples: [
      {
        proposals: [{ page: 0, cell_id: '7', text: 'Biling', candidates: [{ card: CARD_EXAMPLE, score: 0.7 }] }],
        is_truncated: false,
        applied: 0,
        version: 1,
        content_version: 1,
      },
    ],
  },
);
export type Matches = Static<typeof Matches>;

export const GenerateBody = Strict(
  {
    root_card_id: Uuid({ description: 'The card in the middle.' }),
    depth: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 4, default: 2, description: 'Relations from the root card.' }),
    ),
    direction: Type.Optional(OneOf(['downstream', 'upstream', 'both'] as const, { default: 'both' })),
    types: Type.Optional(
      Type.Array(Key, {
        minItems: 1,
        maxItems: 50,
        description: 'Card types besides that of the root card. Default: all.',
      }),
    ),
    relation_types: Type.Optional(Type.Array(Key, { minItems: 1, maxItems: 100, description: 'Default: all.' })),
    layout: Type.Optional(
      OneOf(['right', 'down'] as const, { default: 'right', description: 'Direction of the layers.' }),
    ),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 300, pattern: '^(?!\\s*$)[^\\p{Cc}]*$' })),
    group_id: Type.Optional(Nullable(Uuid())),
    lang: Type.Optional(
      Lang('Language of the labels of types and relations, BCP 47; default: the first one of the workspace.'),
    ),
    save: Type.Optional(
      Type.Boolean({
        default: true,
        description: '`false`: the file is returned as `content`, and nothing is stored.',
      }),
    ),
  },
  { examples: [{ root_card_id: CARD_EXAMPLE.id, depth: 2, layout: 'right' }] },
);
export type GenerateBody = Static<typeof GenerateBody>;

export const Generated = Type.Object(
  {
    diagram: Nullable(DiagramView),
    content: Nullable(Type.String({ description: 'The draw.io file, if it was not stored.' })),
    card_count: Type.Integer({ minimum: 1 }),
    relation_count: Type.Integer({ minimum: 0 }),
    truncated: Type.Boolean({
      description: 'There are more than 300 cards or 400 relations; the nearest cards are shown.',
    }),
  },
  {
    examples: [
      {
        diagram: null,
        content: '<mxfile host="lintel"></mxfile>',
        card_count: 12,
        relation_count: 14,
        truncated: false,
      },
    ],
  },
);
export type Generated = Static<typeof Generated>;
