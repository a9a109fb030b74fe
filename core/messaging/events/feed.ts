import type { Disposable, LogEvent } from '@lintel/sdk';
import { systemContext } from '../../foundation/context.js';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Log } from '../../foundation/log.js';
import { beginFeed, feedPosition, moveFeed, parkFeedEvent, takeFeed } from './feed-repository.js';
import type { EventLog } from './log.js';
import { Signal } from '../../foundation/signal.js';

const CHUNK = 500;
/** Makes up for a node that held the feed and was lost. */
const POLL_MS = 2_000;
const AGAIN_MS = 500;
/** Under steady writes a chunk is taken so often: each is a transaction, however few events are in it. The first comes at once. */
const PACE_MS = 40;
/** An event that fails so often alone is gone on without. */
const MAX_ATTEMPTS = 5;
const MAX_ERROR = 2_000;

/** A part of the core that makes something of every event. */
export interface FeedConsumer {
  /** Under this name its position is stored. */
  name: string;
  /**
   * Writes what it makes of some events, in the order of the log. That and the position commit together: each event
   * counts once, whatever happens to the node.
   */
  handle(uow: UnitOfWork, events: readonly LogEvent[]): Promise<void>;
  /** Called after that was committed, on the node that did it. */
  committed?(): void;
}

/**
 * Gives the event log to parts of the core, each event once in the whole cluster. A chunk is one transaction that
 * holds the row of the feed: no lease is needed, for a node that dies lets go of it with its connection.
 */
export class EventFeed {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly events: EventLog,
    private readonly log: Log,
  ) {}

  /** Begins on this node. @returns ends it, with the chunk under way */
  begin(consumer: FeedConsumer): Disposable {
    const { name } = consumer;
    const signal = new Signal();
    const off = this.events.subscribe('#', signal.raise);
    let closed = false;
    const working = (async () => {
      let begun = false;
      let [chunk, attempts] = [CHUNK, 0];
      while (!closed) {
        let wait = POLL_MS;
        try {
          if (!begun) await beginFeed(this.db, name);
          begun = true;
          const done = await this.pass(consumer, chunk);
          [chunk, attempts] = [CHUNK, 0];
          wait = done === 'taken' ? AGAIN_MS : done === 'more' ? 0 : POLL_MS;
          if (done === 'all' && !closed) await signal.pause(PACE_MS);
        } catch (error) {
          wait = AGAIN_MS;
          if (!closed) this.log.warn({ err: error, feed: name }, 'a feed of events could not go on');
          // Alone it is seen which one it is.
          if (chunk > 1) chunk = 1;
          else if (++attempts >= MAX_ATTEMPTS && (await this.park(name, error, attempts).catch(() => false)))
            attempts = 0;
        }
        if (!closed && wait > 0) await signal.sleep(wait);
      }
    })();
    return async () => {
      closed = true;
      off();
      signal.raise();
      await working;
    };
  }

  /** How many events a feed is behind. */
  async behind(name: string): Promise<number> {
    return Math.max(0, this.events.head - (await feedPosition(this.db, name)));
  }

  /** @returns how far it came; `taken` while another node has the feed */
  private async pass(consumer: FeedConsumer, chunk: number): Promise<'nothing' | 'more' | 'all' | 'taken'> {
    const { name } = consumer;
    if ((await feedPosition(this.db, name)) >= this.events.head) return 'nothing';
    const done = await this.transactions.run(systemContext(name), async (uow) => {
      const position = await takeFeed(uow, name);
      if (position === undefined) return 'taken';
      const { head } = this.events;
      const read = await this.events.read(position, chunk, undefined, head);
      const last = read.events.at(-1)?.position;
      if (last === undefined) {
        // What lay between is retained no longer.
        if (head > position) await moveFeed(uow, name, head);
        return 'nothing';
      }
      await consumer.handle(uow, read.events);
      await moveFeed(uow, name, last);
      return read.more ? 'more' : 'all';
    });
    consumer.committed?.();
    return done;
  }

  /** Goes on without the event that is next. @returns whether it was parked */
  private async park(name: string, error: unknown, attempts: number): Promise<boolean> {
    return await this.transactions.run(systemContext(name), async (uow) => {
      const position = await takeFeed(uow, name);
      const [event] = position === undefined ? [] : (await this.events.read(position, 1)).events;
      if (!event) return false;
      await parkFeedEvent(
        uow,
        name,
        event.position,
        (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR),
        attempts,
      );
      await moveFeed(uow, name, event.position);
      this.log.error({ err: error, feed: name, position: event.position }, 'an event was parked');
      return true;
    });
  }
}
