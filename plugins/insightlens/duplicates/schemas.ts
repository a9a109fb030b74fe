import { OneOf, Page, PageQuery, SortBy, Strict, Type, Uuid, type Static } from '@lintel/sdk';
import { KEEP_REASONS } from './recommendation.js';

const A = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
const B = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3c';

export const DuplicateCluster = Type.Object(
  {
    id: Uuid({ description: 'The smallest id of its cards.' }),
    score: Type.Number({ description: 'The highest score of its pairs, 0 to 100.' }),
    cards: Type.Array(Type.Object({ id: Uuid(), name: Type.String(), type: Type.String() })),
    pairs: Type.Array(
      Type.Object({ finding_id: Uuid(), card_ids: Type.Array(Uuid()), score: Type.Number(), state: Type.String() }),
      { description: 'The findings on which it rests, the most alike first.' },
    ),
    recommendation: Type.Object({
      keep: Uuid({ description: 'The card to keep.' }),
      reasons: Type.Array(OneOf(KEEP_REASONS), { description: 'What it has that others have not.' }),
    }),
  },
  {
    'x-name': 'InsightDuplicateCluster',
    examples: [
      {
        id: A,
        score: 93.4,
        cards: [
          { id: A, name: 'Invoice archive', type: 'Application' },
          { id: B, name: 'Archive for invoices', type: 'Application' },
        ],
        pairs: [{ finding_id: A, card_ids: [A, B], score: 93.4, state: 'pending' }],
        recommendation: { keep: A, reasons: ['most_users', 'best_data_quality'] },
      },
    ],
  },
);
export type DuplicateCluster = Static<typeof DuplicateCluster>;
export const DuplicateClusterPage = Page(DuplicateCluster);

export const DuplicateQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('score'),
  card_id: Type.Optional(Uuid({ description: 'Only the cluster with this card.' })),
});
export type DuplicateQuery = Static<typeof DuplicateQuery>;
