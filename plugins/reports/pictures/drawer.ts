/** The worker thread that draws, its queue and its limits. */
import { Worker } from 'node:worker_threads';
import type { Answer, Order } from './worker.js';

/** Drawings that may wait for the worker. */
const MAX_WAITING = 32;
/** Time for one drawing, including the start of the worker. */
const LIMIT_MS = 10_000;
const IDLE_MS = 60_000;
/** A drawing that needs more memory fails instead of the service. */
const MEMORY_MB = 512;

/**
 * Why a picture was not drawn: `busy` (too many are waiting; later it may succeed), `timeout` (it takes longer than ten
 * seconds), `invalid` (the options), `failed` (an error of the drawing code) or `closed`.
 */
export class DrawingError extends Error {
  override readonly name = 'DrawingError';
  constructor(
    readonly reason: 'busy' | 'timeout' | 'invalid' | 'failed' | 'closed',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

interface Job {
  order: Order;
  resolve: (answer: Answer) => void;
  reject: (error: DrawingError) => void;
}

/** Draws one picture at a time, in the order of the calls. */
export class Drawer {
  #worker: Worker | undefined;
  #job: Job | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #waiting: Job[] = [];

  /** @throws DrawingError */
  async draw(order: Order): Promise<Answer> {
    const { width } = order.options;
    if (!(Number.isFinite(width) && width >= 400 && width <= 4_000))
      throw new DrawingError('invalid', 'A picture is 400 to 4,000 px wide.');
    if (this.#isClosed) throw new DrawingError('closed', 'The drawing of pictures has ended.');
    if (this.#waiting.length >= MAX_WAITING)
      throw new DrawingError('busy', `${MAX_WAITING} pictures are waiting to be drawn.`);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ order, resolve, reject });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const error = new DrawingError('closed', 'The service stopped before the picture was drawn.');
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
      // An idle worker must not keep the process alive.
      this.#worker?.unref();
      this.#timer = setTimeout(() => void this.#end(), IDLE_MS).unref();
      return;
    }
    this.#job = job;
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#timer = setTimeout(() => {
      const seconds = LIMIT_MS / 1_000;
      this.#fail(new DrawingError('timeout', `The picture was not drawn within ${seconds} seconds.`));
    }, LIMIT_MS);
    try {
      this.#worker.postMessage(job.order);
    } catch (cause) {
      // Content that cannot be copied to the worker, such as a function or nesting that exhausts the stack.
      this.#fail(new DrawingError('failed', 'The picture has content that cannot be drawn.', { cause }));
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      // Flags of the process, such as loaders of test runners, are not for drawing.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    const isCurrent = (): boolean => this.#worker === worker;
    worker.on('message', (answer: Answer) => {
      if (isCurrent()) this.#finish(answer);
    });
    worker.on('error', (cause) => {
      if (isCurrent()) this.#fail(new DrawingError('failed', 'The picture could not be drawn.', { cause }));
    });
    worker.on('exit', (code) => {
      if (!isCurrent()) return;
      this.#worker = undefined;
      this.#fail(new DrawingError('failed', `The drawing worker ended with code ${code}.`));
    });
    return worker;
  }

  #finish(answer: Answer): void {
    const job = this.#job;
    this.#job = undefined;
    if (answer.error === undefined) job?.resolve(answer);
    else job?.reject(new DrawingError('failed', 'The picture could not be drawn.', { cause: answer.error }));
    this.#next();
  }

  /** Rejects the current job, ends the worker, which may still be drawing, and continues with a new one. */
  #fail(error: DrawingError): void {
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
