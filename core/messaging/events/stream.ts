import type { LogEvent } from '@lintel/sdk';
import type { ServerResponse } from 'node:http';
import type { Identity } from '../../identity/identity.js';
import { wants, type Channel } from './channel.js';
import type { EventFilter } from './log.js';

/** No byte taken off our hands for so long ends a connection. */
const STALL_MS = 15_000;

/** One receiver: what it wants, how far it is, and what is not yet sent. Bounded by its hub. */
export class Stream {
  /** Everything up to this position was sent, or was none of the receiver's business. */
  cursor = 0;
  /** Where it gets events as they happen; else it is catching up on its own. */
  channel: Channel | undefined;
  /** State of the rights of all (see `SessionWatch`) that `identity` was read in. */
  checkedIn = -1;
  /** Events its connection takes at a time, about. */
  pace = 100;
  private pending: Buffer[] = [];
  private pendingBytes = 0;

  /**
   * @param expiresAt when the token it was opened with expires, in milliseconds since 1970
   * @param beat second of the heartbeat's interval in which this stream has its own
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

  /** Bytes that wait in this process. */
  get buffered(): number {
    return this.pendingBytes + this.response.writableLength;
  }

  /** Whether the token it was opened with is over. */
  isExpired(now: number): boolean {
    return this.expiresAt <= now;
  }

  /** Bytes the connection has not taken off our hands. */
  get untaken(): number {
    return this.response.writableLength;
  }

  /** Whether the connection wants to be left alone until it has taken some. */
  get isFull(): boolean {
    return this.response.writableNeedDrain;
  }

  get isDirty(): boolean {
    return this.pending.length > 0;
  }

  wants(event: LogEvent): boolean {
    return wants(this.filter, event);
  }

  push(frame: Buffer): void {
    this.pending.push(frame);
    this.pendingBytes += frame.length;
  }

  /**
   * Sends what is pending as one write.
   * @param last what another stream sent just now: where it is the same, its memory is shared
   * @returns what was sent
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
   * Waits until the connection takes more; one that takes nothing for long is cut off.
   * @returns whether it lives
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

  /** Ends in good order; who does not take the farewell within a second is cut off. */
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
