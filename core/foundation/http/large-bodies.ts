import { problem, type Problem } from '../errors.js';

/** Bytes above which a body takes a place. */
export const LARGE_BYTES = 1_048_576;
/** Requests that wait, at most: of a node, and of one caller. */
const MOST_WAITING = 50;
const MOST_WAITING_EACH = 5;
/** Seconds after which a caller that found no place may try again. */
const RETRY_SECONDS = 5;

interface Waiter {
  caller: string;
  grant(): void;
  refuse(problem: Problem): void;
}

const stopping = (): Problem =>
  problem('unavailable', { detail: 'The service is stopping.', headers: { 'retry-after': String(RETRY_SECONDS) } });
const busy = (detail: string): Problem =>
  problem('busy', { detail, headers: { 'retry-after': String(RETRY_SECONDS) } });

/**
 * The places of a node for requests with large bodies: from before the body is read until the answer is sent. There are
 * few of them, and one caller has one at a time, so that neither memory nor others suffer from many at once.
 */
export class LargeBodies {
  private readonly callers = new Set<string>();
  private readonly waiting: Waiter[] = [];
  private isClosed = false;

  /** @param places how many there are @param waitMs the longest wait for one, in milliseconds */
  constructor(
    private readonly places: number,
    private readonly waitMs: number,
  ) {}

  /** Requests that have a place. */
  get taken(): number {
    return this.callers.size;
  }

  /** Requests that wait for one. */
  get queued(): number {
    return this.waiting.length;
  }

  /**
   * Waits for a place, in the order of coming.
   * @param caller whose request it is
   * @param gone aborts when the caller does not wait any longer
   * @returns what gives the place back; to be called once
   * @throws busy where too many wait or the wait is over; unavailable when the node stops
   */
  async enter(caller: string, gone: AbortSignal): Promise<() => void> {
    if (this.isClosed) throw stopping();
    if (this.isFree(caller)) return this.take(caller);
    if (this.waiting.length >= MOST_WAITING) throw busy('Too many large requests wait for their turn.');
    if (this.waiting.filter((waiter) => waiter.caller === caller).length >= MOST_WAITING_EACH)
      throw busy('Too many large requests of the caller wait for their turn.');
    return await new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        gone.removeEventListener('abort', onGone);
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
      };
      const waiter: Waiter = {
        caller,
        grant: () => {
          leave();
          resolve(this.take(caller));
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const onGone = (): void => waiter.refuse(problem('bad_request', { detail: 'The caller went away.' }));
      const timer = setTimeout(
        () => waiter.refuse(busy('No place for a large request became free in time.')),
        this.waitMs,
      );
      gone.addEventListener('abort', onGone);
      this.waiting.push(waiter);
    });
  }

  /** From here on nobody gets a place; who waits is told at once. */
  close(): void {
    this.isClosed = true;
    for (const waiter of [...this.waiting]) waiter.refuse(stopping());
  }

  private isFree(caller: string): boolean {
    return this.callers.size < this.places && !this.callers.has(caller);
  }

  private take(caller: string): () => void {
    this.callers.add(caller);
    return () => {
      this.callers.delete(caller);
      this.waiting.find((waiter) => this.isFree(waiter.caller))?.grant();
    };
  }
}
