import type { ServerResponse } from 'node:http';
import { problem } from '../errors.js';
import type { OnceMany } from './bulk-reader.js';
import type { LargeBodies } from './large-bodies.js';

/**
 * The slot of one bulk request: taken while its body is read, once it has many operations, and held until the result is computed, also
 * if the client disconnects meanwhile. Sending the response needs no slot, because the client decides how long that takes.
 */
export class BulkTurn implements OnceMany {
  private release: (() => void) | undefined;
  private isWorking = false;
  private readonly gone = new AbortController();

  /**
   * @param slots of the node, one for each caller
   * @param operations how many of them need a slot
   * @param response of the request
   * @param timer timeout of the body, which is stopped while the request waits
   */
  constructor(
    private readonly slots: LargeBodies,
    readonly operations: number,
    private readonly caller: string,
    response: ServerResponse,
    private readonly timer: { stop(): void; start(): void },
  ) {
    response.once('close', () => {
      this.gone.abort();
      if (!this.isWorking) this.end();
    });
  }

  /** @throws busy, unavailable; bad_request if the client disconnects */
  async proceed(): Promise<void> {
    this.timer.stop();
    const release = await this.slots.enter(this.caller, this.gone.signal);
    if (this.gone.signal.aborted) {
      release();
      throw disconnected();
    }
    this.release = release;
    this.timer.start();
  }

  /** Computes the result; then the slot is released. @throws bad_request if the client has disconnected before */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.gone.signal.aborted) throw disconnected();
    this.isWorking = true;
    try {
      return await work();
    } finally {
      this.end();
    }
  }

  /** Releases the slot, if the request has one. */
  end(): void {
    this.release?.();
    this.release = undefined;
  }
}

const disconnected = (): Error => problem('bad_request', { detail: 'The client disconnected.' });
