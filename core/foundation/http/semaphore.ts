import { problem } from '../errors.js';

interface SemaphoreLimits {
  /** Plural name of the counted tasks, used in the problem text. */
  what: string;
  /** Maximum number of running tasks. */
  most: number;
  /** Maximum number of running tasks per user. */
  each: number;
  /** Maximum wait, in milliseconds. */
  waitMs: number;
}

interface Waiting {
  user: string;
  begin(): void;
}

/** Maximum number of waiting tasks per user; more are rejected at once. */
const MOST_WAITING = 200;
/** Number of users whose most recent turn is stored. */
const MOST_REMEMBERED = 1_000;

/**
 * Limits the number of concurrent tasks, in total and per user, and queues the rest: tasks that hold a connection for
 * long must leave connections for short requests. The next task is that of the user with the fewest running tasks, then
 * of the user whose most recent turn is the oldest, or who had none.
 */
export class Semaphore {
  private total = 0;
  private readonly running = new Map<string, number>();
  private readonly waiting: Waiting[] = [];
  /** Users in the order of their most recent turns. */
  private readonly served = new Set<string>();

  constructor(private readonly limits: SemaphoreLimits) {}

  /**
   * Waits for a turn.
   * @param user the user of the task
   * @returns a function that ends the turn; calling it again has no effect
   * @throws rate_limited when the wait times out, or too many tasks of the user are waiting
   */
  async take(user: string): Promise<() => void> {
    const free = this.tryTake(user);
    if (free) return free;
    if (this.waiting.filter((waiting) => waiting.user === user).length >= MOST_WAITING) throw this.refusal(user);
    await this.wait(user);
    return this.turn(user);
  }

  /** Takes a turn if one is free at once; returns undefined otherwise. */
  tryTake(user: string): (() => void) | undefined {
    if (this.total >= this.limits.most || !this.mayRun(user)) return undefined;
    this.begin(user);
    return this.turn(user);
  }

  /** Whether a queued task could start if a task of another user ended. */
  get isContended(): boolean {
    return this.total >= this.limits.most && this.waiting.some(({ user }) => this.mayRun(user));
  }

  private of(user: string): number {
    return this.running.get(user) ?? 0;
  }

  private mayRun(user: string): boolean {
    return this.of(user) < this.limits.each;
  }

  private begin(user: string): void {
    this.total++;
    this.running.set(user, this.of(user) + 1);
    this.served.delete(user);
    this.served.add(user);
    if (this.served.size > MOST_REMEMBERED) this.served.delete(this.served.values().next().value!);
  }

  private turn(user: string): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.total--;
      if (this.of(user) > 1) this.running.set(user, this.of(user) - 1);
      else this.running.delete(user);
      const next = this.next();
      if (!next) return;
      this.waiting.splice(this.waiting.indexOf(next), 1);
      this.begin(next.user);
      next.begin();
    };
  }

  private next(): Waiting | undefined {
    const turns = [...this.served];
    const rank = ({ user }: Waiting): number => this.of(user) * (MOST_REMEMBERED + 2) + turns.indexOf(user);
    return this.waiting
      .filter(({ user }) => this.mayRun(user))
      .reduce<Waiting | undefined>(
        (first, waiting) => (first && rank(first) <= rank(waiting) ? first : waiting),
        undefined,
      );
  }

  private async wait(user: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const mine: Waiting = {
        user,
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(mine), 1);
        reject(this.refusal(user));
      }, this.limits.waitMs);
      this.waiting.push(mine);
    });
  }

  private refusal(user: string): Error {
    const detail = this.mayRun(user)
      ? `This node already runs the maximum number of ${this.limits.what}.`
      : `A user may run at most ${this.limits.each} ${this.limits.what} per node.`;
    return problem('rate_limited', { detail, headers: { 'retry-after': '10' } });
  }
}
