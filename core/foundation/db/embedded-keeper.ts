import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { connectOwner, inUse, postmasterAlive, signalPostmaster, takeLock } from './embedded-owner.js';
import { EmbeddedError, freeBytes, type Place } from './embedded-place.js';
import type { EmbeddedLog, Ended, Postmaster } from './embedded-process.js';

const RETRY_MS = 100;
/** Crash recovery replays up to `max_wal_size` of changes. No other process can take the lock during that time. */
const RECOVERY_MS = 300_000;
/**
 * The former session of this process may hold the lock until PostgreSQL notices its end; after this time another
 * process holds it.
 */
const OTHERS_MS = 5_000;
/**
 * If PostgreSQL ended because the disk was full, free space is checked at this interval, and PostgreSQL is started
 * again once some WAL files fit.
 */
const SPACE_MS = 1_000;
const SPACE_BYTES = 48 * 1024 * 1024;
const KILL_MS = 2_000;
const NO_SPACE = /No space left on device|Disk quota exceeded/;

/** The connection that holds the lock of a cluster, and a promise that resolves when it has ended. */
export interface Owner {
  client: pg.Client;
  ended: Promise<void>;
}

/** A running PostgreSQL and the session that holds its lock for this process. */
interface Held {
  postmaster: Postmaster;
  owner: Owner;
}

/** Connects to a cluster on behalf of the process that will own it. */
export async function openOwner(place: Place): Promise<Owner> {
  const client = await connectOwner(place);
  return {
    client,
    ended: new Promise((resolve) => {
      client.once('end', resolve);
    }),
  };
}

/**
 * Keeps the embedded database running and locked for this process until it is stopped. When a backend crashes,
 * PostgreSQL ends all sessions and recovers within a moment: the lock is then taken again. When PostgreSQL itself ended
 * because the disk is full, it is started again as soon as there is space. Every other end is final.
 */
export class EmbeddedKeeper {
  /** Resolves with the reason if the database ends, or another process takes it over, before `stop` is called. */
  readonly lost: Promise<EmbeddedError>;
  private readonly stopping = new AbortController();
  private stopped: Promise<void> | undefined;

  /** @param restart starts PostgreSQL on the cluster and takes the lock; calls `begun` as soon as the process exists */
  constructor(
    private readonly place: Place,
    private held: Held,
    private readonly restart: (begun: (postmaster: Postmaster) => void) => Promise<Held>,
    private readonly log: EmbeddedLog,
  ) {
    this.lost = new Promise((resolve) => {
      void this.keep().then((reason) => {
        if (reason !== undefined && !this.isStopping) resolve(new EmbeddedError(reason));
      });
    });
  }

  /** @param withinMs time after which an immediate shutdown is forced */
  stop(withinMs: number): Promise<void> {
    return (this.stopped ??= this.end(withinMs));
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** @returns why the database is lost; undefined once `stop` was called */
  private async keep(): Promise<string | undefined> {
    for (let reason: string | undefined; ; ) {
      const { postmaster, owner } = this.held;
      const ended = await Promise.race([postmaster.ended, owner.ended]);
      if (this.isStopping) return undefined;
      reason = ended ? await this.revive(ended) : await this.retake(postmaster);
      if (reason !== undefined || this.isStopping) return reason;
    }
  }

  /** Takes the lock again after the session that held it has ended. @returns the reason where that is not possible */
  private async retake(postmaster: Postmaster): Promise<string | undefined> {
    this.log('the session that holds the embedded database has ended: it is being reopened', 'warn');
    let over: Ended | undefined;
    void postmaster.ended.then((ended) => {
      over = ended;
    });
    const since = performance.now();
    let refusedSince: number | undefined;
    for (; !over && !this.isStopping; await this.pause(RETRY_MS)) {
      const owner = await this.tryOwner();
      if (typeof owner === 'object') {
        this.held = { postmaster, owner };
        this.log(
          `the session that holds the embedded database was reopened after ${Math.round(performance.now() - since)} ms`,
          'info',
        );
        return undefined;
      }
      refusedSince = owner === 'refused' ? (refusedSince ?? performance.now()) : undefined;
      if (refusedSince !== undefined && performance.now() - refusedSince > OTHERS_MS) return inUse(this.place).message;
      if (performance.now() - since > RECOVERY_MS)
        return `the embedded database has accepted no connection for ${RECOVERY_MS / 1_000} s`;
    }
    // The caller, which waits for the end of PostgreSQL, decides what it means.
    if (over) this.held = { ...this.held, postmaster };
    return undefined;
  }

  private async tryOwner(): Promise<Owner | 'refused' | 'away'> {
    let owner: Owner | undefined;
    try {
      owner = await openOwner(this.place);
      if (await takeLock(owner.client)) return owner;
    } catch {
      void owner?.client.end().catch(() => undefined);
      return 'away';
    }
    await owner.client.end().catch(() => undefined);
    return 'refused';
  }

  /** Starts PostgreSQL again if it ended because the disk is full. @returns the reason where it is not started */
  private async revive({ text, unattended }: Ended): Promise<string | undefined> {
    if (unattended) return 'the watchdog of the embedded database was killed';
    if (!NO_SPACE.test(text)) return 'the embedded database has ended';
    this.log('the disk is full, and PostgreSQL has ended: it is started again once there is space', 'error');
    while (!this.isStopping) {
      await this.pause(SPACE_MS);
      if (this.isStopping || (await freeBytes(this.place.cluster)) < SPACE_BYTES) continue;
      try {
        this.held = await this.restart((postmaster) => {
          this.held = { ...this.held, postmaster };
        });
        this.log('PostgreSQL is running again', 'info');
        return undefined;
      } catch (error) {
        const { message } = error as Error;
        if (!NO_SPACE.test(message)) return message;
      }
    }
    return undefined;
  }

  private async end(withinMs: number): Promise<void> {
    this.stopping.abort();
    const { postmaster, owner } = this.held;
    const gone = postmaster.ended.then(({ unattended }) => (unattended ? this.endUnattended(withinMs) : undefined));
    postmaster.signal('INT');
    if (!(await settles(gone, withinMs))) {
      postmaster.signal('QUIT');
      await settles(gone, KILL_MS);
    }
    await owner.client.end().catch(() => undefined);
  }

  private async endUnattended(withinMs: number): Promise<void> {
    signalPostmaster(this.place, 'SIGINT');
    for (const end = Date.now() + withinMs; postmasterAlive(this.place); await sleep(RETRY_MS)) {
      if (Date.now() > end) {
        signalPostmaster(this.place, 'SIGQUIT');
        return;
      }
    }
  }

  private async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

async function settles(promise: Promise<void>, ms: number): Promise<boolean> {
  const limit = new AbortController();
  try {
    return await Promise.race([promise.then(() => true), sleep(ms, false, { signal: limit.signal })]);
  } finally {
    limit.abort();
  }
}
