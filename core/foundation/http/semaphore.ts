import { problem } from '../errors.js';

export interface SemaphoreLimits {
  /** What is counted, in the plural, as its refusals name it. */
  what: string;
  /** That run at once. */
  most: number;
  /** That run at once for one user. */
  each: number;
  /** The longest wait, in milliseconds. */
  waitMs: number;
}

interface Waiting {
  user: string;
  begin(): void;
}

/** That wait for one user; more are refused at once. */
const MOST_WAITING = 200;
/** Users whose last turn is remembered. */
const MOST_REMEMBERED = 1_000;

/**
 * Lets so many run at once, and fewer for one user, and has the others wait: work that keeps a connection long must leave
 * some for requests that are over in a moment. Of those that wait comes first whose user has the fewest running, then
 * whose user had a turn the longest ago, or never.
 */
export class Semaphore {
  private total = 0;
  private readonly running = new Map<string, number>();
  private readonly waiting: Waiting[] = [];
  /** Users in the order of their last turns. */
  private readonly served = new Set<string>();

  constructor(private readonly limits: SemaphoreLimits) {}

  /**
   * Waits for a turn.
   * @param user whose it is
   * @returns a function that ends it; calling it again does nothing
   * @throws rate_limited when it takes too long, or too many of the user wait
   */
  async take(user: string): Promise<() => void> {
    const free = this.tryTake(user);
    if (free) return free;
    if (this.waiting.filter((waiting) => waiting.user === user).length >= MOST_WAITING) throw this.refusal(user);
    await this.wait(user);
    return this.turn(user);
  }

  /** The same where nobody need wait for it; undefined else. */
  tryTake(user: string): (() => void) | undefined {
    if (this.total >= this.limits.most || !this.mayRun(user)) return undefined;
    this.begin(user);
    return this.turn(user);
  }

  /** Whether somebody waits who had a turn if only another ended. */
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
      ? `As many ${this.limits.what} as this node runs at once are under way.`
      : `A user has at most ${this.limits.each} ${this.limits.what} under way on a node.`;
    return problem('rate_limited', { detail, headers: { 'retry-after': '10' } });
  }
}
