import type { ModelCall, ModelFailure, ModelResult, ModelUsage, RequestContext } from '@lintel/sdk';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions } from '../../foundation/db/unit-of-work.js';
import { systemContext } from '../../foundation/context.js';
import { uuidv7 } from '../../foundation/ids.js';
import type { Outbound } from '../../foundation/outbound/index.js';
import { baseOf } from '../ai-call.js';
import type { AiValues } from '../ai-schemas.js';
import type { AiSettings } from '../ai-service.js';
import { plain } from '../connection-test.js';
import { anthropicMessages } from './anthropic-messages.js';
import { costOf, mostTokens, pricesOf, type Prices } from './budget.js';
import { admit, endCall } from './call-repository.js';
import { chatCompletions } from './chat-completions.js';
import type { Message, Prompt, Protocol } from './protocol.js';
import { readStructured, repairRequest, schemaInstructions, storable } from './structured.js';
import { CallFailure, transmit, type Metered, type Received, type TimeLimit } from './transmission.js';

const MOST_PROMPT = 200_000;
/** Longer than a request can take, so that its reservation counts until it has ended. */
const EXPIRY_MARGIN_MS = 60_000;
const PURPOSE = /^[a-z_]{1,50}$/;

/** The settings as they are at the begin of a call. */
interface Setting {
  values: AiValues;
  secret: string | undefined;
  protocol: Protocol;
  prices: Prices | undefined;
  model: string;
}
/** Whose call it is. */
interface Caller {
  ctx: RequestContext;
  module: string;
  signal: AbortSignal | undefined;
}

const NONE: ModelUsage = { input_tokens: 0, output_tokens: 0, cost: 0, is_estimated: false };
const sum = (a: ModelUsage, b: ModelUsage): ModelUsage => ({
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  cost: a.cost === null || b.cost === null ? null : a.cost + b.cost,
  is_estimated: a.is_estimated || b.is_estimated,
});

