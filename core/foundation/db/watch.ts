import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../log.js';
import type { Database } from './database.js';

const EVERY_MS = 1_000;
/** An answer is waited for in slices, so that time in which this process itself stood still does not count. */
const SLICE_MS = 500;
const SLICES = 8;

/**
 * Notices a database that hangs: one that refuses is noticed by every statement, but a server that was stopped, or that
 * went without a word, leaves its connections open and its callers waiting. Asked on a connection of its own, a server
 * that does not answer for some seconds loses all connections of this node; what waited on them fails, and who holds a
 * session makes another one as soon as that is possible.
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
        const answers = await this.inTime(this.ask());
        if (signal.aborted) break;
        if (!answers) {
          const connections = this.db.abandon();
          if (!hangs) this.log.error({ connections }, 'the database does not answer: its connections are given up');
        } else if (hangs) this.log.info('the database answers again');
        hangs = !answers;
      } catch {
        // It refuses, and so it does to everybody, who say so.
        this.client = undefined;
      }
      await delay(EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await this.client?.end().catch(() => undefined);
  }

  private async ask(): Promise<true> {
    this.client ??= await this.db.dedicated('lintel-watch');
    await this.client.query('select');
    return true;
  }

  /** Whether an answer comes in time. @throws where the connection breaks */
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
