import { AZURE_VERSION } from '../ai-call.js';
import type { AiValues } from '../ai-schemas.js';
import {
  errorOf,
  itemsOf,
  known,
  membersOf,
  parsed,
  tokensOf,
  type Part,
  type Prompt,
  type Protocol,
} from './protocol.js';

/** `tool_calls`, `content_filter` and others are no end of an answer in text. */
const ENDS: Readonly<Record<string, 'complete' | 'cut'>> = { stop: 'complete', length: 'cut' };

/** What an answer and an event of a stream have in common: usage, end, error. */
function common(body: unknown): Part {
  const { usage, error, choices } = membersOf(body);
  const { prompt_tokens, completion_tokens } = membersOf(usage);
  const { finish_reason: reason } = membersOf(itemsOf(choices)[0]);
  const end = typeof reason === 'string' ? ENDS[reason] : undefined;
  return known({
    inputTokens: tokensOf(prompt_tokens),
    outputTokens: tokensOf(completion_tokens),
    end,
    error:
      errorOf(error) ??
      (typeof reason === 'string' && !end ? `the answer ended with ${reason.slice(0, 50)}` : undefined),
  });
}

/**
 * Chat completions, as of OpenAI, Azure, Ollama and vLLM (https://platform.openai.com/docs/api-reference/chat).
 * @param base as returned by `baseOf`
 */
export function chatCompletions(values: AiValues, base: string, key: string | undefined): Protocol {
  const model = values.model ?? '';
  const isAzure = values.provider === 'azure';
  const url = isAzure
    ? `${base}/openai/deployments/${encodeURIComponent(model)}/chat/completions?api-version=${values.api_version ?? AZURE_VERSION}`
    : `${base}/chat/completions`;
  const limit =
    values.token_limit ??
    (values.provider === 'openai' && values.base_url === null ? 'max_completion_tokens' : 'max_tokens');
  const secret: Record<string, string> =
    key === undefined ? {} : isAzure ? { 'api-key': key } : { authorization: `Bearer ${key}` };
  return {
    request: ({ system, messages, maxTokens, isJson, streams }: Prompt) => ({
      url,
      headers: { ...secret, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...(!isAzure && { model }),
        messages: [{ role: 'system', content: system }, ...messages],
        [limit]: maxTokens,
        ...(isJson && { response_format: { type: 'json_object' } }),
        ...(streams && { stream: true, stream_options: { include_usage: true } }),
      }),
    }),
    whole(body) {
      const { content } = membersOf(membersOf(itemsOf(membersOf(body)['choices'])[0])['message']);
      const { error } = membersOf(body);
      if (typeof content !== 'string' && error === undefined) return undefined;
      return known({ ...common(body), text: typeof content === 'string' ? content : undefined });
    },
    part(data) {
      if (data === '[DONE]') return { isLast: true };
      const body = parsed(data);
      const { choices, error, usage } = membersOf(body);
      if (!Array.isArray(choices) && error === undefined && usage === undefined) return undefined;
      const { content } = membersOf(membersOf(itemsOf(choices)[0])['delta']);
      return known({ ...common(body), text: typeof content === 'string' ? content : undefined });
    },
  };
}
