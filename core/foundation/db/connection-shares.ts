import type pg from 'pg';
import { removeFrom } from '../arrays.js';
import { disconnected, Semaphore } from '../semaphore.js';
import { asService, currentUse, type RequestUse } from '../request-use.js';
import { cancelStatement } from './cancel-statement.js';

/** Connections of the pool that requests leave to the service itself. */
const RESERVED = 2;
/** Share of the pool that the requests of one user may hold. */
const USER_SHARE = 0.25;
/** Maximum wait of a request for its turn, in milliseconds. */
const WAIT_MS = 10_000;
const WAITING_EACH = 1_000;
/** Interval in milliseconds at which the connections of reads are checked. */
const CHECK_MS = 250;

/**
 * What a connection is taken for: one statement; several of a session, within which more connections may be taken; or a stream,
 * which lasts as long as its reader needs and limits the reader itself.
 */
export type ConnectionUse = 'statement' | 'session' | 'stream';

interface Held {
  use: RequestUse;
  client: pg.PoolClient;
  isStream: boolean;
  since: number;
  /** Bytes of the rows of the statement that is being executed. */
  bytes: number;
  cancelling?: Promise<void> | undefined;
  /** The reason why the connection must not be used again. */
  doubt?: Error;
}

/** Whether a request may read more: one that has read something must not wait for others of its user, which may wait for it. */
const mayContinue = (use: RequestUse): boolean => use.mustEnd || use.unsentBytes > 0 || use.load.hasRoom('unsentBytes');

/** A connection of the pool, and what it is taken for, if a request holds it. */
interface Followed {
  held?: Held | undefined;
}

/**
 * Shares the connections of a pool among the users of requests: each user holds at most a quarter, the rest of the user's requests wait,
 * and the next free connection is given to the user who holds the fewest. The statements of a read are cancelled when its
 * client disconnects, its time is over or its rows are too large. Work of the service itself is not limited here.
 */
export class ConnectionShares {
  private readonly turns: Semaphore;
  /** Few, in no order. */
  private readonly reads: Held[] = [];
  private readonly followed = new WeakMap<pg.ClientBase, Followed>();
  private timer: NodeJS.Timeout | undefined;

  /** @param connections maximum number of connections of the pool @param connect takes one from the pool */
  constructor(
    connections: number,
    private readonly connect: () => Promise<pg.PoolClient>,
  ) {
    this.turns = new Semaphore({
      what: 'statements',
      most: Math.max(1, connections - RESERVED),
      each: Math.max(1, Math.floor(connections * USER_SHARE)),
      waitMs: WAIT_MS,
      waitingEach: WAITING_EACH,
    });
  }

  /** Counts the rows that a new connection receives, for the requests that will hold it. */
  follow(client: pg.ClientBase): void {
    const followed: Followed = {};
    this.followed.set(client, followed);
    const { connection } = client as unknown as { connection: pg.Connection };
    connection.on('dataRow', ({ length }: { length: number }) => {
      if (followed.held) this.received(followed.held, length);
    });
    connection.on('readyForQuery', () => {
      if (followed.held) followed.held.bytes = 0;
    });
  }

  /**
   * Takes a connection for the request that is being processed, or for the service.
   * @returns a connection that the caller must release
   * @throws rate_limited when the request has waited for too long; bad_request when its client has disconnected
   */
  async take(purpose: ConnectionUse): Promise<pg.PoolClient> {
    const use = currentUse();
    if (!use) return await this.connect();
    let end = this.turnAtOnce(use);
    while (!end) end = await this.waitForTurn(use);
    try {
      return this.hold(await this.connect(), use, purpose, end);
    } catch (error) {
      end();
      throw error;
    }
  }

  /** @returns undefined where the request must wait */
  private turnAtOnce(use: RequestUse): (() => void) | undefined {
    if (use.isAbandoned) throw disconnected();
    const { load } = use;
    // A request that holds a connection must not wait for one: all those of its user could hold one and wait.
    if (use.sessions > 0) return this.turns.takeAnyway(load.user);
    return mayContinue(use) ? this.turns.tryTake(load.user) : undefined;
  }

  private async waitForTurn(use: RequestUse): Promise<(() => void) | undefined> {
    const { load } = use;
    const end = await this.turns.take(load.user, use);
    // Asked after the wait, because other requests of the user have been answered meanwhile.
    if (mayContinue(use)) return end;
    end();
    await load.room('unsentBytes', use.signal);
    return this.turnAtOnce(use);
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Lets the release of a connection end the turn, after a cancellation that is being sent. */
  private hold(client: pg.PoolClient, use: RequestUse, purpose: ConnectionUse, end: () => void): pg.PoolClient {
    const held: Held = { use, client, isStream: purpose === 'stream', since: performance.now(), bytes: 0 };
    const followed = this.followed.get(client)!;
    followed.held = held;
    const nests = Number(purpose !== 'statement');
    use.hasBegun = true;
    use.sessions += nests;
    if (use.isRead) this.watch(held);
    const release = client.release.bind(client);
    client.release = (broken) => {
      use.sessions -= nests;
      followed.held = undefined;
      removeFrom(this.reads, held);
      const give = (): void => {
        release(broken ?? held.doubt);
        end();
      };
      if (held.cancelling) void held.cancelling.then(give);
      else give();
    };
    return client;
  }

  private watch(held: Held): void {
    this.reads.push(held);
    this.timer ??= asService(() => setInterval(() => this.check(), CHECK_MS).unref());
  }

  private received(held: Held, bytes: number): void {
    if (held.isStream || !held.use.isRead) return;
    held.use.read(bytes);
    held.bytes += bytes;
    if (held.bytes > held.use.mostRowBytes) this.cancel(held);
  }

  private cancel(held: Held): void {
    held.cancelling ??= cancelStatement(held.client)
      .catch((error: Error) => {
        held.doubt = error;
      })
      .finally(() => {
        held.cancelling = undefined;
      });
  }

  private check(): void {
    if (this.reads.length === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    const now = performance.now();
    for (const held of this.reads) {
      const isLate = !held.isStream && now - held.since > held.use.readMs;
      // Repeated while the connection is held, because a session may send another statement.
      if (isLate || held.use.isGone) this.cancel(held);
    }
  }
}
