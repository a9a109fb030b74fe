import type { LogEvent, PermissionSet } from '@lintel/sdk';
import { setImmediate as breathe } from 'node:timers/promises';
import { Channels, wants, type Channel } from './channel.js';
import { eventFrame } from './frames.js';
import type { EventLog } from './log.js';
import type { SessionWatch } from './session-watch.js';
import type { Sent, Stream } from './stream.js';
import type { EventVisibility } from './visibility.js';

/**
 * Where serving everybody takes long, what happens within this time goes out in one write per receiver; where it
 * takes next to nothing, nobody waits.
 */
const COALESCE_MS = 20;
const COALESCE_PER_COST = 2;
/** A live receiver whose connection has so much to take goes on at its own pace, from the log. */
const LIVE_BYTES = 1024 * 1024;
/** Receivers served before other work has its turn. */
const SLICE = 256;

type Outcome = Buffer | 'nothing' | 'ask';

/** The receivers that are at the end of the log: each event is given to all of them as it is handed out. */
export class LiveStreams {
  private readonly channels = new Channels();
  /** Those who have something pending. */
  private dirty = new Set<Stream>();
  private hasGathered = false;
  private flushing = false;
  private flushedAt = 0;
  private flushMs = 0;
  /** State of the rights that all were looked at in. */
  private rightsState = -1;

  /** @param fallBack has a stream go on by itself from where it is; called when it has left */
  constructor(
    private readonly events: Pick<EventLog, 'head'>,
    private readonly visibility: EventVisibility,
    private readonly rights: SessionWatch,
    private readonly fallBack: (stream: Stream) => void,
  ) {}

  /**
   * Takes in a stream that has everything up to the end of the log, or beyond what this node has read, and was looked
   * at since rights moved last.
   */
  join(stream: Stream): void {
    const channel = this.channels.of(stream, this.events.head);
    // What has gathered is before where the stream is.
    this.hand(channel);
    channel.members.add(stream);
    stream.channel = channel;
  }

  /** Takes a stream out; what was handed to it stays pending. */
  leave(stream: Stream): void {
    stream.channel?.members.delete(stream);
    stream.channel = undefined;
  }

  /** Gives an event to all whom it is for. */
  deliver(event: LogEvent): void {
    if (this.rightsState !== this.rights.current) this.regroup();
    const isPersonal = this.visibility.isPersonal(event);
    const byRole = new Map<PermissionSet, Outcome>();
    for (const channel of this.channels) {
      if (event.position <= channel.position) continue;
      if (wants(channel.filter, event)) {
        if (isPersonal) this.gatherOwn(channel, event);
        else this.gather(channel, event, byRole);
      }
      channel.position = event.position;
    }
    if (this.hasGathered) this.flushSoon();
  }

  /** Makes all that was delivered part of what streams have pending, so that their cursors tell where they are. */
  settle(): void {
    for (const channel of this.channels) this.hand(channel);
  }

  /** Whether a connection takes what it is sent. */
  keepsUp(stream: Stream): boolean {
    return stream.untaken <= LIVE_BYTES;
  }

  private gather(channel: Channel, event: LogEvent, byRole: Map<PermissionSet, Outcome>): void {
    let outcome = byRole.get(channel.permissions);
    if (outcome === undefined) byRole.set(channel.permissions, (outcome = this.outcome(event, channel)));
    if (outcome === 'nothing') return;
    if (outcome === 'ask') {
      // Each of them may see something else of it, which is found out on the way by the log; their place is kept.
      this.hand(channel);
      for (const stream of [...channel.members]) this.drop(stream);
      return;
    }
    channel.gather(outcome);
    this.hasGathered = true;
  }

  /** What any member may see, where that hangs on permissions alone. */
  private outcome(event: LogEvent, { members }: Channel): Outcome {
    const [{ identity }] = members as unknown as [Stream];
    if (this.visibility.asksCards(event, identity)) return 'ask';
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

  /** Rights have moved: each goes to the channel of what his are now; where that must be asked for, by way of the log. */
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
