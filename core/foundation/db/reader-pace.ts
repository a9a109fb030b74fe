/** The minimum reading speed expected from the reader of a stream. */
export interface Pace {
  /** Milliseconds a reader may be behind. */
  graceMs: number;
  /** Reading this many bytes compensates for one second of waiting. */
  bytesPerSecond: number;
}

const TICK_MS = 250;

/**
 * Measures how fast a reader consumes available data. Time counts only while data is waiting for the reader, in ticks:
 * a slow database or a blocked process is not attributed to the reader. Fast reading earns no credit for later, so that
 * filling the buffers in between does not extend the time a connection may be held.
 */
export class ReaderPace {
  /** Milliseconds of waiting for the reader that its reading has not compensated yet. */
  private behindMs = 0;
  private bytes = 0;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param expected called repeatedly, because the tolerance is lower while other requests wait for connections
   * @param isAwaited whether there is data that the reader has not taken
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
