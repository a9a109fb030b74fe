/** Faults within this time count together. */
const WINDOW_MS = 600_000;
/** The number of faults that switches a module off. */
const MOST = 5;
/** The first pause before the module is tried again; it doubles each time, up to the last. */
const FIRST_PAUSE_MS = 60_000;
const LAST_PAUSE_MS = 3_600_000;

/** Counts the uncaught errors of a module on this node. */
export class FaultCount {
  private times: number[] = [];
  private pauses = 0;

  /**
   * @param now in ms
   * @returns the pause in ms after which the module is tried again, if it is to be switched off now
   */
  add(now: number): number | undefined {
    this.times = [...this.times.filter((time) => now - time < WINDOW_MS), now];
    if (this.times.length < MOST) return undefined;
    this.times = [];
    return Math.min(FIRST_PAUSE_MS * 2 ** this.pauses++, LAST_PAUSE_MS);
  }
}
