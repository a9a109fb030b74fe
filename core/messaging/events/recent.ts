import type { LogEvent } from '@lintel/sdk';

/**
 * The latest events in memory, bounded in number and size, so that receivers slightly behind need no database query.
 */
export class RecentEvents {
  private events: LogEvent[] = [];
  private sizes: number[] = [];
  private bytes = 0;

  constructor(
    private readonly maxEvents: number,
    private readonly maxBytes: number,
  ) {}

  /** @param bytes approximate size of the event */
  push(event: LogEvent, bytes: number): void {
    // The positions here are contiguous: at a gap of the log everything earlier is dropped.
    if (this.events.length > 0 && this.events.at(-1)!.position !== event.position - 1) this.drop(this.events.length);
    this.events.push(event);
    this.sizes.push(bytes);
    this.bytes += bytes;
    // Drops large pieces, so that the average cost of a push is small.
    if (this.events.length >= 2 * this.maxEvents) this.drop(this.events.length - this.maxEvents);
    while (this.bytes > this.maxBytes && this.events.length > 1) this.drop(Math.ceil(this.events.length / 4));
  }

  /** Events after a position; undefined where some are not in memory. */
  after(position: number, limit: number): LogEvent[] | undefined {
    const first = this.events[0]?.position;
    if (first === undefined || position < first - 1) return undefined;
    const from = position - first + 1;
    return this.events.slice(from, from + limit);
  }

  /** The latest event. */
  get latest(): LogEvent | undefined {
    return this.events.at(-1);
  }

  clear(): void {
    this.drop(this.events.length);
  }

  /** Drops events up to a position, which are no longer retained. */
  removeUpTo(position: number): void {
    const first = this.events[0]?.position;
    if (first !== undefined && first <= position) this.drop(Math.min(position - first + 1, this.events.length));
  }

  private drop(n: number): void {
    this.events.splice(0, n);
    for (const size of this.sizes.splice(0, n)) this.bytes -= size;
  }
}
