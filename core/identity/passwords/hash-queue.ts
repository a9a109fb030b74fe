import { problem } from '../../foundation/errors.js';

interface HashQueueLimits {
  /** Maximum number of tasks that run concurrently. */
  atOnce: number;
  /** Maximum number of waiting tasks of all callers. */
  waiting: number;
  /** Maximum number of running and waiting tasks per caller. */
  share: number;
  /** Maximum wait in ms. */
  waitMs: number;
}

interface Waiter {
  begin(): void;
}

/**
 * Limits concurrent tasks and the length of the queue. Callers are served round-robin: a caller with many tasks does
 * not delay a caller with one.
 */
export class HashQueue {
  private running = 0;
  private waiting = 0;
  /** Waiting tasks per caller, in round-robin order. */
  private readonly lines = new Map<string, Waiter[]>();
  private readonly held = new Map<string, number>();

  constructor(private readonly limits: HashQueueLimits) {}

  /** Number of running and waiting tasks. */
  get size(): number {
    return this.running + this.waiting;
  }

  /**
   * Runs `work` when it is its turn.
   * @param caller the caller whose share is used
   * @throws 503 `unavailable` where too many tasks wait, in total or of the caller, or the wait times out
   */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const held = this.held.get(caller) ?? 0;
    if (held >= this.limits.share) throw busy();
    this.held.set(caller, held + 1);
    try {
      if (this.running < this.limits.atOnce) this.running++;
      else await this.turn(caller);
      try {
        return await work();
      } finally {
        this.next();
      }
    } finally {
      const left = this.held.get(caller)! - 1;
      if (left === 0) this.held.delete(caller);
      else this.held.set(caller, left);
    }
  }

  private async turn(caller: string): Promise<void> {
    if (this.waiting >= this.limits.waiting) throw busy();
    this.waiting++;
    const line = this.lines.get(caller) ?? [];
    this.lines.set(caller, line);
    try {
      await new Promise<void>((resolve, reject) => {
        const waiter = {
          begin: () => {
            clearTimeout(timer);
            resolve();
          },
        };
        const timer = setTimeout(() => {
          line.splice(line.indexOf(waiter), 1);
          if (line.length === 0 && this.lines.get(caller) === line) this.lines.delete(caller);
          reject(busy());
        }, this.limits.waitMs);
        line.push(waiter);
      });
    } finally {
      this.waiting--;
    }
  }

  /** Passes a free slot to the next caller, who then moves to the end of the round. */
  private next(): void {
    const [first] = this.lines;
    if (!first) {
      this.running--;
      return;
    }
    const [caller, line] = first;
    this.lines.delete(caller);
    const waiter = line.shift()!;
    if (line.length > 0) this.lines.set(caller, line);
    waiter.begin();
  }
}

const busy = () =>
  problem('unavailable', {
    detail: 'Too many passwords are queued for verification; try again.',
    headers: { 'retry-after': '2' },
  });
