import { Nullable, Type, Uuid, type Static } from '@lintel/sdk';
import { CitedCard, ModelUse, NO_MODEL } from '../models/schemas.js';

const ID = '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21';

export const ExplanationView = Type.Object(
  {
    finding_id: Uuid(),
    statement: Type.String({ description: 'What was found, without a language model.' }),
    explanation: Nullable(
      Type.String({ description: 'Text of the language model; cards are cited as `[C1]`. Null without a model.' }),
    ),
    citations: Type.Array(CitedCard, { description: 'The cards that the explanation cites.' }),
    is_cut: Type.Boolean({ description: 'Whether the explanation ended at the maximum number of tokens.' }),
    model: ModelUse,
  },
  {
    'x-name': 'InsightExplanation',
    examples: [
      {
        finding_id: ID,
        statement: 'An application in use has no owner (medium): Shop (Application).',
        explanation: null,
        citations: [],
        is_cut: false,
        model: NO_MODEL,
      },
    ],
  },
);
export type ExplanationView = Static<typeof ExplanationView>;
