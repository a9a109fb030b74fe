import type { AiValues } from '../ai-schemas.js';
import type { Message } from './protocol.js';

/** Tokens of the frame of a message, at most. */
const FRAME = 32;

/** US dollars per 1,000 tokens. */
export interface Prices {
  input: number;
  output: number;
}

/** The prices of the settings; those of a provider that the workspace operates itself are 0 unless they are set. */
export function pricesOf({ provider, input_price, output_price }: AiValues): Prices | undefined {
  const isOwn = provider === 'ollama' || provider === 'vllm';
  const [input, output] = [input_price ?? (isOwn ? 0 : null), output_price ?? (isOwn ? 0 : null)];
  return input === null || output === null ? undefined : { input, output };
}

/** An upper bound of the tokens of a prompt: every token of a byte-pair encoding has at least one byte. */
export function mostTokens(system: string, messages: readonly Message[]): number {
  return [system, ...messages.map(({ content }) => content)].reduce(
    (sum, text) => sum + Buffer.byteLength(text) + FRAME,
    0,
  );
}

/** US dollars of a number of tokens; null without prices. */
export function costOf(prices: Prices | undefined, inputTokens: number, outputTokens: number): number | null {
  return prices ? (inputTokens * prices.input + outputTokens * prices.output) / 1_000 : null;
}
