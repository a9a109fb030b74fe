/** Milliseconds of work after which other tasks may run. */
const SLICE_MS = 8;

/**
 * Splits work on the event loop into short portions. Long work checks `isOver` between its parts and awaits
 * `next()` if it is true: `if (slice.isOver) await slice.next();`
 */
export class TimeSlice {
  private end = performance.now() + SLICE_MS;

  get isOver(): boolean {
    return performance.now() >= this.end;
  }

  /** Resolves after pending timers and sockets have been processed; then the next portion starts. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.end = performance.now() + SLICE_MS;
  }
}