/** The language model of the workspace: protocols, spend cap and log of its requests. */
export class LanguageModel {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly outbound: Outbound,
    private readonly settings: AiSettings,
  ) {}

  async isConfigured(): Promise<boolean> {
    return (await this.setting()) !== undefined;
  }

  /**
   * Sends a prompt, and waits for the answer; see `ModelPort.ask`.
   * @param module whose call it is
   * @param signal ends the call
   */
  async ask(
    ctx: RequestContext,
    module: string,
    call: ModelCall,
    signal: AbortSignal | undefined,
  ): Promise<ModelResult> {
    if (!PURPOSE.test(call.purpose)) throw new Error(`${call.purpose} is no purpose of a call of a language model`);
    if (call.schema && call.onText) throw new Error('an answer with a schema is not streamed');
    const setting = await this.setting();
    if (!setting) return failed(null, new CallFailure('not_configured', 'No language model is set.'), NONE);
    const caller = { ctx, module, signal };
    const { schema, prompt } = call;
    const system = call.system + (schema ? schemaInstructions(schema) : '');
    const asked: Message[] = [{ role: 'user', content: prompt }];
    const first = await this.request(setting, caller, call, system, asked);
    if (!first.ok || !schema) return first;
    const read = await readStructured(first.text, schema);
    if ('value' in read) return { ...first, value: read.value };
    const invalid = (usage: ModelUsage): ModelResult =>
      failed(setting.model, new CallFailure('invalid_answer', 'The answer does not match its schema.'), usage);
    const messages: Message[] = [
      ...asked,
      { role: 'assistant', content: first.text },
      { role: 'user', content: repairRequest(read.faults) },
    ];
    // The first request may have taken minutes: what was set meanwhile holds for the second one.
    const current = await this.setting();
    if (!current || mostTokens(system, messages) > MOST_PROMPT) return invalid(first.usage);
    const repaired = await this.request(current, caller, call, system, messages);
    const usage = sum(first.usage, repaired.usage);
    if (!repaired.ok) return { ...repaired, usage };
    const again = await readStructured(repaired.text, schema);
    return 'value' in again ? { ...repaired, value: again.value, usage } : invalid(usage);
  }

  private async setting(): Promise<Setting | undefined> {
    const { values, secret } = await this.settings.use();
    const base = baseOf(values);
    if (values.provider === 'none' || base === undefined || values.model === null) return undefined;
    const make = values.provider === 'anthropic' ? anthropicMessages : chatCompletions;
    return { values, secret, protocol: make(values, base, secret), prices: pricesOf(values), model: values.model };
  }

  /** One request, admitted and logged. */
  private async request(
    setting: Setting,
    { ctx, module, signal }: Caller,
    { purpose, maxTokens, schema, onText }: ModelCall,
    system: string,
    messages: readonly Message[],
  ): Promise<ModelResult> {
    const { values, prices, model } = setting;
    const { monthly_spend_cap: cap, max_output_tokens: mostOutput, log_retention_days: days, provider } = values;
    const refuse = (reason: ModelFailure, detail: string): ModelResult =>
      failed(model, new CallFailure(reason, detail), NONE);
    const most = mostTokens(system, messages);
    if (most > MOST_PROMPT) return refuse('prompt_too_long', `The prompt has more than ${MOST_PROMPT} bytes.`);
    if (cap !== null && !prices) return refuse('no_prices', 'A spend cap is set, but not the prices of tokens.');
    const prompt: Prompt = {
      system,
      messages,
      maxTokens: Math.min(maxTokens ?? mostOutput, mostOutput),
      isJson: schema !== undefined,
      streams: onText !== undefined,
    };
    if (signal?.aborted) return refuse('cancelled', 'The call was cancelled.');
    const bound = { input: most, output: prompt.maxTokens };
    const id = uuidv7();
    const call = {
      id,
      module,
      purpose,
      userId: ctx.actor?.id ?? null,
      provider,
      model,
      reserved: costOf(prices, bound.input, bound.output) ?? 0,
      expiresMs: values.timeout_seconds * 1_000 + EXPIRY_MARGIN_MS,
      prompt: days === 0 ? null : storable(JSON.stringify([{ role: 'system', content: system }, ...messages])),
    };
    const isAdmitted = await this.transactions.run(systemContext(module), (uow) => admit(uow, call, cap));
    if (!isAdmitted) return refuse('cap_reached', 'The call could exceed the spend cap of the month.');

    const metered: Metered = { attempts: 0, isCharged: false, text: '' };
    const { limit, release } = timeLimit(values.timeout_seconds * 1_000, signal);
    let received: Received | undefined;
    let error: unknown;
    try {
      const target = { outbound: this.outbound, protocol: setting.protocol };
      received = await transmit(target, prompt, limit, metered, onText ?? (() => undefined));
    } catch (thrown) {
      error = thrown;
    } finally {
      release();
    }
    const usage = usageOf(metered, bound, prices);
    const failure = error instanceof CallFailure ? error : undefined;
    await endCall(this.db, id, {
      state: received ? 'done' : 'failed',
      reason: received ? null : (failure?.reason ?? 'cancelled'),
      detail: failure ? plain(storable(days === 0 ? failure.detail : failure.log), setting.secret) : null,
      cost: usage.cost,
      inputTokens: usage.input_tokens,
      outputTokens: usage.output_tokens,
      isEstimated: usage.is_estimated,
      attempts: metered.attempts,
      answer: days === 0 || metered.text === '' ? null : storable(metered.text),
    });
    if (received) {
      const { isCut: is_cut, text } = received;
      return { ok: true, model, text: storable(text), value: undefined, is_cut, usage };
    }
    if (failure) return failed(model, failure, usage);
    // Of `onText`, which is code of the module.
    throw error;
  }
}

function failed(model: string | null, { reason, detail }: CallFailure, usage: ModelUsage): ModelResult {
  return { ok: false, model, reason, detail, usage };
}

/** What a request has used: as reported, an upper bound for what was not reported, or nothing if it was not accepted. */
function usageOf(
  { inputTokens, outputTokens, isCharged }: Metered,
  bound: { input: number; output: number },
  prices: Prices | undefined,
): ModelUsage {
  if (!isCharged) return NONE;
  const [input, output] = [inputTokens ?? bound.input, outputTokens ?? bound.output];
  return {
    input_tokens: input,
    output_tokens: output,
    cost: costOf(prices, input, output),
    is_estimated: inputTokens === undefined || outputTokens === undefined,
  };
}

function timeLimit(ms: number, signal: AbortSignal | undefined): { limit: TimeLimit; release(): void } {
  const over = new AbortController();
  const end = performance.now() + ms;
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    over.abort('the timeout expired');
  }, ms);
  const stop = (): void => over.abort('it was cancelled');
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  return {
    limit: {
      signal: over.signal,
      left: () => end - performance.now(),
      get isOver() {
        return isOver;
      },
    },
    release() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}
