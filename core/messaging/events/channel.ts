import type { LogEvent, PermissionSet } from '@lintel/sdk';
import type { EventFilter } from './log.js';
import type { Stream } from './stream.js';

/** Whether a type of events is one of `types`, which are exact types or prefixes that end in a dot. */
export const matchesType = (types: readonly string[], type: string): boolean =>
  types.some((t) => (t.endsWith('.') ? type.startsWith(t) : type === t));

/** Whether an event matches the filter of a receiver. */
export function matches({ types, subject_id }: EventFilter, { type, subject }: LogEvent): boolean {
  if (subject_id !== undefined && subject.id !== subject_id) return false;
  return types === undefined || matchesType(types, type);
}

/** Frames for all members, or a separate frame for each of some members. */
type Gathered = Buffer | OwnFrames;
type OwnFrames = ReadonlyMap<Stream, Buffer>;

/**
 * Live receivers with the same permissions and the same filter. Each event is evaluated once for all of them, and its
 * frame is collected here until it is passed to each member.
 */
export class Channel {
  readonly members = new Set<Stream>();
  private gathered: Gathered[] = [];

  /**
   * @param key identifies the channel
   * @param position events up to this position are not passed to the channel
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

  /** Adds frames for all members or for some. */
  gather(frames: Gathered): void {
    this.gathered.push(frames);
  }

  /** Passes the collected frames to each member's pending data. */
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

  /** Deletes channels without members during the iteration. */
  *[Symbol.iterator](): Generator<Channel, void> {
    for (const channel of this.channels.values()) {
      if (channel.members.size > 0) yield channel;
      else this.channels.delete(channel.key);
    }
  }

  /**
   * The channel of a live stream; a new channel starts at the position of the stream.
   * @param head position of the latest published event
   */
  of({ identity: { permissions }, filter, cursor }: Stream, head: number): Channel {
    let number = this.numbers.get(permissions);
    if (number === undefined) this.numbers.set(permissions, (number = this.count++));
    // A receiver that resumes ahead of this node's position shares a channel only with receivers at the same position.
    const key = JSON.stringify([number, filter, cursor > head ? cursor : null]);
    let channel = this.channels.get(key);
    if (!channel) this.channels.set(key, (channel = new Channel(key, permissions, filter, cursor)));
    return channel;
  }
}
