/** For how long a file may be read, in milliseconds. */
export interface Limits {
  /** Without a sign of life. */
  idleMs: number;
  /** In all, as far as it is waited for. */
  totalMs: number;
}

/** Waits for work that may never end: what cannot be stopped can at least be left alone. */
export class IdleTimeout {
  private fail: ((error: unknown) => void) | undefined;
  /** When the wait began, and when a sign of life was seen last, by the clock of `performance.now()`. */
  private since = 0;
  private seen = 0;
  private spent = 0;
  private readonly clock: NodeJS.Timeout;
  private readonly stop = (): void => this.fail?.(new Error('it is not wanted any more'));

  /**
   * @param late makes the error of work that takes too long
   * @param signals each ends every wait
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

  /** The work goes on. */
  sign(): void {
    this.seen = performance.now();
  }

  /** @throws what the work throws; the error of `late`, where it is done but too late too; an Error once a signal has aborted */
  async wait<T>(work: Promise<T>): Promise<T> {
    this.since = this.seen = performance.now();
    try {
      const result = await new Promise<T>((resolve, reject) => {
        this.fail = reject;
        work.then(resolve, reject);
        if (this.signals.some(({ aborted }) => aborted)) this.stop();
      });
      // Work that never lets go of the event loop keeps the clock from looking.
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
