/** Time limits for reading a file, in milliseconds. */
export interface Limits {
  /** Without progress. */
  idleMs: number;
  /** In total, counting only the time spent waiting. */
  totalMs: number;
}

/** Waits for work that may never end, with a timeout; the work itself cannot be cancelled. */
export class IdleTimeout {
  private fail: ((error: unknown) => void) | undefined;
  /** Start of the wait and time of the last progress, by `performance.now()`. */
  private since = 0;
  private seen = 0;
  private spent = 0;
  private readonly clock: NodeJS.Timeout;
  private readonly stop = (): void => this.fail?.(new Error('it is not wanted any more'));

  /**
   * @param late creates the error for a timeout
   * @param signals any of them ends the wait
   */
  constructor(
    private readonly limits: Limits,
    private readonly signals: readonly AbortSignal[],
    private readonly late: (reason: string) => Error,
  ) {
    this.clock = setInterval(
      () => {
        const error = this.overdue();
        if (error) this.fail?.(error);
      },
      Math.max(10, Math.min(1_000, limits.idleMs / 4)),
    ).unref();
    for (const signal of signals) signal.addEventListener('abort', this.stop);
  }

  /** Reports progress. */
  sign(): void {
    this.seen = performance.now();
  }

  /**
   * @throws what the work throws; the error of `late` after a timeout, even if the work has completed; an Error once a
   *   signal has aborted
   */
  async wait<T>(work: Promise<T>): Promise<T> {
    this.since = this.seen = performance.now();
    try {
      const result = await new Promise<T>((resolve, reject) => {
        this.fail = reject;
        work.then(resolve, reject);
        if (this.signals.some(({ aborted }) => aborted)) this.stop();
      });
      // If the work blocks the event loop, the timer cannot run, so the limit is checked again here.
      const error = this.overdue();
      if (error) throw error;
      return result;
    } finally {
      this.fail = undefined;
      this.spent += performance.now() - this.since;
    }
  }

  end(): void {
    clearInterval(this.clock);
    for (const signal of this.signals) signal.removeEventListener('abort', this.stop);
  }

  private overdue(): Error | undefined {
    const now = performance.now();
    const { idleMs, totalMs } = this.limits;
    if (now - this.seen > idleMs) return this.late(`took longer than ${idleMs} ms for one step`);
    return this.spent + now - this.since > totalMs ? this.late(`took longer than ${totalMs} ms in all`) : undefined;
  }
}
