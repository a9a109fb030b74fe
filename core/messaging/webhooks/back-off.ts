/** Seconds to wait after the first attempt, the second and so on. */
const WAITS = [1, 5, 30, 5 * 60, 30 * 60, 2 * 3_600, 5 * 3_600, 10 * 3_600, 14 * 3_600, 20 * 3_600] as const;
/** Maximum Retry-After that is respected. */
const MOST_PATIENCE_MS = 24 * 3_600_000;
const JITTER = 0.2;

/**
 * If the receiver accepts other messages, a failing delivery uses each delay this many times, because the failure may
 * be temporary.
 */
const PATIENCE = 3;

/**
 * Maximum number of attempts of a delivery.
 * @param takesOthers whether the receiver accepted another delivery since the first attempt
 */
export const mostAttempts = (takesOthers: boolean): number => WAITS.length * (takesOthers ? PATIENCE : 1) + 1;

/**
 * Delay before the next attempt, in milliseconds, with jitter, so that deliveries that failed together are not retried
 * together.
 * @param attempts number of attempts so far, 1 or more
 * @param takesOthers as for `mostAttempts`
 * @param retryAfter delay requested by the receiver, in milliseconds; a lower bound
 */
export function waitMs(attempts: number, takesOthers: boolean, retryAfter = 0): number {
  const step = Math.ceil(attempts / (takesOthers ? PATIENCE : 1));
  const wait = WAITS[Math.min(step, WAITS.length) - 1]! * 1_000;
  const spread = wait * (1 - JITTER + 2 * JITTER * Math.random());
  return Math.round(Math.max(spread, Math.min(retryAfter, MOST_PATIENCE_MS)));
}

/**
 * Parses a Retry-After header: seconds, or a date.
 * @param now milliseconds since 1970
 * @returns milliseconds from now; undefined where it is neither
 */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const date = /^[A-Za-z]{3},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
