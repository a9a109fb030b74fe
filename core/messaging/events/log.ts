import type { LogEvent } from '@lintel/sdk';
import mqemitter, { type Message, type MQEmitter } from 'mqemitter';
import { setImmediate as breathe, setTimeout as delay } from 'node:timers/promises';
import type { ChangeNotifier } from '../../foundation/db/change-notifier.js';
import type { Database } from '../../foundation/db/database.js';
import type { Continuity, Interruption } from '../../foundation/db/continuity.js';
import { markOf, type LogEnd } from '../../foundation/db/continuity-repository.js';
import type { Revisions } from '../../foundation/db/revisions.js';
import type { Page } from '../../foundation/db/list-query.js';
import type { Log } from '../../foundation/log.js';
import type { EventGaps } from './gaps.js';
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
  type LogBounds,
} from './repository.js';
import { EXPIRED } from './retention.js';
import type { EventScope } from './scope-repository.js';
import { Signal } from '../../foundation/signal.js';

export type { EventFilter, EventQuery };

/** `Revisions` notices every 400 ms that a notification was lost. */
const POLL_MS = 5_000;
const RETRY_MS = 500;
const SETTLE_MS = 1_000;
const SETTLE_STEP_MS = 5;
const CHUNK = 500;
/** So many that consumers behind during a large write still find the events in memory; their size is limited anyway. */
const RECENT_EVENTS = 10_000;
/** Number of events read at the start, because most receivers that reconnect after a restart missed only a few. */
const PRELOADED = 1_000;
const RECENT_BYTES = 8 * 1024 * 1024;
/** Approximate size of an event without its data. */
const OVERHEAD = 600;

type Handler = (event: LogEvent) => void | Promise<void>;

/**
 * The event log as read by this node: once, in order, without gaps, and published to every subscriber of the node.
 * Subscribers receive events from the time they subscribe; components that need earlier ones read the log from a stored
 * position.
 *
 * Before an event is published, the caches of permissions, sessions and metamodel are refreshed to at least the time at
 * which it was read: a user whose permission was revoked before the change does not receive the event.
 */
export class EventLog {
  private readonly emitter: MQEmitter = mqemitter();
  private readonly recentEvents = new RecentEvents(RECENT_EVENTS, RECENT_BYTES);
  private readonly signal = new Signal();
  private position = 0;
  /** The event at the position, if it is known. */
  private last: LogEvent | undefined;
  private following: Promise<void> | undefined;
  private stopListening: (() => void) | undefined;
  private closed = false;

  constructor(
    private readonly db: Database,
    private readonly notifier: ChangeNotifier,
    private readonly revisions: Pick<Revisions, 'refresh'>,
    private readonly continuity: Continuity,
    private readonly gaps: EventGaps,
    private readonly log: Log,
  ) {}

  /** Position of the latest event published to the subscribers. */
  get head(): number {
    return this.position;
  }

  /** Starts at the end of the log. */
  async start(): Promise<void> {
    const { head } = await readBounds(this.db, 0);
    for (let from = Math.max(head - PRELOADED, 0); from < head; ) {
      const { events } = await readEvents(this.db, from, head, CHUNK);
      if (events.length === 0) break;
      for (const event of events) this.keep(event);
      from = events.at(-1)!.position;
    }
    await this.gaps.load();
    await this.revisions.refresh();
    this.position = head;
    const { latest } = this.recentEvents;
    this.last = latest?.position === head ? latest : undefined;
    this.continuity.follow(() => this.end);
    this.stopListening = this.notifier.on('events', this.signal.raise);
    this.following = this.follow();
  }

  /**
   * Continues after the last event that the log still has, where another server continues it. Positions are skipped first if events may be lost;
   * those known to be lost are announced.
   */
  async rewind({ end, since }: Interruption): Promise<void> {
    await this.gaps.settle(end, since);
    this.recentEvents.clear();
    this.last = undefined;
    // What was read before is read again after this, with all events before the gap.
    this.position = this.gaps.around(end.position)?.ended ?? end.position;
    this.signal.raise();
  }

