/** Milliseconds of work after which others have their turn. */
const SLICE_MS = 8;

/**
 * Splits work on the event loop into short portions. Work that may be long asks `isOver` between its parts and awaits
 * `next()` where it is: `if (slice.isOver) await slice.next();`
 */
export class TimeSlice {
  private end = performance.now() + SLICE_MS;

  get isOver(): boolean {
    return performance.now() >= this.end;
  }

  /** Resolves once timers and sockets that are due have been served; the next portion begins then. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.end = performance.now() + SLICE_MS;
  }
}
