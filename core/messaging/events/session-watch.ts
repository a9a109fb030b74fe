import type { SessionCache } from '../../identity/auth/index.js';
import type { Log } from '../../foundation/log.js';
import { RETRY_MS, retryFrame } from './frames.js';
import type { Stream } from './stream.js';

/** Number of sessions checked concurrently. */
const CHECKS = 8;

/**
 * Keeps open streams consistent with their sessions and roles. Each permission change starts a new state number; a
 * stream receives nothing until it has been checked for the current state.
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

  /**
   * Called after a permission change on any node: streams of ended sessions are closed, the others get their current
   * permissions.
   */
  check(): void {
    this.state++;
    this.checkSoon();
  }

  /** Current state number of the permissions. */
  get current(): number {
    return this.state;
  }

  /** Whether a stream was checked after the last permission change. */
  isChecked(stream: Stream): boolean {
    return stream.checkedIn === this.state;
  }

  /** Checks one stream if permissions have changed since its last check. */
  async settle(stream: Stream): Promise<void> {
    while (!stream.closed && !this.isChecked(stream)) await this.checkOne(stream.identity.actor.sessionId, [stream]);
  }

  private checkSoon(): void {
    this.due = true;
    if (this.busy || this.closed) return;
    this.busy = true;
    // Runs after the caches that listen to the same revision have been cleared.
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
        // Retried within a second.
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

  /** Repeats a failed check. */
  retry(): void {
    if (this.due) this.checkSoon();
  }

  close(): void {
    this.closed = true;
  }
}
