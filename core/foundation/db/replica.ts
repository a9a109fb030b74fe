import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../log.js';
import { Problem } from '../errors.js';
import type { ConnectionUse } from './connection-shares.js';
import { databaseProblem } from './constraints.js';
import type { Database, ReadSource } from './database.js';
import { position, replicaState, type Position, type ReplicaState } from './replica-repository.js';
import { DatabaseWatch } from './watch.js';

/** Maximum time, in ms, a read waits for the replica to replay what the primary had when the read began. */
const CATCH_UP_MS = 1_000;
const POLL_MS = 10;
/** Time, in ms, for which a replica is not used after a failed read, so that other reads do not wait for it. */
const PAUSE_MS = 5_000;
const MEASURE_MS = 800;

/** Operations that no standby supports, even a healthy one; the primary does. */
const PRIMARY_ONLY = new Set(['0A000', '25006', '55000']);
/** Recovery conflicts with the replayed WAL: 40001 and 40P01; the database was dropped: 57P04. */
const CONFLICT = new Set(['40001', '40P01', '57P04']);
const STATEMENT_TIMEOUT = /statement timeout/i;

interface ReadsOptions {
  catchUpMs?: number;
  pauseMs?: number;
  /** Called with the server that each read was served from. */
  onRead?: (from: 'replica' | 'primary') => void;
}

/** The replica cannot serve this read; the message gives the reason. */
class Unfit extends Error {}

/**
 * Runs reads on a replica, if one is configured; meant for long reads that would slow down other requests. A read sees
 * everything acknowledged before it began, or the primary serves it. Permissions and metamodel are current in both
 * cases, because they come from the node's caches.
 */
export class Reads {
  private readonly watch: DatabaseWatch | undefined;
  private isOut = false;
  private pausedUntil = 0;
  private loggedPrimaryOnly = false;

  /** @param replica undefined where none is configured: the primary serves all reads */
  constructor(
    private readonly primary: Database,
    private readonly replica: Database | undefined,
    private readonly log: Log,
    private readonly options: ReadsOptions = {},
  ) {
    if (replica) this.watch = new DatabaseWatch(replica, log);
  }

  get hasReplica(): boolean {
    return this.replica !== undefined;
  }

  /** Does not wait for the replica: the service also starts without it. */
  start(): void {
    this.watch?.start();
  }

  async close(): Promise<void> {
    await this.watch?.close();
    await this.replica?.close();
  }

  /**
   * Reads from the replica if it is available and has caught up, else from the primary.
   * @param read begins its own transaction on each connection and changes nothing; called again, with another source,
   *   when it throws an error caused by the replica
   * @throws what `read` throws
   */
  async run<T>(read: (from: ReadSource) => Promise<T>): Promise<T> {
    const {
      replica,
      options: { catchUpMs = CATCH_UP_MS },
    } = this;
    if (!replica || performance.now() < this.pausedUntil) return await this.fromPrimary(read);
    try {
      const needed = await position(this.primary);
      const result = await read({
        connect: (purpose) => caughtUp(replica, purpose, needed, catchUpMs),
        broke: (error) => this.handleFailure(error),
      });
      this.options.onRead?.('replica');
      if (this.isOut) this.log.info('the replica serves reads again');
      this.isOut = false;
      return result;
    } catch (error) {
      if (!this.handleFailure(error as Error)) throw error;
    }
    return await this.fromPrimary(read);
  }

  /**
   * Whether the replica is available, and how many bytes of WAL it has not replayed. @throws while the primary is
   * unavailable
   */
  async measure(): Promise<readonly [up: number, lagBytes: number]> {
    const needed = await position(this.primary);
    const client = await this.replica?.connect().catch(() => undefined);
    if (!client) return [0, Number.NaN];
    try {
      const state = await within(MEASURE_MS, replicaState(client, needed.lsn));
      client.release();
      return [Number(unfit(state, needed) === undefined), state.behind ?? Number.NaN];
    } catch (error) {
      client.release(error as Error);
      return [0, Number.NaN];
    }
  }

  private async fromPrimary<T>(read: (from: ReadSource) => Promise<T>): Promise<T> {
    const result = await read(this.primary);
    this.options.onRead?.('primary');
    return result;
  }

  /**
   * Pauses the use of the replica if it caused the error, and logs the reason once.
   * @returns whether the read may succeed on the primary
   */
  private handleFailure(error: Error): boolean {
    const { code = '' } = error as { code?: string };
    if (PRIMARY_ONLY.has(code)) {
      if (!this.loggedPrimaryOnly)
        this.log.warn({ err: error }, 'a read cannot run on a replica: the primary serves it');
      this.loggedPrimaryOnly = true;
      return true;
    }
    if (!(error instanceof Unfit) && !isServerFault(code, error)) return false;
    this.pausedUntil = performance.now() + (this.options.pauseMs ?? PAUSE_MS);
    if (!this.isOut) this.log.warn({ reason: error.message }, 'the replica does not serve reads: the primary does');
    this.isOut = true;
    return true;
  }
}

/** Whether the error was caused by the server and not by the statement. */
function isServerFault(code: string, error: Error): boolean {
  // Cancelled by an administrator or by recovery. A statement timeout would occur on the primary, too.
  if (code === '57014') return !STATEMENT_TIMEOUT.test(error.message);
  return CONFLICT.has(code) || databaseProblem(error)?.code === 'unavailable';
}

/**
 * Returns a connection whose server has replayed the needed WAL. Each connection is checked, because one host name may
 * lead to several servers.
 */
async function caughtUp(
  replica: Database,
  purpose: ConnectionUse | undefined,
  needed: Position,
  catchUpMs: number,
): Promise<pg.PoolClient> {
  const deadline = performance.now() + catchUpMs;
  const client = await replica.connect(purpose).catch((error: Error) => {
    throw error instanceof Problem ? error : new Unfit(error.message);
  });
  try {
    for (;;) {
      const state = await within(Math.max(POLL_MS * 5, deadline - performance.now()), replicaState(client, needed.lsn));
      const reason = unfit(state, needed);
      if (reason !== undefined) throw new Unfit(reason);
      if (state.behind === 0) return client;
      if (performance.now() + POLL_MS > deadline)
        throw new Unfit(`it is ${state.behind ?? 'an unknown number of'} bytes behind after ${catchUpMs} ms`);
      await delay(POLL_MS);
    }
  } catch (error) {
    client.release(error as Error);
    throw error instanceof Unfit ? error : new Unfit((error as Error).message);
  }
}

/** The reason why a server cannot be used, however far it has replayed; undefined where it can. */
function unfit({ follows, identity, style }: ReplicaState, needed: Position): string | undefined {
  if (identity !== needed.identity) return 'its server has another database, or another copy of it';
  if (!follows) return 'its server is no standby, or was promoted';
  return style === needed.style
    ? undefined
    : `its sessions have other settings of time zone and date style (${style}) than those of the primary (${needed.style})`;
}

/** @throws Unfit when it takes longer than `ms` milliseconds */
async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const limit = new AbortController();
  promise.catch(() => undefined);
  const late = delay(ms, undefined, { signal: limit.signal, ref: false }).then(() => {
    throw new Unfit(`no answer within ${Math.round(ms)} ms`);
  });
  late.catch(() => undefined);
  return await Promise.race([promise, late]).finally(() => limit.abort());
}
