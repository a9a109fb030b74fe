import type { LogEvent } from '@lintel/sdk';
import type { Log } from '../log.js';
import { eventFrame, resetFrame, RETRY_MS, retryFrame } from './frames.js';
import type { EventLog } from './log.js';
import type { Stream } from './stream.js';
import type { EventVisibility } from './visibility.js';

/** A receiver that catches up has about so much under way. */
const WRITE_BYTES = 64 * 1024;
const PAGE = 500;
/** Receivers that read the database at a time. */
const READERS = 4;

/** Brings receivers that are behind to the end of the log, each at the pace its connection has. */
export class CatchUp {
  private reading = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly events: EventLog, private readonly visibility: EventVisibility, private readonly log: Log) {}

  /** Brings a stream to the end of the log, from memory or the database, and makes it live there. */
  async run(stream: Stream): Promise<void> {
    stream.live = false;
    try {
      while (!stream.closed) {
        // Nothing comes between this comparison and the first event handed out after it.
        if (stream.cursor >= this.events.head) { stream.live = true; return; }
        if (!await this.page(stream)) return;
      }
    } catch (error) {
      this.log.warn({ err: error }, 'event stream: catching up failed');
      stream.end(retryFrame(RETRY_MS));
    }
  }

  /** @returns whether the stream lives on */
  private async page(stream: Stream): Promise<boolean> {
    const from = stream.cursor;
    const recent = this.events.recent(from, PAGE);
    const { events, end } = recent ? { events: recent, end: recent.at(-1)?.position ?? from } : await this.inTurn(() => this.read(stream));
    if (!recent) {
      // Asked after reading: had the log been cut meanwhile, the page could have a hole.
      const { head, oldest } = await this.events.bounds();
      if (oldest > from + 1) {
        stream.push(resetFrame(head, oldest));
        stream.cursor = head;
        stream.flush();
        return await stream.drained();
      }
    }
    const wanted = events.filter((event) => stream.wants(event));
    const { identity } = stream;
    const see = await this.visibility.view(wanted, identity);
    for (const event of wanted) {
      // Rights moved while a slow connection drained: the rest of the page is looked at again.
      if (stream.identity !== identity) return true;
      const seen = see(event);
      stream.cursor = event.position;
      if (!seen) continue;
      stream.push(eventFrame(seen));
      if (stream.buffered < WRITE_BYTES) continue;
      stream.flush();
      if (!await stream.drained()) return false;
    }
    stream.cursor = end;
    stream.flush();
    return await stream.drained();
  }

  /** Reads of many receivers at once, as after a restart, wait for each other: requests need connections too. */
  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.reading >= READERS) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.reading++;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.reading--;
    }
  }

  private async read(stream: Stream): Promise<{ events: LogEvent[]; end: number }> {
    const { head } = this.events;
    const { events, more } = await this.events.read(stream.cursor, PAGE, stream.filter, head);
    return { events, end: more ? events.at(-1)!.position : head };
  }
}
