/** What is expected of who reads a file while it is made. */
export interface Pace {
  /** Milliseconds a reader may be behind. */
  graceMs: number;
  /** What it takes so much of makes up for a second that it was waited for. */
  bytesPerSecond: number;
}

const TICK_MS = 250;

/**
 * Watches how fast a reader takes what there is for him. Time counts only while he is waited for, in ticks: a database that
 * is slow, or a process that stands still, is none of his doing. What was taken fast earns nothing for later, so that what
 * fills the buffers on the way is no time to hold a connection for.
 */
export class ReaderPace {
  /** Milliseconds the reader was waited for and has not made up for. */
  private behindMs = 0;
  private bytes = 0;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param expected asked again and again: less patience is due while others wait
   * @param isAwaited whether there is something the reader does not take
   * @param tooSlow called once, with the reason
   */
  constructor(
    private readonly expected: () => Pace,
    private readonly isAwaited: () => boolean,
    private readonly tooSlow: (reason: string) => void,
  ) {}

  start(): void {
    this.timer ??= setInterval(() => this.tick(), TICK_MS).unref();
  }

  took(bytes: number): void {
    this.bytes += bytes;
    this.behindMs = Math.max(0, this.behindMs - (bytes / this.expected().bytesPerSecond) * 1_000);
  }

  end(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    if (!this.isAwaited()) return;
    this.behindMs += TICK_MS;
    if (this.behindMs <= this.expected().graceMs) return;
    this.end();
    this.tooSlow(`the reader is ${Math.round(this.behindMs)} ms behind after ${this.bytes} bytes`);
  }
}
