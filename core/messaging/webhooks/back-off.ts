/** Seconds to wait after the first attempt, the second and so on. */
const DELAYS_S = [1, 5, 30, 5 * 60, 30 * 60, 2 * 3_600, 5 * 3_600, 10 * 3_600, 14 * 3_600, 20 * 3_600] as const;
/** Maximum Retry-After that is respected. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;
const JITTER = 0.2;

/**
 * Number of attempts with each delay, if the receiver accepts other messages: the failure may then be temporary.
 */
const ATTEMPTS_PER_DELAY = 3;

/**
 * Maximum number of attempts of a delivery.
 * @param takesOthers whether the receiver accepted another delivery since the first attempt
 */
export const mostAttempts = (takesOthers: boolean): number =>
  DELAYS_S.length * (takesOthers ? ATTEMPTS_PER_DELAY : 1) + 1;

/**
 * Delay before the next attempt, in milliseconds, with jitter, so that deliveries that failed together are not retried
 * together.
 * @param attempts number of attempts so far, 1 or more
 * @param takesOthers as for `mostAttempts`
 * @param retryAfter delay requested by the receiver, in milliseconds; a lower bound
 */
export function waitMs(attempts: number, takesOthers: boolean, retryAfter = 0): number {
  const step = Math.ceil(attempts / (takesOthers ? ATTEMPTS_PER_DELAY : 1));
  const wait = DELAYS_S[Math.min(step, DELAYS_S.length) - 1]! * 1_000;
  const spread = wait * (1 - JITTER + 2 * JITTER * Math.random());
  return Math.round(Math.max(spread, Math.min(retryAfter, MAX_RETRY_AFTER_MS)));
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
