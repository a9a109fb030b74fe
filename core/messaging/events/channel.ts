import type { LogEvent, PermissionSet } from '@lintel/sdk';
import type { EventFilter } from './log.js';
import type { Stream } from './stream.js';

/** Whether a receiver with this filter is to get events such as this one. */
export function wants({ types, subject_id }: EventFilter, { type, subject }: LogEvent): boolean {
  if (subject_id !== undefined && subject.id !== subject_id) return false;
  return types === undefined || types.some((t) => (t.endsWith('.') ? type.startsWith(t) : type === t));
}

/** Frames that all get, or that some get, each his own. */
type Gathered = Buffer | OwnFrames;
type OwnFrames = ReadonlyMap<Stream, Buffer>;

/**
 * Live receivers with the same permissions and the same filter. What happens is looked at once for all of them, and
 * gathers here until it is handed to each.
 */
export class Channel {
  readonly members = new Set<Stream>();
  private gathered: Gathered[] = [];

  /**
   * @param key tells it from other channels
   * @param position everything up to here is none of its business any more
   */
  constructor(
    readonly key: string,
    readonly permissions: PermissionSet,
    readonly filter: EventFilter,
    public position: number,
  ) {}

  get hasGathered(): boolean {
    return this.gathered.length > 0;
  }

  /** Takes down what comes next, for all or for some. */
  gather(frames: Gathered): void {
    this.gathered.push(frames);
  }

  /** Hands what has gathered to each member: all of it is part of what they have pending then. */
  hand(): void {
    const { gathered, position } = this;
    this.gathered = [];
    const shared = joined(gathered.filter((frames): frames is Buffer => frames instanceof Buffer));
    const own = gathered.filter((frames): frames is OwnFrames => !(frames instanceof Buffer));
    for (const stream of this.members) {
      const bytes = own.some((frames) => frames.has(stream))
        ? joined(gathered.flatMap((frames) => ('get' in frames ? (frames.get(stream) ?? []) : frames)))
        : shared;
      if (bytes) stream.push(bytes);
      stream.cursor = position;
    }
  }
}

const joined = (frames: readonly Buffer[]): Buffer | undefined =>
  frames.length > 1 ? Buffer.concat(frames) : frames[0];

/** The channels of a node. */
export class Channels {
  private readonly channels = new Map<string, Channel>();
  private readonly numbers = new WeakMap<PermissionSet, number>();
  private count = 0;

  /** Forgets those that nobody is in any more on the way. */
  *[Symbol.iterator](): Generator<Channel, void> {
    for (const channel of this.channels.values()) {
      if (channel.members.size > 0) yield channel;
      else this.channels.delete(channel.key);
    }
  }

  /**
   * The channel a live stream belongs into; a new one is where the stream is.
   * @param head position of the latest event that was handed out
   */
  of({ identity: { permissions }, filter, cursor }: Stream, head: number): Channel {
    let number = this.numbers.get(permissions);
    if (number === undefined) this.numbers.set(permissions, (number = this.count++));
    // Who came from a node that is ahead of this one shares a channel only with those who have seen just as much.
    const key = JSON.stringify([number, filter, cursor > head ? cursor : null]);
    let channel = this.channels.get(key);
    if (!channel) this.channels.set(key, (channel = new Channel(key, permissions, filter, cursor)));
    return channel;
  }
}
