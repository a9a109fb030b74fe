import { asService } from './request-use.js';

/** Milliseconds of work of requests in one turn of the event loop, after which further ones wait. */
const SLICE_MS = 8;
/** Maximum number of waiting requests that begin in a turn. */
const MOST_BEGUN = 50;

/** Work that waits for a later turn, by caller. The caller whose work began last is the last one. */
const waiting = new Map<string, Set<() => void>>();
let count = 0;
/** Callbacks of the event loop that are scheduled, each of which begins one piece of work: so promises continue in between, and count too. */
let scheduled = 0;
/** End of the slice of the current turn; undefined until something begins in this turn. */
let end: number | undefined;

const endTurn = (): void => {
  end = undefined;
};

function hasTime(): boolean {
  if (end !== undefined) return performance.now() < end;
  end = performance.now() + SLICE_MS;
  setImmediate(endTurn);
  return true;
}

function takeFirst(): () => void {
  const [[caller, queue]] = waiting as unknown as [[string, Set<() => void>]];
  const [work] = queue as unknown as [() => void];
  queue.delete(work);
  count--;
  waiting.delete(caller);
  if (queue.size > 0) waiting.set(caller, queue);
  return work;
}

function step(): void {
  scheduled--;
  const work = hasTime() ? takeFirst() : undefined;
  schedule();
  work?.();
}

function schedule(): void {
  for (; scheduled < Math.min(count, MOST_BEGUN); scheduled++) setImmediate(step);
}

/**
 * Begins work of a request in a later turn of the event loop, callers in turn. Node.js passes on in one turn whatever has arrived on all
 * connections: without a pause, nothing else would be processed until all of it is.
 * @param caller id of the user, or key of the client address
 */
export function beginLater(caller: string, work: () => void): void {
  const queue = waiting.get(caller) ?? new Set();
  waiting.set(caller, queue.add(work));
  count++;
  asService(schedule);
}

/** Whether work of a request may begin at once: nothing waits, and the turn has time left. */
export const mayBegin = (): boolean => count === 0 && hasTime();

/** Begins work of a request now if nothing waits and the turn has time left, and else in a later turn. @param callerOf see `beginLater` */
export function beginFairly(callerOf: () => string, work: () => void): void {
  if (mayBegin()) work();
  else beginLater(callerOf(), work);
}