  /** Stops publishing events. */
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
   * Calls the handler with each new event of a type, on this node. Exceptions of the handler are logged.
   * @param pattern a type such as `card.created`; `card.+` matches one word after `card.`, `card.#` everything below
   *   it, `#` everything
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
   * As `read`, for receivers with permissions: afterwards the caches of this node include at least what was committed
   * before the events were read.
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

  /** Up to `limit` events after a position, in order; fewer where they are large, but none only if there are none. */
  async read(after: number, limit: number, filter?: EventFilter, upTo = Number.MAX_SAFE_INTEGER): Promise<EventsRead> {
    return await readEvents(this.db, after, upTo, limit, filter);
  }

  /** The same from memory; undefined where memory does not contain them all. */
  recent(after: number, limit: number): LogEvent[] | undefined {
    return this.recentEvents.after(after, limit);
  }

  /** The last assigned position, on any node, and the first retained one; and whether a receiver can continue after a position. */
  async bounds(after: number): Promise<LogBounds> {
    return await readBounds(this.db, after);
  }

  /** Events of all nodes without a position yet: their number, and the age of the oldest in seconds. */
  async waiting(): Promise<{ rows: number; ageSeconds: number }> {
    return await readBacklog(this.db);
  }

  /**
   * One page of the audit trail. It includes every change committed before the request.
   * @param scope the events visible to the reader, from `EventVisibility`; all where absent
   */
  async list(query: EventQuery, scope?: EventScope): Promise<Page<LogEvent>> {
    await this.settled();
    return await listEvents(this.db, query, scope);
  }

  /** One event; undefined where the position does not exist or is no longer retained. */
  async find(position: number): Promise<LogEvent | undefined> {
    return (await readEvents(this.db, position - 1, position, 1)).events[0];
  }

  /** Events by their positions, from memory where possible; those no longer retained are omitted. */
  async findAll(positions: readonly number[]): Promise<Map<number, LogEvent>> {
    const recent = positions.flatMap(
      (position) => this.recentEvents.after(position - 1, 1)?.find((event) => event.position === position) ?? [],
    );
    const found = new Map(recent.map((event) => [event.position, event]));
    const missing = [...new Set(positions.filter((position) => !found.has(position)))];
    if (missing.length > 0) for (const event of await readEventsAt(this.db, missing)) found.set(event.position, event);
    return found;
  }

  /** Waits until events committed before now have a position, usually for some milliseconds. */
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
        const { generation } = this.continuity;
        const { events, more } = await readEvents(this.db, this.position, Number.MAX_SAFE_INTEGER, CHUNK);
        if (events.length > 0) await this.revisions.refresh();
        if (events.some(({ position }, i) => position !== (events[i - 1]?.position ?? this.position) + 1))
          await this.gaps.load();
        isAway = false;
        // The database was found to be another one: these events may be lost.
        if (generation !== this.continuity.generation) continue;
        for (const event of events) this.publish(event);
        if (more) await breathe();
        else await this.signal.sleep(POLL_MS);
      } catch (error) {
        if (!isAway && !this.closed) this.log.warn({ err: error }, 'event log: the database does not respond');
        isAway = true;
        if (!this.closed) await this.signal.sleep(RETRY_MS);
      }
    }
  }

  private publish(event: LogEvent): void {
    if (event.position !== this.position + 1 && !this.gaps.explains(this.position, event.position))
      this.log.warn({ from: this.position, to: event.position }, 'event log: positions are missing');
    this.position = event.position;
    this.last = event;
    if (event.type === EXPIRED && event.subject.kind === 'events')
      this.recentEvents.removeUpTo(Number(event.data['to']));
    this.keep(event);
    this.emitter.emit({ topic: `events/${event.type.replaceAll('.', '/')}`, event });
  }

  private get end(): LogEnd {
    return { position: this.position, ...(this.last && { mark: markOf(this.last) }) };
  }

  private keep(event: LogEvent): void {
    this.recentEvents.push(event, OVERHEAD + 2 * JSON.stringify(event.data).length);
  }
}
