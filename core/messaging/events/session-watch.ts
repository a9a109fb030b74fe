import type { SessionCache } from '../../identity/auth/index.js';
import type { Log } from '../../foundation/log.js';
import { RETRY_MS, retryFrame } from './frames.js';
import type { Stream } from './stream.js';

/** Sessions asked for at once. */
const CHECKS = 8;

/**
 * Holds open streams to what their sessions and roles are now. Whenever rights move anywhere, a new state of the
 * rights begins, in which no stream has been looked at: none gets anything before it has.
 */
export class SessionWatch {
  private state = 0;
  private busy = false;
  private due = false;
  private closed = false;

  constructor(
    private readonly streams: ReadonlySet<Stream>,
    private readonly sessions: SessionCache,
    private readonly log: Log,
  ) {}

  /** Rights have moved somewhere: whoever lost his session goes, the others get the permissions of now. */
  check(): void {
    this.state++;
    this.checkSoon();
  }

  /** Number of the present state of the rights. */
  get current(): number {
    return this.state;
  }

  /** Whether a stream was looked at since rights moved last. */
  isChecked(stream: Stream): boolean {
    return stream.checkedIn === this.state;
  }

  /** Looks at one stream, where rights have moved since it was looked at last. */
  async settle(stream: Stream): Promise<void> {
    while (!stream.closed && !this.isChecked(stream)) await this.checkOne(stream.identity.actor.sessionId, [stream]);
  }

  private checkSoon(): void {
    this.due = true;
    if (this.busy || this.closed) return;
    this.busy = true;
    // After the caches that listen to the same revision have been emptied.
    setImmediate(
      () =>
        void this.checkAll().finally(() => {
          this.busy = false;
        }),
    );
  }

  private async checkAll(): Promise<void> {
    while (this.due && !this.closed) {
      this.due = false;
      const bySession = new Map<string, Stream[]>();
      for (const stream of this.streams) {
        if (this.isChecked(stream)) continue;
        const { sessionId } = stream.identity.actor;
        bySession.set(sessionId, [...(bySession.get(sessionId) ?? []), stream]);
      }
      const queue = [...bySession];
      const work = async (): Promise<void> => {
        for (let item = queue.pop(); item; item = queue.pop()) await this.checkOne(...item);
      };
      try {
        await Promise.all(Array.from({ length: CHECKS }, work));
      } catch (error) {
        // Tried again within a second.
        this.due = true;
        this.log.warn({ err: error }, 'event streams: sessions could not be checked');
        return;
      }
    }
  }

  private async checkOne(sessionId: string, streams: Stream[]): Promise<void> {
    const { state } = this;
    const identity = await this.sessions.get(sessionId);
    for (const stream of streams) {
      if (!identity) stream.end(retryFrame(RETRY_MS));
      else if (stream.checkedIn <= state) {
        stream.identity = identity;
        stream.checkedIn = state;
      }
    }
  }

  /** Checks again where a check failed. */
  retry(): void {
    if (this.due) this.checkSoon();
  }

  close(): void {
    this.closed = true;
  }
}
