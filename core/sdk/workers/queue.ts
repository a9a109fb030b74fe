/** Work in other processes, such as parsing, layout and drawing: its queue and its limits. */
import { deserialize } from 'node:v8';
import { extraFonts } from '../drawing/extra-fonts.js';
import { Child } from './child.js';
import { WorkerQueueError } from './errors.js';
import type { Reply } from './messages.js';
import { endScript, giveChild, killChild, replaceChild, takeChild, turns } from './pool.js';
import type { Waiting } from './turns.js';

/** The script of the orders and its limits. */
export interface WorkerQueueOptions {
  /** The module that the process loads; it calls `answerOrders`. */
  script: URL;
  /** Time for one order in milliseconds, including the start of the process. Default: 10,000. */
  limitMs?: number | undefined;
  /** Orders that may wait. Default: 32. */
  maxWaiting?: number | undefined;
  /** Memory for JavaScript in MB: an order that needs more fails instead of the service. Default: 256. */
  memoryMb?: number | undefined;
  /** The process ends after so many milliseconds without an order. Default: 60,000. */
  idleMs?: number | undefined;
  /**
   * For long work of jobs that keeps state from order to order: the queue has a process of its own, which waits for no turn and counts for no
   * user. Default: false.
   */
  isOwn?: boolean | undefined;
}

/** Who orders: the context of a request or job. */
export interface OrderedBy {
  readonly actor: { readonly id: string } | null;
  /** Its signal is aborted when the answer is not needed any more. */
  readonly lifetime?: { readonly signal: AbortSignal } | undefined;
}

/** Orders of one user that may wait, of all queues. */
const MOST_WAITING_OF_USER = 8;
/** Time in milliseconds that an order has to complete after its client has gone: a new process costs as much as a short order. */
const GONE_MS = 1_000;

interface Job<Order, Answer> extends Waiting {
  order: Order;
  resolve: (answer: Answer) => void;
  reject: (error: WorkerQueueError) => void;
  signal: AbortSignal | undefined;
  child?: Child;
  timer?: NodeJS.Timeout;
}

/**
 * Runs orders in processes that are killed where an order exceeds its time, or its client has gone: native code cannot be interrupted
 * otherwise. All queues of a node share two to four processes, which start with the first order and end when they are
 * idle; one order of a user runs at a time. Orders and answers are copied as by `structuredClone`; an answer has 64 MB at most.
 */
export class WorkerQueue<Order, Answer> {
  #isClosed = false;
  #own: Child | undefined;
  readonly #waiting = new Set<Job<Order, Answer>>();
  readonly #running = new Set<Job<Order, Answer>>();
  readonly #options: { [K in keyof WorkerQueueOptions]-?: NonNullable<WorkerQueueOptions[K]> };

  constructor({
    script,
    limitMs = 10_000,
    maxWaiting = 32,
    memoryMb = 256,
    idleMs = 60_000,
    isOwn = false,
  }: WorkerQueueOptions) {
    this.#options = { script, limitMs, maxWaiting, memoryMb, idleMs, isOwn };
  }

