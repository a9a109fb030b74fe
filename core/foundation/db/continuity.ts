import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { problem } from '../errors.js';
import type { Log } from '../log.js';
import { asService, currentUse } from '../request-use.js';
import { setVersionFloor } from '../versions.js';
import {
  isFormer,
  isOwnEnd,
  parseState,
  STATE,
  stateConfig,
  type DatabaseState,
  type LogEnd,
  type ServerIdentity,
} from './continuity-repository.js';
import type { Database } from './database.js';

const AGAIN_MS = 250;
/** Maximum wait for what is being read again, in milliseconds. */
const WAIT_MS = 5_000;

/** Why what this node has in memory does not belong to the database any more. */
export interface Interruption {
  reason: string;
  /** What the database says of itself. */
  server: ServerIdentity;
  /** The end of the log as this node has read it. */
  end: LogEnd;
  /** When this node last found the log to be the one it has read, by the clock of the database; undefined before. */
  since: string | undefined;
}

/** Forgets something and reads it again. It is repeated with all others where one fails. */
type Step = (interruption: Interruption) => void | Promise<void>;

/**
 * Notices that the database is not the one this node has read: another server continues it after a failover, or it was restored. Its latest writes
 * may then be lost, and everything that was read before may be wrong.
 *
 * Every new connection and every poll of the revisions compare the identity of the server, and the last event that this node has read. After a
 * difference everything in memory is read again; until then no request and no background work gets a connection, and a request that began before
 * never gets one.
 */
export class Continuity {
  /** Number of interruptions that this node has noticed. */
  generation = 0;
  /** The number of the current part of the log: it increases, for all nodes, when writes may have been lost. */
  epoch = 1;
  private server: ServerIdentity | undefined;
  /** Starts of PostgreSQL that are known to continue each other. */
  readonly starts = new Set<string>();
  private wal = 0;
  private since: string | undefined;
  private steps: Step[] = [];
  private afterwards: () => void = () => undefined;
  private endOf: () => LogEnd = () => ({ position: 0 });
  private renewal: Promise<void> | undefined;
  private again: Interruption | undefined;
  private readonly renewing = new AsyncLocalStorage<true>();
  private readonly closing = new AbortController();

  /** @param folder identity of the folder of an embedded database, which is not started by others; undefined for a server */
  constructor(
    private readonly db: Database,
    private readonly log: Log,
    readonly folder?: string,
  ) {}

  /** Reads the identity of the database, and compares that of every new connection from now on. */
  async start(): Promise<void> {
    await this.read();
    this.db.guard = this;
  }

  /** @param endOf the last event that this node has read */
  follow(endOf: () => LogEnd): void {
    this.endOf = endOf;
  }

  /**
   * @param steps what must be read again after an interruption, in this order
   * @param afterwards called when that is done
   */
  begin(steps: Step[], afterwards: () => void): void {
    this.steps = steps;
    this.afterwards = afterwards;
  }

  close(): void {
    this.closing.abort();
  }

  /** Whether memory is being read again. */
  get isInterrupted(): boolean {
    return this.renewal !== undefined && this.renewing.getStore() === undefined;
  }

  /**
   * Reads the revisions with the identity of the database, and compares it.
   * @returns revisions by kind, and what there is of new events
   */
  async read(): Promise<Pick<DatabaseState, 'revisions' | 'head' | 'isWaiting'>> {
    const { generation } = this;
    const end = this.endOf();
    const [row] = await this.db.rows(STATE, [end.position]);
    const state = parseState(row!, this.folder);
    this.compare(state, end, generation);
    return state;
  }

  /** Compares the identity of the server of a new connection. @throws unavailable where the server is a standby */
  async verify(client: pg.ClientBase): Promise<void> {
    const { generation } = this;
    const end = this.endOf();
    const { rows } = await client.query(stateConfig(end.position));
    const state = parseState((rows as unknown as (string | null)[][])[0]!, this.folder);
    if (state.isStandby) throw problem('unavailable', { headers: { 'retry-after': '1' } });
    this.compare(state, end, generation);
  }

