const WORTH_RETRYING = new Set([429, 503]);
/** Idempotent methods. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** Options for sending requests. */
export interface Sending {
  fetch: (request: Request, init: RequestInit) => Promise<Response>;
  /** Timeout in milliseconds, including the response body. */
  timeoutMs: number;
  /** Maximum number of attempts. */
  attempts: number;
  /** In milliseconds: after a longer `Retry-After` the request is not repeated. */
  longestPauseMs: number;
}

/**
 * Sends a request, and repeats it after a 429 or 503 with `Retry-After` if that is safe: for idempotent methods, and with an
 * `Idempotency-Key`.
 * @throws a DOMException named `TimeoutError` after the timeout, and the reason of the request's signal if that is aborted
 */
export async function send(
  request: Request,
  { fetch, timeoutMs, attempts, longestPauseMs }: Sending,
): Promise<Response> {
  const mayRepeat = IDEMPOTENT.has(request.method) || request.headers.has('idempotency-key');
  for (let attempt = 1; ; attempt++) {
    const isLast = !mayRepeat || attempt >= attempts;
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
    const response = await fetch(isLast ? request : request.clone(), { signal });
    const pause = isLast ? undefined : pauseOf(response);
    if (pause === undefined || pause > longestPauseMs) return response;
    await response.body?.cancel();
    await wait(pause, request.signal);
  }
}

/** @returns milliseconds of `Retry-After`, if the response has one */
function pauseOf({ status, headers }: Response): number | undefined {
  const after = headers.get('retry-after');
  if (after === null || !WORTH_RETRYING.has(status)) return undefined;
  const ms = /^\d+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** @throws the reason of the signal */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
