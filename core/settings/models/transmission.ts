import { setTimeout as delay } from 'node:timers/promises';
import type { ModelFailure } from '@lintel/sdk';
import { Problem } from '../../foundation/errors.js';
import { parseInSlices } from '../../foundation/http/sliced-json.js';
import { retryAfter, type Opened, type Outbound } from '../../foundation/outbound/index.js';
import { reasonIn } from '../ai-call.js';
import type { Part, Prompt, Protocol } from './protocol.js';
import { serverEvents, StreamTooLong } from './sse.js';

const ATTEMPTS = 3;
const FIRST_DELAY_MS = 500;
/** Of the body of a refusal. */
const MOST_REASON = 16_384;
/** Bytes of an answer for each of its tokens: an event of a stream has one token and its frame. */
const BYTES_PER_TOKEN = 1_024;
const FRAME_BYTES = 65_536;
/** Characters of the text of an answer for each of its tokens, which have about four. */
const CHARACTERS_PER_TOKEN = 64;
/** Values of an answer as a whole, which has some dozens of them. */
const MOST_VALUES = 50_000;
/** Overloaded, or failing for a short time; 529 is the overload of Anthropic. */
const TEMPORARY = new Set([429, 500, 502, 503, 504, 529]);

/** An answer that was received completely. */
export interface Received {
  text: string;
  isCut: boolean;
}

/** What is known about the usage of a request, also of one that fails. */
export interface Metered {
  inputTokens?: number;
  outputTokens?: number;
  attempts: number;
  /** Whether the provider may charge for the request: it has accepted it, or it is unknown whether it has. */
  isCharged: boolean;
  /** What has arrived of the answer. */
  text: string;
}

/** Why a request has no result. `detail` has no text of the provider; `log` may have some. */
export class CallFailure extends Error {
  constructor(
    readonly reason: ModelFailure,
    readonly detail: string,
    readonly log = detail,
  ) {
    super(detail);
  }
}

/** A request of a time limit: aborted when it is over, or when the caller ends it. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Milliseconds that are left. */
  left(): number;
  readonly isOver: boolean;
}

/**
 * Sends a prompt, again after 429 and 5xx, and reads the answer.
 * @param metered is filled in while the request is under way
 * @param onText called with each part of a streamed answer
 * @throws CallFailure
 */
export async function transmit(
  { outbound, protocol }: { outbound: Outbound; protocol: Protocol },
  prompt: Prompt,
  limit: TimeLimit,
  metered: Metered,
  onText: (text: string) => void | Promise<void>,
): Promise<Received> {
  const { url, ...message } = protocol.request(prompt);
  try {
    for (;;) {
      metered.attempts++;
      metered.isCharged = true;
      const opened = await outbound.open(url, { ...message, method: 'POST' }, limit.signal).catch((error: unknown) => {
        // The connection was refused, or never made.
        if (error instanceof Problem && isUnsent(error)) metered.isCharged = false;
        throw error;
      });
      try {
        if (opened.status === 200) return await answer(opened, protocol, prompt, limit, metered, onText);
        metered.isCharged = false;
        await waitOrFail(opened, limit, metered.attempts, new URL(url).host);
      } finally {
        opened.close();
      }
    }
  } catch (error) {
    throw failureOf(error, limit);
  }
}