  /**
   * Called before a connection is taken from the pool.
   * @returns undefined where it may be taken at once
   * @throws unavailable where that takes too long, and for a request that began before an interruption: it may have decided by what is in memory
   */
  hold(): Promise<void> | undefined {
    if (this.renewing.getStore()) return undefined;
    const use = currentUse();
    if (use?.generation !== undefined && use.generation !== this.generation)
      throw problem('unavailable', { headers: { 'retry-after': '1' } });
    return this.renewal && this.renewed(this.renewal);
  }

  /** Waits until everything was read again after an interruption. */
  async settled(): Promise<void> {
    await this.renewal;
  }

  /** Whether a connection may be used that was requested in a generation. */
  mayUse(generation: number): boolean {
    return generation === this.generation || this.renewing.getStore() === true;
  }

  /** @throws unavailable where it takes too long, and for background work: it may have decided by what was in memory */
  private async renewed(renewal: Promise<void>): Promise<void> {
    const isRequest = currentUse() !== undefined;
    const inTime = renewal.then(() => true);
    const isDone = await Promise.race([inTime, delay(WAIT_MS, false, { ref: false })]);
    if (!isDone || !isRequest) throw problem('unavailable', { headers: { 'retry-after': '1' } });
  }

  private compare(state: DatabaseState, end: LogEnd, generation: number): void {
    const { server } = state;
    // After a failover the former primary may still be there.
    if (this.server && !state.isStandby && isFormer(server, this.server)) {
      this.log.error(
        { lineage: server.lineage, current: this.server.lineage },
        'the database has a former timeline: it is not used; if it was restored on purpose, start this node again',
      );
      this.db.abandon();
      throw problem('unavailable', { headers: { 'retry-after': '1' } });
    }
    // An answer that was requested before an interruption is about another end of the log.
    if (state.isStandby || generation !== this.generation) return;
    this.epoch = state.epoch;
    setVersionFloor(state.versionFloor);
    const before = this.server;
    const isBehind = state.wal < this.wal || endDifference(state, end) !== undefined;
    if (before?.lineage !== server.lineage || (before.started !== server.started && isBehind)) this.starts.clear();
    this.starts.add(server.started);
    this.wal = before?.lineage === server.lineage ? Math.max(this.wal, state.wal) : state.wal;
    // While memory is being read again, its end of the log is known to be wrong.
    const reason =
      before && (serverDifference(before, server, isBehind) ?? (this.renewal ? undefined : endDifference(state, end)));
    this.server = server;
    if (reason !== undefined) this.interrupt({ reason, server, end, since: this.since });
    else if (!this.renewal) this.since = state.now;
    // Connections that were opened before may lead to the former server.
    if (reason !== undefined && before?.lineage !== server.lineage) this.db.abandon();
  }

  private interrupt(interruption: Interruption): void {
    this.generation++;
    this.log.warn(
      { reason: interruption.reason, position: interruption.end.position },
      'the database is another one than before: everything in memory is read again',
    );
    if (this.renewal) {
      this.again = interruption;
      return;
    }
    this.renewal = this.renewing
      .run(true, () => asService(() => this.renew(interruption)))
      .finally(() => {
        this.renewal = undefined;
        if (!this.closing.signal.aborted) asService(this.afterwards);
      });
  }

  private async renew(first: Interruption): Promise<void> {
    let current = first;
    let hasFailed = false;
    while (!this.closing.signal.aborted) {
      this.again = undefined;
      try {
        for (const step of this.steps) await step(current);
        if (!this.again) {
          this.log.info('everything in memory was read again');
          return;
        }
        current = this.again;
      } catch (error) {
        if (!hasFailed) this.log.warn({ err: error }, 'what was in memory could not be read again yet');
        hasFailed = true;
        await delay(AGAIN_MS, undefined, { signal: this.closing.signal }).catch(() => undefined);
      }
    }
  }
}

/** @returns why the server is not the one of before; undefined where it is */
function serverDifference(before: ServerIdentity, now: ServerIdentity, isBehind: boolean): string | undefined {
  if (before.lineage !== now.lineage) return 'another timeline or another database';
  return before.started !== now.started && isBehind ? 'PostgreSQL was started with a former state' : undefined;
}

/** @returns why the log is not the one that was read; undefined where it is */
function endDifference(state: DatabaseState, end: LogEnd): string | undefined {
  if (state.head < end.position) return `the log ends at ${state.head}, before ${end.position}`;
  if (!isOwnEnd(state, end)) return `position ${end.position} of the log has another event, or none`;
  return undefined;
}
