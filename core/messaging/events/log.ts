import type { LogEvent } from '@lintel/sdk';
import mqemitter, { type Message, type MQEmitter } from 'mqemitter';
import { setImmediate as breathe, setTimeout as delay } from 'node:timers/promises';
import type { ChangeNotifier } from '../../foundation/db/change-notifier.js';
import type { Database } from '../../foundation/db/database.js';
import type { Revisions } from '../../foundation/db/revisions.js';
import type { Page } from '../../foundation/http/respond.js';
import type { Log } from '../../foundation/log.js';
import { RecentEvents } from './recent.js';
import {
  isWaiting,
  lastWaiting,
  listEvents,
  readBacklog,
  readBounds,
  readEvents,
  readEventsAt,
  type EventFilter,
  type EventQuery,
  type EventsRead,
} from './repository.js';
import { EXPIRED } from './retention.js';
import type { EventScope } from './scope-repository.js';
import { Signal } from '../../foundation/signal.js';

export type { EventFilter, EventQuery };

/** Makes up for lost notices. */
const POLL_MS = 100;
const RETRY_MS = 500;
const SETTLE_MS = 1_000;
const SETTLE_STEP_MS = 5;
const CHUNK = 250;
const RECENT_EVENTS = 2_000;
const RECENT_BYTES = 8 * 1024 * 1024;
/** What an event takes beside its data, about. */
const OVERHEAD = 600;

type Handler = (event: LogEvent) => void | Promise<void>;

/**
 * The event log as this node follows it: read once, in order, without gap, and handed to every subscriber of the
 * node. Subscribers start with what happens from now on; who needs more reads the log from a position it keeps.
 *
 * Before an event is handed out, the caches of rights, sessions and metamodel are brought to where they were when it
 * was read, or later: whoever lost a right before the change was made has lost it here, too.
 */
export class EventLog {
  private readonly emitter: MQEmitter = mqemitter();
  private readonly recentEvents = new RecentEvents(RECENT_EVENTS, RECENT_BYTES);
  private readonly signal = new Signal();
  private position = 0;
  private following: Promise<void> | undefined;
  private stopListening: (() => void) | undefined;
  private closed = false;

  constructor(
    private readonly db: Database,
    private readonly notifier: ChangeNotifier,
    private readonly revisions: Pick<Revisions, 'refresh'>,
    private readonly log: Log,
  ) {}

  /** Position of the latest event that was handed to the subscribers. */
  get head(): number {
    return this.position;
  }

  /** Begins at the end of the log. */
  async start(): Promise<void> {
    const { head } = await readBounds(this.db);
    // Receivers that come back after a restart mostly miss a few: they need not ask the database each.
    for (let from = Math.max(head - RECENT_EVENTS / 2, 0); from < head; ) {
      const { events } = await readEvents(this.db, from, head, CHUNK);
      if (events.length === 0) break;
      for (const event of events) this.remember(event);
      from = events.at(-1)!.position;
    }
    await this.revisions.refresh();
    this.position = head;
    this.stopListening = this.notifier.on('events', this.signal.raise);
    this.following = this.follow();
  }

  /** Hands out no more events. */
  async close(): Promise<void> {
    this.closed = true;
    this.stopListening?.();
    this.signal.raise();
    await this.following;
    await new Promise<void>((resolve) => {
      this.emitter.close(resolve);
    });
  }

  /**
   * Calls the handler with each event of a type as it happens, on this node. What the handler throws is logged.
   * @param pattern a type such as `card.created`; `card.+` is any one word after `card.`, `card.#` all below it, `#` all
   * @returns a function that ends the subscription
   */
  subscribe(pattern: string, handler: Handler): () => void {
    let active = true;
    const topic = `events/${pattern.replaceAll('.', '/')}`;
    const failed = (error: unknown): void => this.log.error({ err: error, pattern }, 'a subscriber to events failed');
    const listener = (message: Message, done: () => void): void => {
      try {
        if (active) Promise.resolve(handler(message['event'] as LogEvent)).catch(failed);
      } catch (error) {
        failed(error);
      }
      done();
    };
    this.emitter.on(topic, listener);
    return () => {
      if (active) this.emitter.removeListener(topic, listener);
      active = false;
    };
  }

