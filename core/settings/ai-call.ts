import type { OutboundRequest } from '@lintel/sdk';
import type { AiValues, Provider } from './ai-schemas.js';

type CallingProvider = Exclude<Provider, 'none'>;

/** Base URLs of providers with a single public API. */
const BASES: Readonly<Partial<Record<Provider, string>>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
};
export const AZURE_VERSION = '2024-10-21';
/** https://docs.anthropic.com/en/api/versioning */
export const ANTHROPIC_VERSION = '2023-06-01';
/** What the smallest request asks. */
export const MESSAGES = [{ role: 'user' as const, content: 'Answer with the word OK.' }];

export const baseOf = ({ provider, base_url }: AiValues): string | undefined =>
  base_url?.replace(/\/+$/, '') ?? BASES[provider as Provider];

interface AiCall extends OutboundRequest {
  url: string;
}

/** The smallest request that a provider answers with text. @param base as returned by `baseOf` */
export function smallestCall(values: AiValues, base: string, key: string | undefined): AiCall {
  const model = values.model ?? '';
  const provider = values.provider as CallingProvider;
  const post = (url: string, headers: Record<string, string>, body: object): AiCall => ({
    url,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const bearer: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  switch (provider) {
    case 'anthropic':
      return post(
        `${base}/v1/messages`,
        { 'anthropic-version': ANTHROPIC_VERSION, ...(key !== undefined && { 'x-api-key': key }) },
        { model, max_tokens: 1, messages: MESSAGES },
      );
    case 'azure':
      return post(
        `${base}/openai/deployments/${encodeURIComponent(model)}/chat/completions?api-version=${values.api_version ?? AZURE_VERSION}`,
        key === undefined ? {} : { 'api-key': key },
        { messages: MESSAGES },
      );
    case 'openai':
      // No token limit is sent, because the name of that parameter depends on the model; the answer is one word.
      return post(`${base}/chat/completions`, bearer, { model, messages: MESSAGES });
    case 'ollama':
    case 'vllm':
      return post(`${base}/chat/completions`, bearer, { model, max_tokens: 1, messages: MESSAGES });
  }
}

/** The provider's error message, if the body has one of the common formats. */
export function reasonIn(body: Buffer): string | undefined {
  try {
    const { error } = JSON.parse(body.toString('utf8')) as { error?: unknown };
    if (typeof error === 'string') return error;
    const message = (error as { message?: unknown } | null | undefined)?.message;
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a body is a model's response, and not that of another service that returns 200. */
export function isAnswer(body: Buffer): boolean {
  try {
    const answer = JSON.parse(body.toString('utf8')) as { choices?: unknown; content?: unknown } | null;
    return Array.isArray(answer?.choices) || Array.isArray(answer?.content);
  } catch {
    return false;
  }
}
