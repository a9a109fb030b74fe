import type { LogEvent } from '@lintel/sdk';
import type { Log } from '../../foundation/log.js';
import { asService } from '../../foundation/request-use.js';
import { Semaphore } from '../../foundation/semaphore.js';
import { eventFrame, resetFrame, RETRY_MS, retryFrame } from './frames.js';
import type { EventLog } from './log.js';
import type { SessionWatch } from './session-watch.js';
import type { Stream } from './stream.js';
import type { EventVisibility } from './visibility.js';

/** Approximate number of bytes in transit per receiver that is catching up. */
const WRITE_BYTES = 64 * 1024;
/** Maximum and minimum number of events read at a time. */
const PAGE = 500;
const LEAST_PAGE = 4;
/** Maximum number of receivers that read the database concurrently: on the node, and of one user. */
const READERS = 4;
const READERS_EACH = 3;
/** Maximum wait of a receiver for its turn, in milliseconds; its client then connects again. */
const WAIT_MS = 120_000;

/** Brings receivers that are behind to the end of the log, each at the speed of its connection. */
export class CatchUp {
  private readonly turns = new Semaphore({
    what: 'event streams that catch up',
    most: READERS,
    each: READERS_EACH,
    waitMs: WAIT_MS,
    waitingEach: Infinity,
  });

  /** @param live takes over a stream that has reached the end of the log */
  constructor(
    private readonly events: EventLog,
    private readonly visibility: EventVisibility,
    private readonly rights: SessionWatch,
    private readonly live: (stream: Stream) => void,
    private readonly log: Log,
  ) {}

  /** Brings a stream to the end of the log, from memory or the database, and then makes it live. */
  async run(stream: Stream): Promise<void> {
    try {
      while (!stream.closed) {
        if (stream.isDoubtful) {
          stream.isDoubtful = false;
          await this.reset(stream, stream.cursor);
        } else if (stream.cursor < this.events.head) {
          if (!(await this.page(stream))) return;
        } else if (this.rights.isChecked(stream)) {
          // There is no await between this comparison and the next published event, so no event can be missed.
          this.live(stream);
          return;
        } else await this.rights.settle(stream);
      }
    } catch (error) {
      if (!stream.closed) this.log.warn({ err: error }, 'event stream: catching up failed');
      stream.end(retryFrame(RETRY_MS));
    }
  }

  /** Sends a reset if the stream cannot continue after its position. @returns whether it was sent */
  private async reset(stream: Stream, after: number): Promise<boolean> {
    const bounds = await this.events.bounds(after);
    if (bounds.fault === undefined) return false;
    stream.push(resetFrame(bounds));
    stream.cursor = bounds.head;
    stream.flush();
    return true;
  }

  /** @returns whether the stream is still open */
  private async page(stream: Stream): Promise<boolean> {
    const from = stream.cursor;
    const recent = this.events.recent(from, PAGE);
    const { events, end } = recent
      ? { events: recent, end: recent.at(-1)?.position ?? from }
      : await this.inTurn(stream, () => this.read(stream));
    if (!recent) {
      // Read after the events: if events had been deleted in the meantime, the page could have a gap.
      if (await this.reset(stream, from)) return await stream.drained();
    }
    const matching = events.filter((event) => stream.matches(event));
    // The events in memory and those just read are older than this check, and so are the permission changes before
    // them.
    await this.rights.settle(stream);
    if (stream.isExpired(Date.now())) stream.end(retryFrame(RETRY_MS));
    if (stream.closed) return false;
    const { identity } = stream;
    const see = await this.visibility.view(matching, identity);
    // The permissions changed in the meantime: the page is evaluated again.
    if (stream.identity !== identity) return true;
    for (const [i, event] of matching.entries()) {
      const seen = see(event);
      stream.cursor = event.position;
      if (!seen) continue;
      stream.push(eventFrame(seen));
      if (stream.buffered < WRITE_BYTES) continue;
      stream.flush();
      if (!stream.isFull) continue;
      // Nothing is buffered for a slow connection: the rest is read again when the connection accepts data, in pages of
      // the size it accepts.
      stream.pace = Math.max(LEAST_PAGE, 2 * (i + 1));
      return await stream.drained();
    }
    stream.pace = Math.min(PAGE, 2 * stream.pace);
    stream.cursor = end;
    stream.flush();
    return await stream.drained();
  }

  /**
   * Bounds concurrent reads, for example after a restart, so that requests still get database connections. The turns are those of the
   * receivers: they do not also count as statements of their users, who would then wait for themselves.
   */
  private async inTurn<T>(stream: Stream, work: () => Promise<T>): Promise<T> {
    const end = await this.turns.take(stream.identity.actor.id);
    try {
      return await asService(work);
    } finally {
      end();
    }
  }

  private async read(stream: Stream): Promise<{ events: LogEvent[]; end: number }> {
    const { head } = this.events;
    const { events, more } = await this.events.readForReceivers(stream.cursor, stream.pace, stream.filter, head);
    return { events, end: more ? events.at(-1)!.position : head };
  }
}
