import type { RequestContext } from './context.js';

/**
 * Why a call of the language model has no result. `not_configured`: no provider is set. `no_prices`: a spend cap is set, but not the
 * prices by which it is kept. `cap_reached`: the call could exceed the spend cap of the month. `prompt_too_long`: it was not sent.
 * `timeout`, `cancelled`. `rejected`: the provider, or the outbound guard, refused it. `unavailable`: no connection, or the provider
 * is overloaded or failing. `incomplete`: the answer ended before its end. `too_long`: the answer exceeds the limit in bytes.
 * `invalid_answer`: no answer of its protocol, or no JSON of the schema, also after one repair.
 */
export type ModelFailure =
  | 'not_configured'
  | 'no_prices'
  | 'cap_reached'
  | 'prompt_too_long'
  | 'timeout'
  | 'cancelled'
  | 'rejected'
  | 'unavailable'
  | 'incomplete'
  | 'too_long'
  | 'invalid_answer';

/** A call of the language model. */
export interface ModelCall {
  /** What it is for, such as `explain`; for the log of calls. 1 to 50 lower-case letters and underscores. */
  purpose: string;
  /** The instructions. */
  system: string;
  /** What they are about. Together at most 200,000 bytes. */
  prompt: string;
  /** Maximum number of tokens of the answer; at most, and by default, that of the settings. */
  maxTokens?: number | undefined;
  /**
   * JSON schema of the answer: it is added to the instructions, and the answer is checked against it. An answer that does not match is
   * sent back once, with its errors, to be repaired.
   */
  schema?: object | undefined;
  /** Ends the call. */
  signal?: AbortSignal | undefined;
  /** Called with each part of the answer as it arrives, one after the other; if it throws, the call is cancelled. Not with `schema`. */
  onText?: ((text: string) => void | Promise<void>) | undefined;
}

/** What a call has used, of all its requests. */
export interface ModelUsage {
  input_tokens: number;
  output_tokens: number;
  /** US dollars; null without prices. */
  cost: number | null;
  /** Whether the provider did not report it completely: the figures are then upper bounds. */
  is_estimated: boolean;
}

/** The result of a call. A failure of the provider is a result, not an error. */
export type ModelResult =
  | {
      ok: true;
      model: string;
      text: string;
      /** With `schema`: the answer, which matches it. */
      value: unknown;
      /** Whether the answer ended because it reached the maximum number of tokens. */
      is_cut: boolean;
      usage: ModelUsage;
    }
  | { ok: false; model: string | null; reason: ModelFailure; detail: string; usage: ModelUsage };

/**
 * The language model of the workspace. Requests are sent by the platform, through the outbound guard, with the provider, limits and
 * spend cap of `/settings/ai`; the module never sees the key. Each request is logged with prompt and answer.
 */
export interface ModelPort {
  /** Whether a provider is set. */
  isConfigured(): Promise<boolean>;
  /**
   * Sends a prompt, and waits for the answer. 429 and 5xx are retried within the time limit of the settings, at most twice.
   * What must not leave the workspace must not be in the prompt.
   * @param ctx whose user the log of calls names
   * @returns also if it fails; see `ModelFailure`
   * @throws an Error for a call that contradicts its documentation, or if the module is disabled
   */
  ask(ctx: RequestContext, call: ModelCall): Promise<ModelResult>;
}
