import type { SessionCache } from '../auth/index.js';
import type { Log } from '../log.js';
import { RETRY_MS, retryFrame } from './frames.js';
import type { Stream } from './stream.js';

/** Sessions asked for at once. */
const CHECKS = 8;

/** Holds open streams to what their sessions and roles are now. */
export class SessionWatch {
  private busy = false;
  private due = false;
  private closed = false;

  constructor(private readonly streams: ReadonlySet<Stream>, private readonly sessions: SessionCache, private readonly log: Log) {}

  /** Rights have moved somewhere: whoever lost his session goes, the others get the permissions of now. */
  check(): void {
    this.due = true;
    if (this.busy || this.closed) return;
    this.busy = true;
    // After the caches that listen to the same revision have been emptied.
    setImmediate(() => void this.checkAll().finally(() => { this.busy = false; }));
  }

  private async checkAll(): Promise<void> {
    while (this.due && !this.closed) {
      this.due = false;
      const bySession = new Map<string, Stream[]>();
      for (const stream of this.streams) {
        const { sessionId } = stream.identity.actor;
        bySession.set(sessionId, [...bySession.get(sessionId) ?? [], stream]);
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
    const identity = await this.sessions.get(sessionId);
    for (const stream of streams) {
      if (identity) stream.identity = identity;
      else stream.end(retryFrame(RETRY_MS));
    }
  }

  /** Checks again where a check failed. */
  retry(): void {
    if (this.due) this.check();
  }

  close(): void {
    this.closed = true;
  }
}
