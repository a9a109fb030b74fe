import type { Disposable, LogEvent } from '@lintel/sdk';
import { systemContext } from '../../foundation/context.js';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Log } from '../../foundation/log.js';
import { errorText } from '../../foundation/secrecy.js';
import { ConsumerLoop, type PassResult } from './consumer-loop.js';
import { beginFeed, feedBehind, feedPosition, moveFeed, parkFeedEvent, takeFeed } from './feed-repository.js';
import type { EventLog } from './log.js';

const CHUNK = 1_000;
/** Polls in case the node that processed the feed has failed. */
const POLL_MS = 2_000;
const AGAIN_MS = 500;
/** Number of failures of a single event after which it is skipped. */
const MAX_ATTEMPTS = 5;

/** A component of the core that processes every event. */
export interface FeedConsumer {
  /** The position is stored under this name. */
  name: string;
  /**
   * Writes the results for some events, in the order of the log. They are committed together with the position, so that
   * each event takes effect exactly once, also if the node fails.
   */
  handle(uow: UnitOfWork, events: readonly LogEvent[]): Promise<void>;
  /** Called after the commit, on the node that processed the events. */
  committed?(): void;
}

/**
 * Passes the event log to components of the core, each event once in the whole cluster. A chunk is one transaction that
 * locks the row of the feed. No lease is needed: if the node fails, the lock ends with its connection.
 */
export class EventFeed {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly events: EventLog,
    private readonly log: Log,
  ) {}

  /** Starts on this node. @returns a function that stops after the current chunk */
  begin(consumer: FeedConsumer): Disposable {
    const { name } = consumer;
    let [chunk, attempts] = [CHUNK, 0];
    const loop = new ConsumerLoop({
      prepare: () => beginFeed(this.db, name),
      pass: async () => {
        const done = await this.pass(consumer, chunk);
        [chunk, attempts] = [CHUNK, 0];
        return done;
      },
      failed: async (error) => {
        this.log.warn({ err: error, feed: name }, 'a feed of events could not go on');
        // Processing single events shows which one fails.
        if (chunk > 1) chunk = 1;
        else if (++attempts >= MAX_ATTEMPTS && (await this.park(name, error, attempts).catch(() => false)))
          attempts = 0;
      },
      pollMs: POLL_MS,
      againMs: AGAIN_MS,
    });
    const off = this.events.subscribe('#', loop.notify);
    return async () => {
      off();
      await loop.close();
    };
  }

  /** Number of events after the position of a feed. */
  async behind(name: string): Promise<number> {
    return await feedBehind(this.db, name, this.events.head);
  }

  /** @returns how far it got; `taken` while another node has the lock */
  private async pass(consumer: FeedConsumer, chunk: number): Promise<PassResult> {
    const { name } = consumer;
    if ((await feedPosition(this.db, name)) >= this.events.head) return 'nothing';
    const done = await this.transactions.run(systemContext(name), async (uow) => {
      const position = await takeFeed(uow, name);
      if (position === undefined) return 'taken';
      const { head } = this.events;
      // Most events were read a moment ago, to be published.
      const events =
        this.events.recent(position, chunk) ?? (await this.events.read(position, chunk, undefined, head)).events;
      const last = events.at(-1)?.position;
      if (last === undefined) {
        // The events in between have been deleted by retention.
        if (head > position) await moveFeed(uow, name, head);
        return 'nothing';
      }
      await consumer.handle(uow, events);
      await moveFeed(uow, name, last);
      return last < this.events.head ? 'more' : 'all';
    });
    consumer.committed?.();
    return done;
  }

  /** Skips the next event. @returns whether it was parked */
  private async park(name: string, error: unknown, attempts: number): Promise<boolean> {
    return await this.transactions.run(systemContext(name), async (uow) => {
      const position = await takeFeed(uow, name);
      const [event] = position === undefined ? [] : (await this.events.read(position, 1)).events;
      if (!event) return false;
      await parkFeedEvent(uow, name, event.position, errorText(error), attempts);
      await moveFeed(uow, name, event.position);
      this.log.error({ err: error, feed: name, position: event.position }, 'an event was parked');
      return true;
    });
  }
}
