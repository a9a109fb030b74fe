import { ANTHROPIC_VERSION } from '../ai-call.js';
import type { AiValues } from '../ai-schemas.js';
import { errorOf, itemsOf, known, membersOf, parsed, tokensOf, type Part, type Protocol } from './protocol.js';

const ENDS: Readonly<Record<string, 'complete' | 'cut'>> = {
  end_turn: 'complete',
  stop_sequence: 'complete',
  max_tokens: 'cut',
};

/** Tokens read from and written to the cache of prompts are not part of `input_tokens`. */
function inputOf(usage: unknown): number | undefined {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = membersOf(usage);
  const own = tokensOf(input_tokens);
  if (own === undefined) return undefined;
  return tokensOf(own + (tokensOf(cache_creation_input_tokens) ?? 0) + (tokensOf(cache_read_input_tokens) ?? 0));
}

function endOf(reason: unknown): Pick<Part, 'end' | 'error'> {
  if (typeof reason !== 'string') return {};
  const end = ENDS[reason];
  return end ? { end } : { error: `the answer ended with ${reason.slice(0, 50)}` };
}

/**
 * Messages of Anthropic (https://docs.anthropic.com/en/api/messages, …/messages-streaming).
 * @param base as returned by `baseOf`
 */
export function anthropicMessages(values: AiValues, base: string, key: string | undefined): Protocol {
  return {
    request: ({ system, messages, maxTokens, streams }) => ({
      url: `${base}/v1/messages`,
      headers: {
        'anthropic-version': ANTHROPIC_VERSION,
        'content-type': 'application/json',
        ...(key !== undefined && { 'x-api-key': key }),
      },
      body: JSON.stringify({
        model: values.model ?? '',
        max_tokens: maxTokens,
        system,
        messages,
        ...(streams && { stream: true }),
      }),
    }),
    whole(body) {
      const { content, usage, stop_reason, error } = membersOf(body);
      if (error !== undefined) return known({ error: errorOf(error) });
      if (!Array.isArray(content)) return undefined;
      const texts = itemsOf(content)
        .map(membersOf)
        .filter(({ type, text }) => type === 'text' && typeof text === 'string');
      return known({
        text: texts.map(({ text }) => text as string).join(''),
        inputTokens: inputOf(usage),
        outputTokens: tokensOf(membersOf(usage)['output_tokens']),
        ...endOf(stop_reason),
      });
    },
    part(data) {
      const { type, message, delta, usage, error } = membersOf(parsed(data));
      const { text, stop_reason } = membersOf(delta);
      switch (type) {
        case 'message_start':
          return known({ inputTokens: inputOf(membersOf(message)['usage']) });
        case 'content_block_delta':
          return known({ text: typeof text === 'string' ? text : undefined });
        case 'message_delta':
          return known({
            inputTokens: inputOf(usage),
            outputTokens: tokensOf(membersOf(usage)['output_tokens']),
            ...endOf(stop_reason),
          });
        case 'message_stop':
          return { isLast: true };
        case 'error':
          return known({ error: errorOf(error) });
        default:
          // Other types of events may be added by the provider at any time.
          return typeof type === 'string' ? {} : undefined;
      }
    },
  };
}
