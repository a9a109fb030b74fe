const WORTH_RETRYING = new Set([429, 503]);
/** A second request of these does what the first did. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** How requests are sent. */
export interface Sending {
  fetch: (request: Request, init: RequestInit) => Promise<Response>;
  /** Milliseconds until an answer is there with all its body. */
  timeoutMs: number;
  /** How often a request is sent at most. */
  attempts: number;
  /** Milliseconds: an answer that asks for a longer pause is not waited for. */
  longestPauseMs: number;
}

/**
 * Sends a request, and once more where the service asks for a pause (429 or 503 with `Retry-After`) and a second one does no
 * harm: of idempotent methods, and with an `Idempotency-Key`.
 * @throws a DOMException named `TimeoutError` when the time is up, and the reason of the request's signal when that is aborted
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

/** @returns milliseconds, where the answer asks for a pause */
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
