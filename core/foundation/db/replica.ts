import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../log.js';
import { databaseProblem } from './constraints.js';
import type { Database, ReadSource } from './database.js';
import { position, replicaState, type Position, type ReplicaState } from './replica-repository.js';
import { DatabaseWatch } from './watch.js';

/** How long a read waits for the replica to have what the primary had when it was asked for, in ms. */
const CATCH_UP_MS = 1_000;
const POLL_MS = 10;
/** A replica that failed a read is left alone so long, in ms: its callers would all wait in vain. */
const PAUSE_MS = 5_000;
const MEASURE_MS = 800;

/** What a standby cannot do, however well it is: no fault of its own, and the primary can. */
const PRIMARY_ONLY = new Set(['0A000', '25006', '55000']);
/** It had to give way to the log it follows: 40001 and 40P01; its database went: 57P04. */
const CONFLICT = new Set(['40001', '40P01', '57P04']);
const STATEMENT_TIMEOUT = /statement timeout/i;

export interface ReadsOptions {
  catchUpMs?: number;
  pauseMs?: number;
  /** Told where each read was served from. */
  onRead?: (from: 'replica' | 'primary') => void;
}

/** The replica cannot serve this read; the message says why. */
class Unfit extends Error {}

/**
 * Reads that may run on a replica, where there is one: long ones, that would be in the way of others. What was
 * acknowledged before a read began is in it, or the primary serves it; rights and metamodel are those of now in either
 * case, for they come from the memory of the node.
 */
export class Reads {
  private readonly watch: DatabaseWatch | undefined;
  private isOut = false;
  private pausedUntil = 0;
  private toldOfPrimaryOnly = false;

  /** @param replica undefined where there is none: the primary serves all */
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

  /** Nothing waits for the replica: the service starts without it as well. */
  start(): void {
    this.watch?.start();
  }

  async close(): Promise<void> {
    await this.watch?.close();
    await this.replica?.close();
  }

  /**
   * Reads from the replica if it is there and has caught up, else from the primary.
   * @param read begins on each connection with a transaction of its own, and changes nothing; may be called again, with
   *   another source, when it throws what the replica is to blame for
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
        connect: () => caughtUp(replica, needed, catchUpMs),
        broke: (error) => this.blame(error),
      });
      this.options.onRead?.('replica');
      if (this.isOut) this.log.info('the replica serves reads again');
      this.isOut = false;
      return result;
    } catch (error) {
      if (!this.blame(error as Error)) throw error;
    }
    return await this.fromPrimary(read);
  }

  /** Whether the replica is up, and how many bytes of the log it has not replayed. @throws while the primary is away */
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

  /** Whether the primary may do better. Says so once, and has the replica left alone for a while. */
  private blame(error: Error): boolean {
    const { code = '' } = error as { code?: string };
    if (PRIMARY_ONLY.has(code)) {
      if (!this.toldOfPrimaryOnly)
        this.log.warn({ err: error }, 'a read cannot run on a replica: the primary serves it');
      this.toldOfPrimaryOnly = true;
      return true;
    }
    if (!(error instanceof Unfit) && !isItsOwn(code, error)) return false;
    this.pausedUntil = performance.now() + (this.options.pauseMs ?? PAUSE_MS);
    if (!this.isOut) this.log.warn({ reason: error.message }, 'the replica does not serve reads: the primary does');
    this.isOut = true;
    return true;
  }
}

/** Whether the server is to blame, and not what it was asked. */
function isItsOwn(code: string, error: Error): boolean {
  // Cancelled by somebody; what takes too long takes long on the primary, too.
  if (code === '57014') return !STATEMENT_TIMEOUT.test(error.message);
  return CONFLICT.has(code) || databaseProblem(error)?.code === 'unavailable';
}

/** A connection whose server has replayed what is needed; it is the connection that counts, for a name may stand for several servers. */
async function caughtUp(replica: Database, needed: Position, catchUpMs: number): Promise<pg.PoolClient> {
  const deadline = performance.now() + catchUpMs;
  const client = await replica.connect().catch((error: Error) => {
    throw new Unfit(error.message);
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

/** Why a server is of no use, however far it has followed; undefined where it is. */
function unfit({ follows, identity, style }: ReplicaState, needed: Position): string | undefined {
  if (identity !== needed.identity) return 'its server has another database, or another copy of it';
  if (!follows) return 'its server is no standby, or was promoted';
  return style === needed.style
    ? undefined
    : `its sessions have other settings of time zone and date style (${style}) than those of the primary (${needed.style})`;
}

/** @throws Unfit when it takes longer than so many ms */
async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const limit = new AbortController();
  promise.catch(() => undefined);
  const late = delay(ms, undefined, { signal: limit.signal, ref: false }).then(() => {
    throw new Unfit(`no answer within ${Math.round(ms)} ms`);
  });
  late.catch(() => undefined);
  return await Promise.race([promise, late]).finally(() => limit.abort());
}
