/** Work in a thread of its own, such as parsing, layout and drawing: its queue and its limits. */
import { parentPort, Worker } from 'node:worker_threads';

/**
 * Why an order has no answer: `busy` (too many are waiting; later it may succeed), `timeout` (it takes longer than its
 * limit), `failed` (an error of the code in the thread, or too little memory) or `closed`.
 */
export class WorkerQueueError extends Error {
  override readonly name = 'WorkerQueueError';
  constructor(
    readonly reason: 'busy' | 'timeout' | 'failed' | 'closed',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The script of a thread and its limits. */
export interface WorkerQueueOptions {
  /** The module that the thread runs; it calls `answerOrders`. */
  script: URL;
  /** Time for one order in milliseconds, including the start of the thread. Default: 10,000. */
  limitMs?: number | undefined;
  /** Orders that may wait. Default: 32. */
  maxWaiting?: number | undefined;
  /** Memory of the thread in MB: an order that needs more fails instead of the service. Default: 512. */
  memoryMb?: number | undefined;
  /** The thread ends after so many milliseconds without an order. Default: 60,000. */
  idleMs?: number | undefined;
}

interface Job<Order, Answer> {
  order: Order;
  resolve: (answer: Answer) => void;
  reject: (error: WorkerQueueError) => void;
}

/** What the thread posts for an order. */
type Reply<Answer> = { answer: Answer } | { error: unknown };

/**
 * Runs one order at a time in a worker thread, in the order of the calls. Orders and answers are copied as by
 * `structuredClone`. Starts nothing: the thread starts with the first order. A thread that exceeds the time of an order is
 * terminated, which is the only way to interrupt it, and the next order starts another one.
 */
export class WorkerQueue<Order, Answer> {
  #worker: Worker | undefined;
  #job: Job<Order, Answer> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #waiting: Job<Order, Answer>[] = [];
  readonly #options: { [K in keyof WorkerQueueOptions]-?: NonNullable<WorkerQueueOptions[K]> };

  constructor({ script, limitMs = 10_000, maxWaiting = 32, memoryMb = 512, idleMs = 60_000 }: WorkerQueueOptions) {
    this.#options = { script, limitMs, maxWaiting, memoryMb, idleMs };
  }

  /** @throws WorkerQueueError */
  async run(order: Order): Promise<Answer> {
    if (this.#isClosed) throw new WorkerQueueError('closed', 'The worker thread has been closed.');
    if (this.#waiting.length >= this.#options.maxWaiting)
      throw new WorkerQueueError('busy', `${this.#options.maxWaiting} requests are waiting for the worker thread.`);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ order, resolve, reject });
      this.#next();
    });
  }

  /** Ends the thread; orders that are under way or waiting fail, later ones too. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const error = new WorkerQueueError('closed', 'The service stopped before the answer was complete.');
    for (const job of this.#waiting.splice(0)) job.reject(error);
    this.#job?.reject(error);
    this.#job = undefined;
    await this.#end();
  }

  #next(): void {
    if (this.#job || this.#isClosed) return;
    const job = this.#waiting.shift();
    clearTimeout(this.#timer);
    if (!job) {
      // An idle thread must not keep the process alive.
      this.#worker?.unref();
      this.#timer = setTimeout(() => void this.#end(), this.#options.idleMs).unref();
      return;
    }
    this.#job = job;
    this.#worker ??= this.#start();
    this.#worker.ref();
    const { limitMs } = this.#options;
    this.#timer = setTimeout(() => {
      this.#fail(new WorkerQueueError('timeout', `The answer was not complete within ${limitMs / 1_000} seconds.`));
    }, limitMs);
    try {
      this.#worker.postMessage(job.order);
    } catch (cause) {
      // Content that cannot be copied, such as a function or nesting that exhausts the stack.
      this.#fail(new WorkerQueueError('failed', 'The content cannot be sent to the worker thread.', { cause }));
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#options.script, {
      // Flags of the process, such as loaders of test runners, are not for the thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#options.memoryMb },
    });
    const isCurrent = (): boolean => this.#worker === worker;
    worker.on('message', (reply: Reply<Answer>) => {
      if (isCurrent()) this.#finish(reply);
    });
    worker.on('error', (cause) => {
      if (isCurrent()) this.#fail(new WorkerQueueError('failed', 'The worker thread failed.', { cause }));
    });
    worker.on('exit', (code) => {
      if (!isCurrent()) return;
      this.#worker = undefined;
      this.#fail(new WorkerQueueError('failed', `The worker thread ended with code ${code}.`));
    });
    return worker;
  }

  #finish(reply: Reply<Answer>): void {
    const job = this.#job;
    this.#job = undefined;
    if ('answer' in reply) job?.resolve(reply.answer);
    else job?.reject(new WorkerQueueError('failed', 'The worker thread could not answer.', { cause: reply.error }));
    this.#next();
  }

  /** Rejects the current job, ends the thread, which may still be at work, and continues with a new one. */
  #fail(error: WorkerQueueError): void {
    const job = this.#job;
    this.#job = undefined;
    void this.#end();
    job?.reject(error);
    this.#next();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/**
 * Answers the orders of a `WorkerQueue`, in the script of its thread.
 * @param work an error it throws makes the order fail, with the error as cause
 * @param transfer the buffers of an answer that are moved instead of copied
 */
export function answerOrders<Order, Answer>(
  work: (order: Order) => Answer | Promise<Answer>,
  transfer: (answer: Answer) => readonly ArrayBuffer[] = () => [],
): void {
  const answerOne = async (order: Order): Promise<void> => {
    try {
      const answer = await work(order);
      parentPort!.postMessage({ answer } satisfies Reply<Answer>, [...transfer(answer)]);
    } catch (error) {
      parentPort!.postMessage({ error } satisfies Reply<Answer>);
    }
  };
  parentPort!.on('message', (order: Order) => void answerOne(order));
}
