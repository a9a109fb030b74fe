import type { LogEvent, PermissionSet } from '@lintel/sdk';
import { setImmediate as breathe } from 'node:timers/promises';
import { Channels, matches, type Channel } from './channel.js';
import { eventFrame } from './frames.js';
import type { EventLog } from './log.js';
import type { SessionWatch } from './session-watch.js';
import type { Sent, Stream } from './stream.js';
import type { EventVisibility } from './visibility.js';

/**
 * If passing events to all receivers takes long, events within this time are combined to one write per receiver; if it
 * is fast, events are sent at once.
 */
const COALESCE_MS = 20;
const COALESCE_PER_COST = 2;
/** A live receiver with more unsent bytes than this continues at its own speed, reading from the log. */
const LIVE_BYTES = 1024 * 1024;
/** Number of receivers served before yielding to the event loop. */
const SLICE = 256;

type Outcome = Buffer | 'nothing' | 'cards';

/** The receivers at the end of the log: each published event is passed to all of them. */
export class LiveStreams {
  private readonly channels = new Channels();
  /** Streams with pending data. */
  private dirty = new Set<Stream>();
  private hasGathered = false;
  private flushing = false;
  private flushedAt = 0;
  private flushMs = 0;
  /** State number of the permissions for which all streams were checked. */
  private rightsState = -1;

  /** @param fallBack lets a stream catch up from its position; called after the stream was removed */
  constructor(
    private readonly events: Pick<EventLog, 'head'>,
    private readonly visibility: EventVisibility,
    private readonly rights: SessionWatch,
    private readonly fallBack: (stream: Stream) => void,
  ) {}

  /**
   * Adds a stream that has received everything up to the end of the log, or beyond this node's position, and whose
   * permissions are up to date.
   */
  join(stream: Stream): void {
    const channel = this.channels.of(stream, this.events.head);
    // Frames collected so far are before the position of the stream.
    this.hand(channel);
    channel.members.add(stream);
    stream.channel = channel;
  }

  /** Removes a stream; its pending data remains. */
  leave(stream: Stream): void {
    stream.channel?.members.delete(stream);
    stream.channel = undefined;
  }

  /** Passes an event to all receivers that may see it. */
  deliver(event: LogEvent): void {
    if (this.rightsState !== this.rights.current) this.regroup();
    const isPersonal = this.visibility.isPersonal(event);
    const byRole = new Map<PermissionSet, Outcome>();
    for (const channel of this.channels) {
      if (event.position <= channel.position) continue;
      if (matches(channel.filter, event)) {
        if (isPersonal) this.gatherOwn(channel, event);
        else this.gather(channel, event, byRole);
      }
      channel.position = event.position;
    }
    if (this.hasGathered) this.flushSoon();
  }

  /** Passes everything collected to the streams, so that their cursors are up to date. */
  settle(): void {
    for (const channel of this.channels) this.hand(channel);
  }

  /** Whether a connection accepts data fast enough. */
  keepsUp(stream: Stream): boolean {
    return stream.untaken <= LIVE_BYTES;
  }

  private gather(channel: Channel, event: LogEvent, byRole: Map<PermissionSet, Outcome>): void {
    let outcome = byRole.get(channel.permissions);
    if (outcome === undefined) byRole.set(channel.permissions, (outcome = this.outcome(event, channel)));
    if (outcome === 'nothing') return;
    if (outcome === 'cards') {
      // Each member may see a different view of the event, which requires reading cards; the streams continue by
      // catching up from their position.
      this.hand(channel);
      for (const stream of [...channel.members]) this.drop(stream);
      return;
    }
    channel.gather(outcome);
    this.hasGathered = true;
  }

  /** The view of all members, where it depends on permissions only. */
  private outcome(event: LogEvent, { members }: Channel): Outcome {
    const [{ identity }] = members as unknown as [Stream];
    if (this.visibility.needsCards(event, identity)) return 'cards';
    const seen = this.visibility.see(event, identity);
    return seen ? eventFrame(seen) : 'nothing';
  }

  private gatherOwn(channel: Channel, event: LogEvent): void {
    const frames = new Map<Stream, Buffer>();
    for (const stream of channel.members) {
      const seen = this.visibility.see(event, stream.identity);
      if (seen) frames.set(stream, eventFrame(seen));
    }
    if (frames.size === 0) return;
    const [first] = frames.values();
    const isSame = frames.size === channel.members.size && [...frames.values()].every((frame) => frame === first);
    channel.gather(isSame ? first! : frames);
    this.hasGathered = true;
  }

  /**
   * After a permission change each stream moves to the channel of its new permissions; streams whose permissions must
   * be reloaded catch up from the log.
   */
  private regroup(): void {
    this.rightsState = this.rights.current;
    for (const channel of [...this.channels]) {
      this.hand(channel);
      for (const stream of [...channel.members]) {
        if (!this.rights.isChecked(stream)) this.drop(stream);
        else if (stream.identity.permissions !== channel.permissions) {
          this.leave(stream);
          this.join(stream);
        }
      }
    }
  }

  private drop(stream: Stream): void {
    this.leave(stream);
    this.fallBack(stream);
  }

  private hand(channel: Channel): void {
    const { hasGathered } = channel;
    const now = Date.now();
    if (hasGathered)
      for (const stream of [...channel.members]) if (!this.keepsUp(stream) || stream.isExpired(now)) this.drop(stream);
    channel.hand();
    if (hasGathered) for (const stream of channel.members) if (stream.isDirty) this.dirty.add(stream);
  }

  private flushSoon(): void {
    if (this.flushing) return;
    this.flushing = true;
    const wait = this.flushedAt + Math.min(COALESCE_MS, COALESCE_PER_COST * this.flushMs) - performance.now();
    if (wait <= 0) queueMicrotask(() => void this.flush());
    else setTimeout(() => void this.flush(), wait);
  }

  private async flush(): Promise<void> {
    const began = performance.now();
    this.hasGathered = false;
    this.settle();
    const streams = this.dirty;
    this.dirty = new Set();
    let last: Sent | undefined;
    let served = 0;
    for (const stream of streams) {
      if (++served % SLICE === 0) await breathe();
      last = stream.flush(last);
    }
    this.flushedAt = performance.now();
    this.flushMs = this.flushedAt - began;
    this.flushing = false;
    if (this.hasGathered || this.dirty.size > 0) this.flushSoon();
  }
}
