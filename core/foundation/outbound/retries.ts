import { setTimeout as delay } from 'node:timers/promises';
import type { OutboundAnswer, OutboundRequest, OutboundRetries } from '@lintel/sdk';
import { Problem, problem } from '../errors.js';

/** Methods that may be repeated without a further effect (RFC 9110, 9.2.2). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
/** Responses of a system that is overloaded or unavailable for a short time. */
const TEMPORARY = new Set([429, 502, 503, 504]);
const MOST_ATTEMPTS = 10;
const TOTAL_MS = 60_000;
const MOST_TOTAL_MS = 600_000;
const FIRST_DELAY_MS = 500;
const LAST_DELAY_MS = 30_000;
const SECONDS = /^\d{1,9}$/;

/** Exponential back-off with jitter, so that requests that failed together are not repeated together. */
const backOff = (attempt: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LAST_DELAY_MS) * (0.5 + Math.random() / 2);

/**
 * The delay that a Retry-After header demands (RFC 9110, 10.2.3).
 * @param now milliseconds since 1970
 * @returns milliseconds; 0 for a date in the past, and where the header is absent or invalid
 */
export function retryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const text = header.trim();
  if (SECONDS.test(text)) return Number(text) * 1_000;
  // Only dates in the format of HTTP: Date.parse accepts many others.
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}

/** Whether the request failed before a complete response arrived, for a reason that may be gone at the next attempt. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof Problem) || error.code !== 'outbound_failed' || error.cause === undefined) return false;
  const { cause } = error;
  const { code = '' } = (cause instanceof AggregateError ? cause.errors[0] : cause) as NodeJS.ErrnoException;
  return code !== 'ENOTFOUND' && !/CERT|TLS|SSL|ALTNAME|SIGNATURE/.test(code);
}

type Outcome = { answer: OutboundAnswer; error?: undefined } | { answer?: undefined; error: unknown };

/**
 * Sends a request up to `attempts` times, within `maxTotalMs`.
 * @param send sends it once, with this timeout in milliseconds
 * @returns the first response that is not temporary, or the last one
 * @throws the error of the last attempt, outbound_failed where the signal is aborted during a delay; an Error for a method
 *   that is not idempotent, unless `anyMethod` is set
 */
export async function withRetries(
  { method = 'GET', signal }: OutboundRequest,
  { attempts, maxTotalMs = TOTAL_MS, anyMethod = false }: OutboundRetries,
  send: (timeoutMs: number) => Promise<OutboundAnswer>,
): Promise<OutboundAnswer> {
  if (!anyMethod && !IDEMPOTENT.has(method.toUpperCase()))
    throw new Error(`${method} is not idempotent: it is only retried with retries.anyMethod`);
  const deadline = performance.now() + Math.min(maxTotalMs, MOST_TOTAL_MS);
  const most = Math.min(attempts, MOST_ATTEMPTS);
  for (let attempt = 1; ; attempt++) {
    const { answer, error } = await send(deadline - performance.now()).then(
      (answer): Outcome => ({ answer }),
      (error: unknown): Outcome => ({ error }),
    );
    const mayPass = answer ? TEMPORARY.has(answer.status) : isTemporary(error) && signal?.aborted !== true;
    const wait = Math.max(backOff(attempt), retryAfter(answer?.headers['retry-after'], Date.now()));
    // An attempt before the time in Retry-After, or without time for a response, would only add load.
    if (!mayPass || attempt >= most || performance.now() + wait >= deadline) {
      if (answer) return answer;
      throw error;
    }
    await delay(wait, undefined, { ...(signal && { signal }) }).catch((cause: unknown) => {
      throw problem('outbound_failed', { detail: 'It was cancelled before the next attempt.', cause });
    });
  }
}
