import { Problem } from '../../foundation/errors.js';
import type { Outbound } from '../../foundation/outbound/index.js';
import { retryAfterMs } from './back-off.js';
import { signedHeaders } from './signature.js';

export const TIMEOUT_MS = 15_000;
const MAX_BYTES = 64 * 1024;
const EXCERPT = 1_000;
const MAX_ERROR = 300;

interface Message {
  /** The same for every attempt at the same event. */
  id: string;
  url: string;
  /** A CloudEvent in JSON. */
  body: string;
  secrets: readonly string[];
}

/** The result of one attempt. */
export interface Sent {
  at: string;
  /** Null where there was no response. */
  status: number | null;
  /** Null where the receiver accepted the message. */
  error: string | null;
  duration_ms: number;
  response: string | null;
  /** Milliseconds from the receiver's Retry-After. */
  retryAfter: number | undefined;
}

/**
 * Sends one message, once. Failures of the receiver are part of the result; redirects are not followed, because the
 * signed message is meant for one address.
 * @throws only for internal errors
 */
export async function transmit(
  outbound: Outbound,
  { id, url, body, secrets }: Message,
  signal?: AbortSignal,
): Promise<Sent> {
  const began = performance.now();
  const at = new Date().toISOString();
  const done = (rest: Pick<Sent, 'status' | 'error'> & Partial<Sent>): Sent => ({
    at,
    duration_ms: Math.round(performance.now() - began),
    response: null,
    retryAfter: undefined,
    ...rest,
  });
  try {
    const headers = {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'user-agent': 'Lintel-Webhooks',
      ...signedHeaders(id, body, secrets),
    };
    const answer = await outbound.request(url, {
      method: 'POST',
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
      cut: true,
      keepsConnection: true,
      ...(signal && { signal }),
    });
    const { status } = answer;
    const isRedirect = status >= 300 && status < 400;
    const error =
      status >= 200 && status < 300
        ? null
        : `The receiver answered ${status}${isRedirect ? ', and redirects are not followed' : ''}.`;
    return done({
      status,
      error,
      response: readable(answer.body, EXCERPT),
      retryAfter: retryAfterMs(answer.headers['retry-after']),
    });
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return done({ status: null, error: readable(Buffer.from(error.detail), MAX_ERROR) ?? error.code });
  }
}

/** The beginning of a text as one line without control characters; null where nothing is left. */
function readable(bytes: Buffer, length: number): string | null {
  const text = bytes
    .subarray(0, 4 * length)
    .toString('utf8')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, length)
    .toWellFormed();
  return text === '' ? null : text;
}
