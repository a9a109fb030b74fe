import type { Problem, ProblemDetails } from '../problem.js';

/**
 * Why an order has no answer: `rate_limited` (too many orders of the same user wait) and `busy` (too many wait; both may succeed
 * later), `timeout` (it takes longer than its limit), `failed` (an error of the code in the process, which is then its `cause`, or too little memory),
 * `lost` (its process was killed by something else than the queue, twice), `cancelled` (its client has gone) or `closed`.
 */
export type WorkerQueueReason = 'rate_limited' | 'busy' | 'timeout' | 'failed' | 'lost' | 'cancelled' | 'closed';

/** An order without an answer. */
export class WorkerQueueError extends Error {
  override readonly name = 'WorkerQueueError';
  constructor(
    readonly reason: WorkerQueueReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Makes problems; `ModuleServices` does. */
interface ProblemMaker {
  problem(code: 'rate_limited' | 'unavailable', details: ProblemDetails): Problem;
}

/**
 * The problem of an order that may succeed later.
 * @returns 429 `rate_limited` where too many orders of the user wait, and 503 `unavailable` where too many of all users wait, the process
 *   was killed, or the service stops; undefined for errors that are the fault of the order, or none of `WorkerQueue`
 */
export function laterProblem(host: ProblemMaker, error: unknown): Problem | undefined {
  if (!(error instanceof WorkerQueueError) || error.reason === 'timeout' || error.reason === 'failed') return undefined;
  const code = error.reason === 'rate_limited' ? 'rate_limited' : 'unavailable';
  // A problem with a cause is logged, and a client that goes is no problem of the service.
  const cause = error.reason === 'cancelled' ? undefined : error;
  return host.problem(code, { detail: error.message, headers: { 'retry-after': '5' }, cause });
}
