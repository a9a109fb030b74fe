import type { Outbound } from '../../foundation/outbound/index.js';

/** Maximum duration of one request, in milliseconds. */
const REQUEST_MS = 6_000;
/** Maximum size of a response in bytes; metadata and key sets of large providers have some 20 kB. The library parses it at once. */
const MAX_BYTES = 128 * 1_024;
const NO_BODY = new Set([204, 205, 304]);

/** As much of `fetch` as openid-client uses. */
type Fetch = (
  url: string,
  options: { method: string; headers: Record<string, string>; body?: unknown; signal?: AbortSignal },
) => Promise<Response>;

/**
 * A `fetch` whose requests pass the address checks of outgoing requests. Redirects are not followed: OpenID Connect has none
 * here, and a secret would be sent along.
 * @param signal bounds all requests together
 */
export function guardedFetch(outbound: Outbound, signal: AbortSignal): Fetch {
  return async (url, { method, headers, body }) => {
    const answer = await outbound.request(url, {
      method,
      headers,
      ...(body !== undefined && body !== null && { body: textOf(body) }),
      timeoutMs: REQUEST_MS,
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
      signal,
    });
    return new Response(NO_BODY.has(answer.status) ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: answer.headers,
    });
  };
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('only text and forms are sent');
}
