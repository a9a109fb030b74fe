import { problem } from '../errors.js';

/**
 * Lets so many run at once and has the others wait: an export keeps its connection as long as its reader likes, and
 * requests that are over in a moment must find some left.
 */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /**
   * @param most that run at once
   * @param patienceMs the longest wait
   */
  constructor(private readonly most: number, private readonly patienceMs: number) {}

  /**
   * Waits for a turn.
   * @returns a function that ends it; calling it again does nothing
   * @throws rate_limited when it takes too long
   */
  async take(): Promise<() => void> {
    const free = this.tryTake();
    if (free) return free;
    await this.wait();
    return this.turn();
  }

  /** The same where nobody need wait for it; undefined else. */
  tryTake(): (() => void) | undefined {
    if (this.running >= this.most) return undefined;
    this.running++;
    return this.turn();
  }

  private turn(): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = this.waiting.shift();
      // The turn goes on to the next one: the number of those that run stays.
      if (next) next();
      else this.running--;
    };
  }

  private async wait(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const mine = (): void => { clearTimeout(timer); resolve(); };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(mine), 1);
        reject(problem('rate_limited', { detail: 'As many exports as this node runs at once are under way.', headers: { 'retry-after': '10' } }));
      }, this.patienceMs);
      this.waiting.push(mine);
    });
  }
}