  /**
   * As `read`, for receivers whose rights are asked: when it is done, the caches of this node know at least what was
   * committed before the events were read.
   */
  async readForReceivers(
    after: number,
    limit: number,
    filter?: EventFilter,
    upTo = Number.MAX_SAFE_INTEGER,
  ): Promise<EventsRead> {
    const read = await readEvents(this.db, after, upTo, limit, filter);
    if (read.events.length > 0) await this.revisions.refresh();
    return read;
  }

  /** Up to `limit` events after a position, in order; fewer where they are large, and none only where there is none. */
  async read(after: number, limit: number, filter?: EventFilter, upTo = Number.MAX_SAFE_INTEGER): Promise<EventsRead> {
    return await readEvents(this.db, after, upTo, limit, filter);
  }

  /** The same from memory; undefined where memory does not reach back so far. */
  recent(after: number, limit: number): LogEvent[] | undefined {
    return this.recentEvents.after(after, limit);
  }

  /** The last position given, on whatever node, and the first one retained. */
  async bounds(): Promise<{ head: number; oldest: number }> {
    return await readBounds(this.db);
  }

  /** Events of all nodes that wait for their position: how many, and since when in seconds. */
  async waiting(): Promise<{ rows: number; ageSeconds: number }> {
    return await readBacklog(this.db);
  }

  /**
   * One page of the audit trail; who asks after a change of theirs finds it.
   * @param scope which events there are for who reads, of `EventVisibility`; all where it is absent
   */
  async list(query: EventQuery, scope?: EventScope): Promise<Page<LogEvent>> {
    await this.settled();
    return await listEvents(this.db, query, scope);
  }

  /** One event, or undefined where no event has the position or it is retained no longer. */
  async find(position: number): Promise<LogEvent | undefined> {
    return (await readEvents(this.db, position - 1, position, 1)).events[0];
  }

  /** Events by their positions, from memory where it has them; those retained no longer are left out. */
  async findAll(positions: readonly number[]): Promise<Map<number, LogEvent>> {
    const recent = positions.flatMap(
      (position) => this.recentEvents.after(position - 1, 1)?.find((event) => event.position === position) ?? [],
    );
    const found = new Map(recent.map((event) => [event.position, event]));
    const missing = [...new Set(positions.filter((position) => !found.has(position)))];
    if (missing.length > 0) for (const event of await readEventsAt(this.db, missing)) found.set(event.position, event);
    return found;
  }

  /** Waits for what was committed before now to be given its position, which is a matter of milliseconds. */
  private async settled(): Promise<void> {
    const last = await lastWaiting(this.db);
    if (last === undefined) return;
    for (const until = performance.now() + SETTLE_MS; performance.now() < until && (await isWaiting(this.db, last)); )
      await delay(SETTLE_STEP_MS);
  }

  private async follow(): Promise<void> {
    let isAway = false;
    while (!this.closed) {
      try {
        const { events, more } = await readEvents(this.db, this.position, Number.MAX_SAFE_INTEGER, CHUNK);
        if (events.length > 0) await this.revisions.refresh();
        isAway = false;
        for (const event of events) this.publish(event);
        if (more) await breathe();
        else await this.signal.sleep(POLL_MS);
      } catch (error) {
        if (!isAway && !this.closed) this.log.warn({ err: error }, 'event log: the database does not answer');
        isAway = true;
        if (!this.closed) await this.signal.sleep(RETRY_MS);
      }
    }
  }

  private publish(event: LogEvent): void {
    if (event.position !== this.position + 1)
      this.log.warn({ from: this.position, to: event.position }, 'event log: positions are missing');
    this.position = event.position;
    if (event.type === EXPIRED && event.subject.kind === 'events') this.recentEvents.forget(Number(event.data['to']));
    this.remember(event);
    this.emitter.emit({ topic: `events/${event.type.replaceAll('.', '/')}`, event });
  }

  private remember(event: LogEvent): void {
    this.recentEvents.push(event, OVERHEAD + 2 * JSON.stringify(event.data).length);
  }
}
