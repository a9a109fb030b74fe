import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../log.js';
import type { Database } from './database.js';

const EVERY_MS = 1_000;
/** The answer is awaited in slices, so that time during which this process itself was blocked does not count. */
const SLICE_MS = 500;
const SLICES = 8;

/**
 * Detects a database that does not respond. A refused connection fails every statement at once, but a server that was
 * suspended or lost its network leaves connections open and callers waiting. This class sends a query over a dedicated
 * connection; if the server does not answer for some seconds, all connections of this node are closed. Pending
 * statements then fail, and components that hold a session reconnect as soon as possible.
 */
export class DatabaseWatch {
  private readonly stopping = new AbortController();
  private client: pg.Client | undefined;
  private watching: Promise<void> | undefined;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
  ) {}

  start(): void {
    this.watching = this.watch();
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.watching;
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    let hangs = false;
    while (!signal.aborted) {
      try {
        const answers = await this.inTime(this.ping());
        if (signal.aborted) break;
        if (!answers) {
          this.db.isAway = true;
          const connections = this.db.abandon();
          if (!hangs) this.log.error({ connections }, 'the database does not respond: its connections are closed');
        } else if (hangs) this.log.info('the database responds again');
        this.db.isAway = hangs = !answers;
      } catch {
        // The server refuses connections, which every statement reports by itself.
        this.client = undefined;
        this.db.isAway = hangs = false;
      }
      await delay(EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await this.client?.end().catch(() => undefined);
  }

  private async ping(): Promise<true> {
    this.client ??= await this.db.dedicated('lintel-watch');
    await this.client.query('select');
    return true;
  }

  /** Whether the answer arrives in time. @throws where the connection fails */
  private async inTime(answer: Promise<true>): Promise<boolean> {
    for (let slice = 0; slice < SLICES && !this.stopping.signal.aborted; slice++) {
      if (await Promise.race([answer, delay(SLICE_MS, false, { ref: false })])) return true;
    }
    answer.catch(() => {
      this.client = undefined;
    });
    return false;
  }
}
