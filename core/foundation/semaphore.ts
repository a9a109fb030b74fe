import { problem, type Problem } from './errors.js';

interface SemaphoreLimits {
  /** Plural name of the counted tasks, used in the problem text. */
  what: string;
  /** Maximum number of running tasks. */
  most: number;
  /** Maximum number of running tasks per user. */
  each: number;
  /** Maximum wait, in milliseconds. */
  waitMs: number;
  /** Maximum number of waiting tasks per user, 200 when absent; more are rejected at once. */
  waitingEach?: number;
}

interface Waiting {
  begin(): void;
}

/** A task that may end while it waits, such as that of a request whose client disconnects. */
interface Leaving {
  readonly isGone: boolean;
  /** @returns a function after which `end` is not called any more */
  whenGone(end: () => void): () => void;
}

const WAITING_EACH = 200;
/** Number of users whose most recent turn is stored. */
const MOST_REMEMBERED = 1_000;

/** The error of a task whose client disconnected while it waited. */
export const disconnected = (): Problem => problem('bad_request', { detail: 'The client disconnected.' });

/**
 * Limits the number of concurrent tasks, in total and per user, and queues the rest: tasks that hold a connection for
 * long must leave connections for short requests. The next task is that of the user with the fewest running tasks, then
 * of the user whose most recent turn is the oldest, or who had none; of this user, the one that has waited for longest.
 */
export class Semaphore {
  private total = 0;
  private turns = 0;
  private readonly running = new Map<string, number>();
  private readonly waiting = new Map<string, Set<Waiting>>();
  /** Number of the most recent turn of each user, in ascending order. */
  private readonly served = new Map<string, number>();

  constructor(private readonly limits: SemaphoreLimits) {}

  /**
   * Waits for a turn.
   * @param user the user of the task
   * @param task gives up its place in the queue when it is gone
   * @returns a function that ends the turn; calling it again has no effect
   * @throws rate_limited when the wait times out, or too many tasks of the user are waiting; bad_request when the task is gone
   */
  async take(user: string, task?: Leaving): Promise<() => void> {
    const free = this.tryTake(user);
    if (free) return free;
    if (task?.isGone) throw disconnected();
    if ((this.waiting.get(user)?.size ?? 0) >= (this.limits.waitingEach ?? WAITING_EACH)) throw this.refusal(user);
    return await this.wait(user, task);
  }

  /** Takes a turn if one is free at once; returns undefined otherwise. */
  tryTake(user: string): (() => void) | undefined {
    if (this.total >= this.limits.most || !this.mayRun(user)) return undefined;
    return this.takeAnyway(user);
  }

  /** Takes a turn without waiting, even above the limits, for a task that must not wait; it counts like all others. */
  takeAnyway(user: string): () => void {
    this.begin(user);
    return this.turn(user);
  }

  /** Whether a queued task could start if a task of another user ended. */
  get isContended(): boolean {
    return this.total >= this.limits.most && [...this.waiting.keys()].some((user) => this.mayRun(user));
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
    this.served.set(user, this.turns++);
    if (this.served.size > MOST_REMEMBERED) this.served.delete(this.served.keys().next().value!);
  }

  private turn(user: string): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.total--;
      if (this.of(user) > 1) this.running.set(user, this.of(user) - 1);
      else this.running.delete(user);
      while (this.total < this.limits.most && this.beginNext());
    };
  }

  /** @returns whether a task could begin */
  private beginNext(): boolean {
    let next: string | undefined;
    let [fewest, oldest] = [Infinity, Infinity];
    for (const user of this.waiting.keys()) {
      const [running, latest] = [this.of(user), this.served.get(user) ?? -1];
      if (!this.mayRun(user) || running > fewest || (running === fewest && latest >= oldest)) continue;
      [next, fewest, oldest] = [user, running, latest];
    }
    if (next === undefined) return false;
    const [first] = this.waiting.get(next)!;
    this.leave(next, first!);
    this.begin(next);
    first!.begin();
    return true;
  }

  private leave(user: string, waiting: Waiting): void {
    const queue = this.waiting.get(user);
    queue?.delete(waiting);
    if (queue?.size === 0) this.waiting.delete(user);
  }

  private wait(user: string, task: Leaving | undefined): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const refuse = (error: Error): void => {
        end();
        this.leave(user, mine);
        reject(error);
      };
      const end = (): void => {
        clearTimeout(timer);
        stay?.();
      };
      const mine: Waiting = {
        begin: () => {
          end();
          resolve(this.turn(user));
        },
      };
      const timer = setTimeout(() => refuse(this.refusal(user)), this.limits.waitMs);
      const stay = task?.whenGone(() => refuse(disconnected()));
      const queue = this.waiting.get(user) ?? new Set();
      this.waiting.set(user, queue.add(mine));
    });
  }

  private refusal(user: string): Error {
    const detail = this.mayRun(user)
      ? `This node already runs the maximum number of ${this.limits.what}.`
      : `A user may run at most ${this.limits.each} ${this.limits.what} per node.`;
    return problem('rate_limited', { detail, headers: { 'retry-after': '10' } });
  }
}
