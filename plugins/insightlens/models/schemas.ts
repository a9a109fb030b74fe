import { Nullable, OneOf, Type, Uuid, type ModelResult, type Static } from '@lintel/sdk';

const REASONS = [
  'not_configured',
  'no_prices',
  'cap_reached',
  'prompt_too_long',
  'timeout',
  'cancelled',
  'rejected',
  'unavailable',
  'incomplete',
  'too_long',
  'invalid_answer',
] as const;

/** Whether a language model took part, or why not. */
export const ModelUse = Type.Object(
  {
    used: Type.Boolean({ description: 'Whether an answer of the model is part of the result.' }),
    name: Nullable(Type.String()),
    reason: Nullable(OneOf(REASONS, { description: 'Why it was not used; everything else of the result stands.' })),
    detail: Nullable(Type.String()),
    input_tokens: Type.Integer({ minimum: 0 }),
    output_tokens: Type.Integer({ minimum: 0 }),
    cost: Nullable(Type.Number({ description: 'US dollars; null without prices.' })),
  },
  { 'x-name': 'InsightModelUse' },
);
export type ModelUse = Static<typeof ModelUse>;
export const NO_MODEL = {
  used: false,
  name: null,
  reason: 'not_configured',
  detail: 'No language model is set.',
  input_tokens: 0,
  output_tokens: 0,
  cost: 0,
} as const satisfies ModelUse;

export function modelUse(result: ModelResult): ModelUse {
  const { input_tokens, output_tokens, cost } = result.usage;
  const usage = { name: result.model, input_tokens, output_tokens, cost };
  return result.ok
    ? { used: true, reason: null, detail: null, ...usage }
    : { used: false, reason: result.reason, detail: result.detail, ...usage };
}

export const CitedCard = Type.Object(
  {
    ref: Type.String({ description: 'As in the text, in square brackets.', examples: ['C1'] }),
    card_id: Uuid(),
    name: Type.String(),
    type: Type.String(),
  },
  { 'x-name': 'InsightCitation' },
);
export type CitedCard = Static<typeof CitedCard>;