async function answer(
  { response, headers }: Opened,
  protocol: Protocol,
  { maxTokens, streams }: Prompt,
  limit: TimeLimit,
  metered: Metered,
  onText: (text: string) => void | Promise<void>,
): Promise<Received> {
  const most = FRAME_BYTES + maxTokens * BYTES_PER_TOKEN;
  const bytes = bounded(response as AsyncIterable<Buffer>, most);
  let end: Part['end'];
  let outputTokens: number | undefined;
  const take = async (part: Part | undefined): Promise<void> => {
    if (!part) throw new CallFailure('invalid_answer', 'The provider answers, but not as its API.');
    if (part.inputTokens !== undefined) metered.inputTokens = part.inputTokens;
    outputTokens = part.outputTokens ?? outputTokens;
    end = part.end ?? end;
    // A number that is reported before the end is that of the tokens so far.
    if (outputTokens !== undefined && (end ?? part.error) !== undefined) metered.outputTokens = outputTokens;
    if (part.error !== undefined)
      throw new CallFailure('unavailable', 'The provider reported an error in its answer.', part.error);
    if (part.text === undefined || part.text === '') return;
    metered.text += part.text;
    if (metered.text.length > maxTokens * CHARACTERS_PER_TOKEN)
      throw new CallFailure('too_long', `The answer has more text than ${maxTokens} tokens.`);
    await onText(part.text);
    // Events that have arrived already could be passed on for a long time to a slow reader.
    limit.signal.throwIfAborted();
  };
  // A server without support for streams answers as a whole.
  if (streams && headers['content-type']?.toLowerCase().startsWith('text/event-stream')) {
    for await (const { data } of serverEvents(bytes, FRAME_BYTES)) {
      const part = protocol.part(data);
      await take(part);
      if (part?.isLast) break;
    }
  } else {
    const parts: Buffer[] = [];
    for await (const part of bytes) parts.push(part);
    const body = await parseInSlices(Buffer.concat(parts), { values: MOST_VALUES }).catch(() => undefined);
    await take(protocol.whole(body));
  }
  if (end === undefined) throw new CallFailure('incomplete', 'The answer ended before its end.');
  return { text: metered.text, isCut: end === 'cut' };
}

async function* bounded(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer, void> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > most) throw new CallFailure('too_long', `The answer has more than ${most} bytes.`);
    yield chunk;
  }
}

/** Waits for the next attempt. @throws CallFailure if there is none */
async function waitOrFail(opened: Opened, limit: TimeLimit, attempt: number, host: string): Promise<void> {
  const { status, headers } = opened;
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of opened.response as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length > MOST_REASON) break;
  }
  const detail = `${host} answered ${status}.`;
  const log = `${host} answered ${status}: ${reasonIn(Buffer.concat(parts)) ?? 'no reason was given'}`;
  if (!TEMPORARY.has(status)) throw new CallFailure('rejected', detail, log);
  const backOff = FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
  const wait = Math.max(backOff, retryAfter(headers['retry-after'], Date.now()));
  // An attempt before the time that the provider names would only add load.
  if (attempt >= ATTEMPTS || wait >= limit.left()) throw new CallFailure('unavailable', detail, log);
  await delay(wait, undefined, { signal: limit.signal });
}

const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EPROTO']);
/** Without a certificate that can be trusted nothing is sent. */
const UNTRUSTED = /CERT|TLS|SSL|ALTNAME|SIGNATURE/;
/** Whether a request that failed has certainly not reached the provider. */
export function isUnsent({ code, cause }: Problem): boolean {
  const first = cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause;
  const { code: reason = '' } = (first ?? {}) as NodeJS.ErrnoException;
  return code === 'outbound_refused' || UNSENT.has(reason) || UNTRUSTED.test(reason);
}

function failureOf(error: unknown, limit: TimeLimit): unknown {
  if (error instanceof CallFailure) return error;
  if (limit.isOver) return new CallFailure('timeout', 'The answer did not arrive within the time limit.');
  if (limit.signal.aborted) return new CallFailure('cancelled', 'The call was cancelled.');
  if (error instanceof StreamTooLong) return new CallFailure('too_long', 'A part of the answer is too long.');
  if (error instanceof Problem)
    return new CallFailure(error.code === 'outbound_refused' ? 'rejected' : 'unavailable', error.message);
  if (isOfSocket(error)) return new CallFailure('incomplete', 'The connection ended before the answer.');
  return error;
}

/** Errors of a connection while its body is read. */
function isOfSocket(error: unknown): boolean {
  return error instanceof Error && ('code' in error || error.message === 'aborted');
}