  /**
   * @param by who orders, such as the context of the request; absent for work that no user has ordered
   * @throws WorkerQueueError
   */
  async run(order: Order, by?: OrderedBy): Promise<Answer> {
    this.#admit(by);
    // Work of the system waits for other such work of the same queue only.
    const user = by?.actor?.id ?? this.#options.script.href;
    return await new Promise((resolve, reject) => {
      const signal = by?.lifetime?.signal;
      const job: Job<Order, Answer> = { order, user, signal, resolve, reject, begin: () => this.#begin(job) };
      this.#waiting.add(job);
      this.#watch(job);
      if (!this.#options.isOwn) turns.add(job);
      else if (this.#running.size === 0) job.begin();
    });
  }

  /** Kills the processes; orders that are under way or waiting fail, later ones too. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const error = new WorkerQueueError('closed', 'The service stopped before the answer was complete.');
    for (const job of this.#waiting) {
      turns.remove(job);
      job.reject(error);
    }
    this.#waiting.clear();
    for (const job of this.#running) job.reject(error);
    await Promise.all([...this.#running].map((job) => this.#kill(job)));
    await this.#own?.kill();
    await endScript(this.#options.script.href);
  }

  /** @throws WorkerQueueError where the order may not wait */
  #admit(by: OrderedBy | undefined): void {
    const { maxWaiting } = this.#options;
    if (this.#isClosed) throw new WorkerQueueError('closed', 'The service does not answer orders any more.');
    if (by?.lifetime?.signal?.aborted) throw gone();
    const user = by?.actor?.id;
    if (user !== undefined && turns.waitingOf(user) >= MOST_WAITING_OF_USER)
      throw new WorkerQueueError('rate_limited', `${MOST_WAITING_OF_USER} requests of the user wait to be computed.`);
    if (this.#waiting.size >= maxWaiting)
      throw new WorkerQueueError('busy', `${maxWaiting} requests wait to be computed.`);
  }

  /** Drops an order whose client goes, or ends it soon if it is running already. */
  #watch(job: Job<Order, Answer>): void {
    const { signal } = job;
    if (!signal) return;
    const onAbort = (): void => {
      if (this.#waiting.delete(job)) turns.remove(job);
      else if (this.#running.has(job)) this.#limit(job, GONE_MS, gone());
      job.reject(gone());
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const { resolve, reject } = job;
    job.resolve = (answer) => {
      signal.removeEventListener('abort', onAbort);
      resolve(answer);
    };
    job.reject = (error) => {
      signal.removeEventListener('abort', onAbort);
      reject(error);
    };
  }

  #begin(job: Job<Order, Answer>): void {
    this.#waiting.delete(job);
    this.#running.add(job);
    this.#start(job, false);
  }

  /** @param isAgain whether the process of a first attempt was killed */
  #start(job: Job<Order, Answer>, isAgain: boolean): void {
    const { script, limitMs } = this.#options;
    const child = (job.child = this.#take());
    const late = `The answer was not complete within ${limitMs / 1_000} seconds.`;
    this.#limit(job, limitMs, new WorkerQueueError('timeout', late));
    child.run({ script: script.href, fonts: extraFonts(), order: job.order }).then(
      (reply) => this.#finish(job, deserialize(reply) as Reply),
      (cause: Error) => void this.#fail(job, child, cause, isAgain),
    );
  }

  /** Ends an order whose process has ended; one whose process was killed by something else is tried once more. */
  async #fail(job: Job<Order, Answer>, child: Child, cause: Error, isAgain: boolean): Promise<void> {
    const { memoryMb, isOwn } = this.#options;
    // Its time was over, and its process has been killed.
    if (!this.#running.has(job)) return;
    clearTimeout(job.timer);
    await this.#replace(child);
    if (!this.#running.has(job)) return;
    // A process of its own had a state that the next one has not.
    if (child.isLost && !isAgain && !isOwn && !job.signal?.aborted) {
      this.#start(job, true);
      return;
    }
    clearTimeout(job.timer);
    this.#running.delete(job);
    job.reject(
      child.isLost
        ? new WorkerQueueError('lost', 'The process was killed before the answer was complete.', { cause })
        : new WorkerQueueError('failed', `The order could not be answered within ${memoryMb} MB.`, {
            ...(!child.hasEnded && { cause }),
          }),
    );
    this.#end(job);
  }

  #take(): Child {
    const { script, memoryMb, isOwn } = this.#options;
    if (!isOwn) return takeChild(script.href, memoryMb);
    if (!this.#own || this.#own.isSpent) this.#own = new Child(memoryMb, true);
    return this.#own;
  }

  /** Kills the process of an order after a time. */
  #limit(job: Job<Order, Answer>, ms: number, error: WorkerQueueError): void {
    clearTimeout(job.timer);
    job.timer = setTimeout(() => void this.#kill(job, true).then(() => job.reject(error)), ms);
  }

  #finish(job: Job<Order, Answer>, reply: Reply): void {
    if (!this.#running.delete(job)) return;
    clearTimeout(job.timer);
    if (!this.#options.isOwn) giveChild(job.child!, this.#options.idleMs);
    if ('answer' in reply) job.resolve(reply.answer as Answer);
    else job.reject(new WorkerQueueError('failed', 'The order could not be answered.', { cause: reply.error }));
    this.#end(job);
  }

  /** Ends an order with its process. @param isReplaced whether another process takes its place at once */
  async #kill(job: Job<Order, Answer>, isReplaced = false): Promise<void> {
    if (!this.#running.delete(job)) return;
    clearTimeout(job.timer);
    await (isReplaced ? this.#replace(job.child!) : killChild(job.child!));
    this.#end(job);
  }

  async #replace(child: Child): Promise<void> {
    const { isOwn, idleMs } = this.#options;
    await killChild(child);
    if (!isOwn && !this.#isClosed) replaceChild(child, idleMs);
  }

  #end(job: Job<Order, Answer>): void {
    if (!this.#options.isOwn) turns.end(job.user);
    else this.#waiting.values().next().value?.begin();
  }
}

const gone = (): WorkerQueueError => new WorkerQueueError('cancelled', 'The client has closed the connection.');
