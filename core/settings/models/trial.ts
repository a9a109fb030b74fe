import type { Database } from '../../foundation/db/database.js';
import type { Transactions } from '../../foundation/db/unit-of-work.js';
import { systemContext } from '../../foundation/context.js';
import { Problem } from '../../foundation/errors.js';
import { uuidv7 } from '../../foundation/ids.js';
import { MESSAGES } from '../ai-call.js';
import type { AiValues } from '../ai-schemas.js';
import { ConnectionTestFailure } from '../connection-test.js';
import { costOf, mostTokens, pricesOf } from './budget.js';
import { admit, endCall } from './call-repository.js';
import { membersOf, parsed, tokensOf } from './protocol.js';
import { isUnsent } from './transmission.js';

/** Longer than a test can take, so that its reservation counts until it has ended. */
const EXPIRES_MS = 60_000;
/** Providers whose requests are sent without a limit of tokens: answers of models that reason may be long. */
const UNLIMITED: readonly string[] = ['openai', 'azure'];

interface Answer {
  status: number;
  body: Buffer;
}

/**
 * Sends the smallest request under the spend cap of the month, and records its usage.
 * @param send sends it, once
 * @returns the answer of the provider, of any status
 * @throws ConnectionTestFailure where it could exceed the cap, or no prices are set for one; what `send` throws
 */
export async function meteredTrial(
  { db, transactions }: { db: Database; transactions: Transactions },
  values: AiValues,
  userId: string | null,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const { monthly_spend_cap: cap, provider, model, max_output_tokens: mostOutput } = values;
  const prices = pricesOf(values);
  if (cap !== null && !prices) throw new ConnectionTestFailure('A spend cap is set, but not the prices of tokens.');
  const bound = { input: mostTokens('', MESSAGES), output: UNLIMITED.includes(provider) ? mostOutput : 1 };
  const call = {
    id: uuidv7(),
    module: 'settings',
    purpose: 'connection_test',
    userId,
    provider,
    model: model ?? '',
    reserved: costOf(prices, bound.input, bound.output) ?? 0,
    expiresMs: EXPIRES_MS,
    prompt: null,
  };
  const isAdmitted = await transactions.run(systemContext('settings'), (uow) => admit(uow, call, cap));
  if (!isAdmitted) throw new ConnectionTestFailure('The call could exceed the spend cap of the month.');
  // As for other calls: charged where the provider has accepted it, or it is unknown whether it has.
  let isCharged = true;
  let answer: Answer | undefined;
  try {
    answer = await send();
    isCharged = answer.status === 200;
    return answer;
  } catch (error) {
    isCharged = !(error instanceof Problem && isUnsent(error));
    throw error;
  } finally {
    const { input, output } = isCharged ? usedBy(answer) : { input: 0, output: 0 };
    const [inputTokens, outputTokens] = [input ?? bound.input, output ?? bound.output];
    const isDone = answer?.status === 200;
    await endCall(db, call.id, {
      state: isDone ? 'done' : 'failed',
      reason: isDone ? null : answer ? 'rejected' : 'unavailable',
      detail: null,
      cost: isCharged ? costOf(prices, inputTokens, outputTokens) : 0,
      inputTokens,
      outputTokens,
      isEstimated: input === undefined || output === undefined,
      attempts: 1,
      answer: null,
    });
  }
}

/** The tokens that an answer reports: the names differ between the APIs. */
function usedBy(answer: Answer | undefined): { input?: number | undefined; output?: number | undefined } {
  const { usage } = membersOf(answer && parsed(answer.body.toString('utf8')));
  const { prompt_tokens, completion_tokens, input_tokens, output_tokens } = membersOf(usage);
  return { input: tokensOf(prompt_tokens ?? input_tokens), output: tokensOf(completion_tokens ?? output_tokens) };
}
