import { problem, type Problem } from '../errors.js';
import { disconnected } from '../semaphore.js';

/** Bodies above this size need a slot. */
export const LARGE_BYTES = 1_048_576;
/** Maximum number of waiting requests: per node, and per client. */
const MOST_WAITING = 50;
const MOST_WAITING_EACH = 5;
/** Seconds until a rejected client may retry. */
const RETRY_SECONDS = 5;
/** Number of callers whose most recent turn is stored. */
const MOST_REMEMBERED = 1_000;

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
 * The slots of a node for requests that take much memory or work: those with large bodies, and, in another instance, bulk requests
 * with many operations. The number of slots is small, and a client has at most one, so that large requests do not exhaust memory or
 * block other clients.
 */
export class LargeBodies {
  private readonly callers = new Set<string>();
  private readonly waiting: Waiter[] = [];
  /** Callers in the order of their most recent turns. */
  private readonly served = new Set<string>();
  private isClosed = false;

  /** @param places number of slots @param waitMs maximum wait for a slot, in milliseconds */
  constructor(
    private readonly places: number,
    private readonly waitMs: number,
  ) {}

  /** Requests that hold a slot. */
  get taken(): number {
    return this.callers.size;
  }

  /** Requests that wait for a slot. */
  get queued(): number {
    return this.waiting.length;
  }

  /**
   * Waits for a slot. The next one is for the caller whose most recent turn is the oldest, or who had none; of these, for the request
   * that came first.
   * @param caller the client of the request
   * @param gone aborts when the client disconnects
   * @returns a function that releases the slot; must be called once
   * @throws bad_request when the client disconnects; busy where too many requests wait or the wait times out; unavailable when the node stops
   */
  async enter(caller: string, gone: AbortSignal): Promise<() => void> {
    if (this.isClosed) throw stopping();
    if (gone.aborted) throw disconnected();
    if (this.isFree(caller)) return this.take(caller);
    if (this.waiting.length >= MOST_WAITING) throw busy('Too many large requests are waiting.');
    if (this.waiting.filter((waiter) => waiter.caller === caller).length >= MOST_WAITING_EACH)
      throw busy('Too many large requests of the caller are waiting.');
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
      const onGone = (): void => waiter.refuse(disconnected());
      const timer = setTimeout(
        () => waiter.refuse(busy('No slot for a large request became free in time.')),
        this.waitMs,
      );
      gone.addEventListener('abort', onGone);
      this.waiting.push(waiter);
    });
  }

  /** Rejects all waiting and future requests. */
  close(): void {
    this.isClosed = true;
    for (const waiter of [...this.waiting]) waiter.refuse(stopping());
  }

  private isFree(caller: string): boolean {
    return this.callers.size < this.places && !this.callers.has(caller);
  }

  private take(caller: string): () => void {
    this.callers.add(caller);
    this.served.delete(caller);
    this.served.add(caller);
    if (this.served.size > MOST_REMEMBERED) this.served.delete(this.served.values().next().value!);
    return () => {
      this.callers.delete(caller);
      this.next()?.grant();
    };
  }

  private next(): Waiter | undefined {
    const turns = [...this.served];
    return this.waiting
      .filter(({ caller }) => this.isFree(caller))
      .map((waiter) => ({ waiter, turn: turns.indexOf(waiter.caller) }))
      .sort((a, b) => a.turn - b.turn)[0]?.waiter;
  }
}
