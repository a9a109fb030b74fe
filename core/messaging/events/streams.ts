import type { ServerResponse } from 'node:http';
import type { SessionCache } from '../../identity/auth/index.js';
import type { Identity } from '../../identity/identity.js';
import type { Revisions } from '../../foundation/db/revisions.js';
import { problem } from '../../foundation/errors.js';
import type { Log } from '../../foundation/log.js';
import { CatchUp } from './catch-up.js';
import { heartbeatFrame, resetFrame, RETRY_MS, retryFrame } from './frames.js';
import { LiveStreams } from './live.js';
import type { EventFilter, EventLog } from './log.js';
import type { LogBounds } from './repository.js';
import { SessionWatch } from './session-watch.js';
import { Stream } from './stream.js';
import type { EventVisibility } from './visibility.js';

const MAX_PER_USER = 20;
const HEARTBEAT_S = 15;

interface StreamRequest {
  identity: Identity;
  filter: EventFilter;
  /**
   * The receiver has everything up to this position; undefined for a new receiver. Any value that is not a position of
   * the log is unknown.
   */
  after: number | undefined;
}

/**
 * All event streams of this node. A receiver is either live, and gets each event when the log publishes it, or catches
 * up from memory or the database at the speed of its connection; it changes between the two at a definite position, so
 * that no event is lost or duplicated.
 */
export class StreamHub {
  private readonly streams = new Set<Stream>();
  private readonly perUser = new Map<string, number>();
  private second = 0;
  private timer: NodeJS.Timeout | undefined;
  private unsubscribe: (() => void) | undefined;
  private closed = false;
  private readonly rights: SessionWatch;
  private readonly live: LiveStreams;
  private readonly catchUp: CatchUp;

  constructor(
    private readonly events: EventLog,
    visibility: EventVisibility,
    sessions: SessionCache,
    private readonly revisions: Revisions,
    log: Log,
  ) {
    this.rights = new SessionWatch(this.streams, sessions, log);
    this.live = new LiveStreams(events, visibility, this.rights, (stream) => void this.catchUp.run(stream));
    this.catchUp = new CatchUp(events, visibility, this.rights, (stream) => this.live.join(stream), log);
  }

  /** Number of open streams. */
  get size(): number {
    return this.streams.size;
  }

  start(): void {
    this.unsubscribe = this.events.subscribe('#', (event) => this.live.deliver(event));
    this.revisions.on('sessions', () => this.rights.check());
    this.revisions.on('permissions', () => this.rights.check());
    this.timer = setInterval(() => this.tick(), 1_000).unref();
  }

  /** Lets every stream find out whether it can continue, after another server has continued the log. */
  doubt(): void {
    for (const stream of this.streams) {
      stream.isDoubtful = true;
      if (!stream.channel) continue;
      this.live.leave(stream);
      void this.catchUp.run(stream);
    }
  }

  /** Sends every receiver a reconnection time, and ends its stream. New streams are rejected. */
  close(): void {
    this.closed = true;
    this.unsubscribe?.();
    this.rights.close();
    clearInterval(this.timer);
    this.live.settle();
    // Randomised, so that clients do not all reconnect at the same time.
    for (const stream of this.streams) stream.end(retryFrame(500 + Math.floor(Math.random() * 2_000)));
  }

  /**
   * Decides whether a stream may be opened and at which position it starts, while an error response is still possible.
   * @returns a function that opens it on the response from its parameter, after the headers were sent
   * @throws `rate_limited` when the user has too many streams, `unavailable` when the node is shutting down; the
   *   returned function throws the same
   */
  async prepare({ identity, filter, after }: StreamRequest): Promise<(takeOver: () => ServerResponse) => void> {
    this.admit(identity);
    const reset = after === undefined ? undefined : await this.mustReset(after);
    return (takeOver) => {
      this.admit(identity);
      const response = takeOver();
      if (response.destroyed) return;
      const stream = new Stream(response, identity, filter, identity.expiresAt, this.streams.size % HEARTBEAT_S);
      this.add(stream, response);
      stream.push(retryFrame(RETRY_MS));
      stream.cursor = reset?.head ?? after ?? this.events.head;
      if (reset) stream.push(resetFrame(reset));
      else stream.push(heartbeatFrame(stream.cursor));
      stream.flush();
      void this.catchUp.run(stream);
    };
  }

  private admit({ actor }: Identity): void {
    if (this.closed) throw problem('unavailable', { headers: { 'retry-after': '1' } });
    if ((this.perUser.get(actor.id) ?? 0) >= MAX_PER_USER) {
      throw problem('rate_limited', {
        detail: `A user has at most ${MAX_PER_USER} event streams.`,
        headers: { 'retry-after': '15' },
      });
    }
  }

  /** A position from another node may be ahead of this one: only the database can decide that a position is unknown. */
  private async mustReset(after: number): Promise<LogBounds | undefined> {
    if (after <= this.events.head && this.events.recent(after, 0)) return undefined;
    const bounds = await this.events.bounds(after);
    return bounds.fault && bounds;
  }

  private add(stream: Stream, response: ServerResponse): void {
    const { id } = stream.identity.actor;
    this.streams.add(stream);
    this.perUser.set(id, (this.perUser.get(id) ?? 0) + 1);
    response.once('close', () => {
      this.streams.delete(stream);
      this.live.leave(stream);
      const left = this.perUser.get(id)! - 1;
      if (left > 0) this.perUser.set(id, left);
      else this.perUser.delete(id);
    });
    response.on('error', () => response.destroy());
  }

  private tick(): void {
    const now = Date.now();
    this.second = (this.second + 1) % HEARTBEAT_S;
    this.live.settle();
    for (const stream of this.streams) {
      if (stream.isExpired(now)) stream.end(retryFrame(RETRY_MS));
      else if (stream.channel && stream.beat === this.second && this.live.keepsUp(stream)) {
        stream.push(heartbeatFrame(stream.cursor));
        stream.flush();
      }
    }
    this.rights.retry();
  }
}
