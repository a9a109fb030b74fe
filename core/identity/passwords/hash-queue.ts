import { problem } from '../../foundation/errors.js';

export interface HashQueueLimits {
  /** Works that run at once. */
  atOnce: number;
  /** Works that wait, of all callers together. */
  waiting: number;
  /** Works that run or wait, of one caller. */
  share: number;
  /** The longest wait for a turn, in ms. */
  waitMs: number;
}

interface Waiter {
  begin(): void;
}

/**
 * Lets few works run at once and a bounded number wait, callers taking turns: one who sends many is waited for no longer
 * than one who sends one.
 */
export class HashQueue {
  private running = 0;
  private waiting = 0;
  /** By caller, in the order of their next turns. */
  private readonly lines = new Map<string, Waiter[]>();
  private readonly held = new Map<string, number>();

  constructor(private readonly limits: HashQueueLimits) {}

  /** Works that run or wait. */
  get size(): number {
    return this.running + this.waiting;
  }

  /**
   * Runs `work` when it is its turn.
   * @param caller whom its share is counted for
   * @throws 503 `unavailable` where too many wait, in all or of the caller, or the turn does not come in time
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

  /** Gives the place of a work that is over to the caller whose turn it is, whose next turn is after all others'. */
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
    detail: 'Too many passwords are waiting to be checked; try again.',
    headers: { 'retry-after': '2' },
  });
