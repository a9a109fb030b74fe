import { Type, type Static } from 'typebox';
import { Nullable, OneOf, Page, PageQuery, SortBy, Strict, Timestamp, Uuid } from '../foundation/http/schemas.js';

const STATES = ['open', 'done', 'failed'] as const;
const Tokens = () => Nullable(Type.Integer({ minimum: 0 }));

export const AiUsageView = Type.Object(
  {
    month: Type.String({ description: 'UTC, YYYY-MM.' }),
    spent: Type.Number({
      description: 'US dollars of requests that have ended, with the upper bound where the usage is not known.',
    }),
    reserved: Type.Number({ description: 'US dollars at most of requests under way.' }),
    monthly_spend_cap: Nullable(Type.Number()),
    calls: Type.Integer({ minimum: 0 }),
    input_tokens: Type.Number({ minimum: 0 }),
    output_tokens: Type.Number({ minimum: 0 }),
  },
  {
    examples: [
      {
        month: '2026-01',
        spent: 1.25,
        reserved: 0,
        monthly_spend_cap: 50,
        calls: 310,
        input_tokens: 410_000,
        output_tokens: 52_000,
      },
    ],
  },
);
export type AiUsageView = Static<typeof AiUsageView>;

const call = {
  id: Uuid(),
  module: Type.String(),
  purpose: Type.String(),
  user_id: Nullable(Uuid()),
  provider: Type.String(),
  model: Type.String(),
  state: OneOf(STATES, { description: '`open`: under way.' }),
  reason: Nullable(Type.String({ description: 'Why it has failed.' })),
  detail: Nullable(Type.String({ description: 'What the provider said; null after `log_retention_days`.' })),
  cost: Nullable(
    Type.Number({
      description:
        'US dollars; null without prices. Of a request whose node was killed: its upper bound, since the provider may have answered it.',
    }),
  ),
  input_tokens: Tokens(),
  output_tokens: Tokens(),
  is_estimated: Type.Boolean({
    description: 'Whether the provider did not report the usage: it is then an upper bound.',
  }),
  attempts: Type.Integer({ minimum: 0 }),
  created_at: Timestamp(),
  finished_at: Nullable(Timestamp()),
};
const EXAMPLE = {
  id: '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21',
  module: 'insightlens',
  purpose: 'explain',
  user_id: null,
  provider: 'openai',
  model: 'gpt-4o-mini',
  state: 'done',
  reason: null,
  detail: null,
  cost: 0.0004,
  input_tokens: 900,
  output_tokens: 210,
  is_estimated: false,
  attempts: 1,
  created_at: '2026-01-15T10:00:00.000Z',
  finished_at: '2026-01-15T10:00:02.000Z',
};
export const AiCallView = Type.Object(call, { 'x-name': 'AiCall', examples: [EXAMPLE] });
export type AiCallView = Static<typeof AiCallView>;
export const AiCallPage = Page(AiCallView);
export const AiCallDetail = Type.Object(
  {
    ...call,
    prompt: Nullable(Type.String({ description: 'Null after `log_retention_days`.' })),
    answer: Nullable(Type.String({ description: 'As the model has written it, unchecked.' })),
  },
  { 'x-name': 'AiCallDetail', examples: [{ ...EXAMPLE, prompt: '[]', answer: 'Two applications have no owner.' }] },
);
export type AiCallDetail = Static<typeof AiCallDetail>;

export const AiCallQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('created_at'),
  module: Type.Optional(Type.String({ maxLength: 64 })),
  state: Type.Optional(OneOf(STATES)),
});
export type AiCallQuery = Static<typeof AiCallQuery>;
