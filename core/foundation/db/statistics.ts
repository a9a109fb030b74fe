import type pg from 'pg';
import type { Log } from '../log.js';
import { asService } from '../request-use.js';
import type { Database } from './database.js';

/** Number of rows written on this node, according to the event log, after which table growth is checked. */
const MANY_ROWS = 2_000;
/**
 * The first check is soon, later ones at least at this interval: PostgreSQL's statistics include a session's changes after 10 s
 * at the latest.
 */
const SOON_MS = 200;
const EVERY_MS = 5_000;
/** The next check is after so many times the duration of the last one: tables that grow for long take a twentieth of the time. */
const PAUSE = 20;
const FOLLOWED_MS = 15_000;
/** Held while a table is analyzed, so that only one node does so at a time. */
const LOCK = 7_315_023;

// Tables that changed so much that plans based on their statistics are wrong. The outbox is excluded, which is empty again before
// it matters, and the rows of imports, which analyze them themselves.
const GROWN = {
  name: 'statistics-grown',
  text: `select s.relid::regclass::text as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = current_schema() and s.relname not in ('event_outbox', 'import_rows') and s.n_mod_since_analyze >= 1000 and s.n_mod_since_analyze > 0.1 * greatest(c.reltuples, 0)
    order by s.n_mod_since_analyze desc limit 20`,
};
const BEGIN = `begin; set local statement_timeout = '5min'; set local lock_timeout = '1s'; set local maintenance_work_mem = '64MB'`;

/**
 * Runs ANALYZE on tables that grew suddenly, as during an import: until then, statements are planned with outdated
 * statistics, and autovacuum may take minutes. Runs in the background, one table at a time across all nodes.
 */
export class Statistics {
  private rows = 0;
  private until = 0;
  private timer: NodeJS.Timeout | undefined;
  private checking: Promise<void> | undefined;
  private closed = false;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
  ) {}

  /** Called after each commit. @param rows approximate number of changed rows */
  wrote(rows: number): void {
    this.rows += rows;
    if (this.rows < MANY_ROWS || this.closed) return;
    this.rows = 0;
    this.until = performance.now() + FOLLOWED_MS;
    if (!this.checking) this.timer ??= asService(() => setTimeout(this.check, SOON_MS).unref());
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.checking;
  }

  private readonly check = (): void => {
    this.timer = undefined;
    const began = performance.now();
    this.checking = this.analyzeGrown()
      .catch((error: unknown) => this.log.debug({ err: error }, 'statistics: a table could not be analyzed now'))
      .finally(() => {
        this.checking = undefined;
        const now = performance.now();
        if (!this.closed && now < this.until)
          this.timer = setTimeout(this.check, Math.max(EVERY_MS, PAUSE * (now - began))).unref();
      });
  };

  private async analyzeGrown(): Promise<void> {
    for (const { name } of await this.db.query<{ name: string }>(GROWN)) {
      if (this.closed || !(await this.analyze(name))) return;
    }
  }

  /** @param name quoted where necessary @returns false while another node is analyzing it */
  private async analyze(name: string): Promise<boolean> {
    const client = await this.db.connect();
    try {
      await client.query(BEGIN);
      const {
        rows: [lock],
      } = await client.query<{ held: boolean } & pg.QueryResultRow>('select pg_try_advisory_xact_lock($1) as held', [
        LOCK,
      ]);
      if (lock!.held) await client.query(`analyze ${name}`);
      await client.query('commit');
      client.release();
      return lock!.held;
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  }
}
