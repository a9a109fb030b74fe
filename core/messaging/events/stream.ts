import type { LogEvent } from '@lintel/sdk';
import type { ServerResponse } from 'node:http';
import type { Identity } from '../../identity/identity.js';
import { matches, type Channel } from './channel.js';
import type { EventFilter } from './log.js';

/** A connection that accepts no data for this time is closed. */
const STALL_MS = 15_000;

/** One receiver: its filter, its position, and its unsent data, which the hub bounds. */
export class Stream {
  /** Everything up to this position was sent, or is not visible to the receiver. */
  cursor = 0;
  /** Whether the log may not have the stream's position any more. */
  isDoubtful = false;
  /** The channel of a live stream; undefined while it is catching up. */
  channel: Channel | undefined;
  /** State number of the permissions (see `SessionWatch`) for which `identity` was read. */
  checkedIn = -1;
  /** Approximate number of events the connection accepts at a time. */
  pace = 100;
  private pending: Buffer[] = [];
  private pendingBytes = 0;

  /**
   * @param expiresAt expiry of the token it was opened with, in milliseconds since 1970
   * @param beat second within the heartbeat interval at which this stream gets its heartbeat
   */
  constructor(
    private readonly response: ServerResponse,
    public identity: Identity,
    readonly filter: EventFilter,
    private readonly expiresAt: number,
    readonly beat: number,
  ) {}

  get closed(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }

  /** Bytes buffered in this process. */
  get buffered(): number {
    return this.pendingBytes + this.response.writableLength;
  }

  /** Whether the token it was opened with has expired. */
  isExpired(now: number): boolean {
    return this.expiresAt <= now;
  }

  /** Bytes passed to the connection and not accepted yet. */
  get untaken(): number {
    return this.response.writableLength;
  }

  /** Whether the connection applies backpressure. */
  get isFull(): boolean {
    return this.response.writableNeedDrain;
  }

  get isDirty(): boolean {
    return this.pending.length > 0;
  }

  matches(event: LogEvent): boolean {
    return matches(this.filter, event);
  }

  push(frame: Buffer): void {
    this.pending.push(frame);
    this.pendingBytes += frame.length;
  }

  /**
   * Sends the pending data as one write.
   * @param last data just sent to another stream: if equal, its memory is shared
   * @returns the data sent
   */
  flush(last?: Sent): Sent | undefined {
    const frames = this.pending;
    if (frames.length === 0 || this.closed) return last;
    this.pending = [];
    this.pendingBytes = 0;
    const isSame =
      last !== undefined &&
      last.frames.length === frames.length &&
      last.frames.every((frame, i) => frame === frames[i]);
    const sent = isSame ? last : { frames, bytes: frames.length === 1 ? frames[0]! : Buffer.concat(frames) };
    this.response.write(sent.bytes);
    return sent;
  }

  /**
   * Waits until the connection accepts data; closes a connection that accepts none for too long.
   * @returns whether the stream is still open
   */
  async drained(): Promise<boolean> {
    if (!this.closed && this.response.writableNeedDrain) {
      const { response } = this;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          response.off('drain', done).off('close', done);
          resolve();
        };
        const timer = setTimeout(() => {
          response.destroy();
          done();
        }, STALL_MS);
        response.once('drain', done).once('close', done);
      });
    }
    return !this.closed;
  }

  /** Ends the stream with a last frame; the connection is destroyed if it does not accept the frame within a second. */
  end(farewell: Buffer): void {
    if (this.closed) return;
    this.flush();
    const { response } = this;
    const timer = setTimeout(() => response.destroy(), 1_000).unref();
    response.once('close', () => clearTimeout(timer));
    response.end(farewell);
  }
}

export interface Sent {
  frames: readonly Buffer[];
  bytes: Buffer;
}
