import { Signal } from '../../foundation/signal.js';

/** What one pass over the log has done. `taken`: another node processes the same consumer. */
export type PassResult = 'nothing' | 'all' | 'more' | 'taken';

/** How a consumer of the log processes events on this node. */
interface ConsumerLoopOptions {
  /** Makes the row with the stored position, if there is none; repeated until it succeeds. */
  prepare(): Promise<void>;
  /** Processes events after the stored position. */
  pass(): Promise<PassResult>;
  /** Receives what `prepare` or `pass` threw; not called after the loop was closed. */
  failed(error: unknown): void | Promise<void>;
  /** Milliseconds until the next pass without a notification, in case one was lost. */
  pollMs: number;
  /** Milliseconds between attempts after a failure, or while another node processes the consumer. */
  againMs: number;
}

/**
 * Interval between passes under steady load, in milliseconds, because each pass costs several statements; the first pass
 * begins at once.
 */
const PACE_MS = 40;

/**
 * Milliseconds until the next pass after one that found nothing: each event notifies this node, which polls the log, and
 * another node that failed while it processed one would have been noticed by the pass.
 */
const IDLE_MS = 30_000;

/** Runs the passes of one consumer of the event log on this node, one after the other, until it is closed. */
export class ConsumerLoop {
  private readonly signal = new Signal();
  private readonly working: Promise<void>;
  private isClosed = false;

  constructor(private readonly options: ConsumerLoopOptions) {
    this.working = this.work();
  }

  /** Begins a pass now, or after the current one. */
  notify = (): void => this.signal.raise();

  /** Ends the loop after the current pass. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.notify();
    await this.working;
  }

  private async work(): Promise<void> {
    const { prepare, pass, failed, pollMs, againMs } = this.options;
    let isPrepared = false;
    // The constructor returns first, so that options may refer to the loop.
    await Promise.resolve();
    while (!this.isClosed) {
      let wait = pollMs;
      try {
        if (!isPrepared) await prepare();
        isPrepared = true;
        const done = await pass();
        if (done === 'more') continue;
        if (done === 'taken') wait = againMs;
        if (done === 'nothing') wait = IDLE_MS;
        if (done === 'all' && !this.isClosed) await this.signal.pause(PACE_MS);
      } catch (error) {
        wait = againMs;
        if (!this.isClosed) await failed(error);
      }
      if (!this.isClosed) await this.signal.sleep(wait);
    }
  }
}
