import { Type, type Static } from 'typebox';
import { Nullable, Strict, OneOf } from '../foundation/http/schemas.js';
import { SecretInput, SecretView } from './section-schemas.js';

const PROVIDERS = ['none', 'openai', 'azure', 'anthropic', 'ollama', 'vllm'] as const;
export type Provider = (typeof PROVIDERS)[number];

const Price = (what: string) =>
  Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1_000,
      description: `US dollars per 1,000 tokens ${what}; \`null\`: unknown, or 0 for ollama and vllm.`,
    }),
  );

const properties = {
  provider: OneOf(PROVIDERS, {
    description:
      '`none`: disabled. `openai`, `ollama` and `vllm` use the API of OpenAI, as do compatible providers with another `base_url`.',
  }),
  base_url: Nullable(
    Type.String({
      maxLength: 500,
      pattern: '^https?://[^\\s/?#@\\\\]+(?:/[^\\s?#\\\\]*)?$',
      description:
        'Base URL of its API, without the path of a call; required for azure, ollama and vllm. An address that is not public must be in OUTBOUND_ALLOW.',
      examples: ['https://api.openai.com/v1'],
    }),
  ),
  model: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[A-Za-z0-9][A-Za-z0-9._:/@-]*$',
      description: 'Name of the model; for azure the deployment.',
      examples: ['gpt-4o-mini'],
    }),
  ),
  api_version: Nullable(
    Type.String({
      pattern: '^\\d{4}-\\d\\d-\\d\\d(?:-preview)?$',
      description: 'Only for azure; default: 2024-10-21.',
    }),
  ),
  timeout_seconds: Type.Integer({ minimum: 1, maximum: 600, description: 'Timeout of one call.' }),
  monthly_spend_cap: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000,
      description:
        'Limit in US dollars per calendar month (UTC), after which no call is made; `null` for no limit. It needs both prices.',
    }),
  ),
  input_price: Price('of the prompt'),
  output_price: Price('of the answer'),
  max_output_tokens: Type.Integer({
    minimum: 1,
    maximum: 32_000,
    description: 'Maximum number of tokens of an answer.',
  }),
  token_limit: Nullable(
    OneOf(['max_tokens', 'max_completion_tokens'], {
      description:
        'The parameter with this maximum, of APIs like that of OpenAI. `null`: `max_completion_tokens` for openai without `base_url`, else `max_tokens`.',
    }),
  ),
  log_retention_days: Type.Integer({
    minimum: 0,
    maximum: 365,
    description: 'Days for which prompts and answers are kept; 0: they are not stored.',
  }),
};

export const AiValues = Type.Object(properties);
export type AiValues = Static<typeof AiValues>;

export const AiView = Type.Object(
  { ...properties, api_key: SecretView(), version: Type.Integer({ minimum: 1 }) },
  {
    examples: [
      {
        provider: 'openai',
        base_url: null,
        model: 'gpt-4o-mini',
        api_version: null,
        timeout_seconds: 60,
        monthly_spend_cap: 50,
        input_price: 0.00015,
        output_price: 0.0006,
        max_output_tokens: 2_000,
        token_limit: null,
        log_retention_days: 30,
        api_key: { is_set: true },
        version: 2,
      },
    ],
  },
);

export const AiPatch = Strict(
  { ...Type.Partial(Type.Object(properties)).properties, api_key: Type.Optional(SecretInput(1_000)) },
  {
    minProperties: 1,
    examples: [{ provider: 'openai', model: 'gpt-4o-mini', api_key: 'a-key-of-the-provider', monthly_spend_cap: 50 }],
  },
);
export type AiPatch = Static<typeof AiPatch>;
