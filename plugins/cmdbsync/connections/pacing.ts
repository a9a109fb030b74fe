import { setTimeout as delay } from 'node:timers/promises';

/** Starts at most so many requests in a second, evenly spaced, in the order of the calls. */
export class Pacing {
  private next = 0;

  /** @param perSecond 1 to 1,000 */
  constructor(private readonly perSecond: number) {}

  /** Waits for the turn of a request. @throws if the signal is aborted */
  async turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const now = performance.now();
    const at = Math.max(now, this.next);
    this.next = at + 1_000 / this.perSecond;
    if (at > now) await delay(at - now, undefined, { signal });
  }
}
