import type knexFactory from 'knex';
import type { Knex } from 'knex';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import pg from 'pg';
import { problem } from '../errors.js';
import type { DatabaseConnection } from './connection.js';
import { ConnectionShares, type ConnectionUse } from './connection-shares.js';
import { writableClient, type WritableClient } from './hosts.js';
import { isRefusal } from './native-error.js';
import { asRole, type StatementRole } from './statement-role.js';

/**
 * A statement that each connection prepares once; `name` must be unique to its text. Without a name it is planned on
 * every execution.
 */
export interface Statement {
  name: string | undefined;
  text: string;
}

const load = createRequire(import.meta.url);

/**
 * Returns every column as the text PostgreSQL sends, without Date or JSON parsing; hot paths convert only what they
 * need.
 */
export const RAW_TEXT = {
  getTypeParser:
    () =>
    (value: string | null): string | null =>
      value,
};

/** Maximum wait, in ms, for a new connection and for a free one from the pool. */
const CONNECT_MS = 5_000;
const REPLICA_CONNECT_MS = 1_000;
/**
 * JIT compilation costs more than it saves for the short statements of this service. Without parallel workers, a user who has five
 * connections has five processes of PostgreSQL, not fifteen.
 */
const OPTIONS =
  '-c TimeZone=UTC -c DateStyle=ISO -c jit=off -c max_parallel_workers_per_gather=0 -c statement_timeout=60000 -c idle_in_transaction_session_timeout=60000';

/** Where a read gets its connection from. */
export interface ReadSource {
  /** Returns a connection that the caller must release. @param purpose `session` when absent */
  connect(purpose?: ConnectionUse): Promise<pg.PoolClient>;
  /** Called with the reason when a running read has failed. */
  broke?(error: Error): void;
}

/**
 * Runs one statement outside of a transaction. Unlike `pool.query`, it keeps the connection after a refused statement: a
 * new one would have to sign in and prepare its statements again.
 * @param connect takes the connection
 */
export async function queryOnce<R extends pg.QueryResultRow>(
  connect: () => Promise<pg.PoolClient>,
  sent: pg.QueryConfig,
): Promise<R[]> {
  const client = await connect();
  let broken: Error | undefined;
  try {
    return (await client.query<R>(sent)).rows;
  } catch (error) {
    if (!isRefusal(error)) broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

const SESSION = {
  name: 'session-settings',
  text: `select current_setting('TimeZone') as zone, current_setting('DateStyle') as style`,
};
const UTC = /^(Etc\/)?(UTC|UCT|Universal|Zulu|Greenwich|GMT[+-]?0?)$/i;

/** Decides which connections may be used. See `Continuity`. */
interface ConnectionGuard {
  readonly generation: number;
  verify(client: pg.ClientBase): Promise<void>;
  hold(): Promise<void> | undefined;
  mayUse(generation: number): boolean;
}

interface DatabaseOptions {
  connection: DatabaseConnection;
  /** Maximum number of connections of this node. */
  max: number;
  /**
   * True for a standby: it is never written to, and connecting has a shorter timeout because the primary is the
   * fallback.
   */
  isReplica?: boolean;
  /** Called when an idle connection fails. */
  onError?: (reason: string) => void;
}

/**
 * One connection pool for everything: hot paths send prepared SQL directly to it, other code uses Knex and Objection
 * over the same connections.
 */
export class Database implements ReadSource {
  readonly pool: pg.Pool;
  readonly connection: DatabaseConnection;
  /** Whether the server hangs: connections to it are refused at once, because each would wait. */
  isAway = false;
  /** Set once the service has read which database this is. */
  guard: ConnectionGuard | undefined;
  private readonly Client: WritableClient;
  private readonly shares: ConnectionShares;
  private readonly sockets = new Set<Socket>();
  private builder: Knex | undefined;

  constructor(options: DatabaseOptions) {
    this.connection = options.connection;
    this.Client = options.isReplica ? pg.Client : writableClient(options.connection);
    this.pool = new pg.Pool({
      ...options.connection,
      Client: this.Client as new () => pg.Client,
      stream: this.socket,
      max: options.max,
      connectionTimeoutMillis: options.isReplica ? REPLICA_CONNECT_MS : CONNECT_MS,
      idleTimeoutMillis: 60_000,
      verify: this.verify,
      application_name: options.isReplica ? 'lintel-replica' : 'lintel',
      // A standby that was promoted would accept writes.
      options: options.isReplica ? `${OPTIONS} -c default_transaction_read_only=on` : OPTIONS,
    } as pg.PoolConfig);
    this.shares = new ConnectionShares(options.max, this.open);
    this.pool.on('error', ({ message }) => {
      if (!this.pool.ending) options.onError?.(message);
    });
    // The pool handles errors of idle connections only: without this listener, an error inside a transaction would end
    // the process.
    this.pool.on('connect', (client) => {
      client.on('error', () => undefined);
      this.shares.follow(client);
    });
  }

  /** Knex over the pool, for modules; it is loaded at the first use. */
  get knex(): Knex {
    this.builder ??= this.knexAs(() => Promise.resolve(undefined));
    return this.builder;
  }

  /**
   * Knex over the pool, whose statements run as a role: each in a transaction, unless one was begun.
   * @param role called for each connection; undefined: as the user of the service
   */
  knexAs(role: () => Promise<StatementRole | undefined>): Knex {
    const connect = async (): Promise<pg.PoolClient> => {
      const as = await role();
      const client = await this.connect();
      return as ? asRole(client, as) : client;
    };
    return (load('knex') as typeof knexFactory)({ client: 'pg', connectionPool: { connect } as unknown as pg.Pool });
  }

  /**
   * Takes a connection from the pool; the caller must release it. One for a request counts for its user.
   * @param purpose `session` when absent
   * @throws rate_limited when the user of the request holds too many for too long
   */
  async connect(purpose: ConnectionUse = 'session'): Promise<pg.PoolClient> {
    const { guard } = this;
    if (!guard) return await this.shares.take(purpose);
    const held = guard.hold();
    if (held) await held;
    const { generation } = guard;
    const client = await this.shares.take(purpose);
    if (guard.mayUse(generation)) return client;
    // Its server was found to be another one: what the caller has in memory must be read again first.
    client.release();
    throw problem('unavailable', { headers: { 'retry-after': '1' } });
  }

  private readonly open = async (): Promise<pg.PoolClient> => {
    if (this.isAway) throw problem('unavailable', { headers: { 'retry-after': '5' } });
    return await this.pool.connect();
  };

  private readonly connectOnce = (): Promise<pg.PoolClient> => this.connect('statement');

  /** Called by the pool for each new connection. The types of pg-pool lack this option. */
  private readonly verify = (client: pg.PoolClient, done: (error?: Error) => void): void => {
    if (this.guard) this.guard.verify(client).then(() => done(), done);
    else done();
  };

  /** A client outside the pool, for work that needs a session: LISTEN, advisory locks, COPY. The caller ends it. */
  async dedicated(name: string): Promise<pg.Client> {
    const client = new this.Client({
      ...this.connection,
      stream: this.socket,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: name,
      keepAlive: true,
      options: '-c TimeZone=UTC -c DateStyle=ISO',
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /**
   * Checks that sessions have the settings requested at connection start. Timestamps are parsed as text in a fixed
   * format, so they would silently be wrong if a proxy dropped those settings.
   * @throws where a setting differs
   */
  async checkSession(): Promise<void> {
    const [{ zone, style }] = (await this.query<{ zone: string; style: string }>(SESSION)) as [
      { zone: string; style: string },
    ];
    if (UTC.test(zone) && style.startsWith('ISO')) return;
    throw new Error(
      `sessions of the database have TimeZone ${zone} and DateStyle ${style}, not UTC and ISO: a pooler or DATABASE_URL overrides ` +
        `the options they begin with; remove that setting, or run "alter role … set timezone to 'UTC'" and "alter role … set datestyle to 'ISO'"`,
    );
  }

  /**
   * Closes every connection to the database, inside and outside the pool. Pending statements fail.
   * @returns the number of connections closed
   */
  abandon(): number {
    const { size } = this.sockets;
    for (const socket of this.sockets) socket.destroy();
    return size;
  }

  private readonly socket = (): Socket => {
    const socket = new Socket();
    this.sockets.add(socket);
    return socket.once('close', () => this.sockets.delete(socket));
  };

  /** Runs a prepared statement and returns rows as objects with parsed types. */
  async query<R extends pg.QueryResultRow>(statement: Statement, values: unknown[] = []): Promise<R[]> {
    return queryOnce<R>(this.connectOnce, { ...statement, values });
  }

  /** As `query`, as a role, in a transaction that ends with the statement. @param role undefined: as the user of the service */
  async queryAs<R extends pg.QueryResultRow>(
    role: StatementRole | undefined,
    statement: Statement,
    values: unknown[] = [],
  ): Promise<R[]> {
    if (!role) return await this.query<R>(statement, values);
    const client = await this.connectOnce();
    let broken: Error | undefined;
    try {
      return (await asRole(client, role).query<R>({ ...statement, values })).rows;
    } catch (error) {
      // Errors of the server have a severity; any other one is of the connection, which is not used again.
      if (!(error instanceof pg.DatabaseError)) broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Runs a prepared statement and returns rows as arrays of raw text. */
  async rows(statement: Statement, values: unknown[] = []): Promise<(string | null)[][]> {
    const sent = { ...statement, values, rowMode: 'array' as const, types: RAW_TEXT as never };
    return (await queryOnce(this.connectOnce, sent)) as unknown as (string | null)[][];
  }

  async close(): Promise<void> {
    this.shares.close();
    await this.builder?.destroy();
    await this.pool.end();
  }
}

/** `checkSession` makes sure that every session uses this offset. */
const ZONE = '+00';

/** Converts a `timestamptz` as PostgreSQL prints it in UTC to RFC 3339 with milliseconds. */
export function timestamp(text: string): string {
  const day = text.slice(0, 10);
  const time = text.slice(11, 19);
  const dot = text.indexOf('.', 19);
  const ms =
    dot < 0
      ? '000'
      : text
          .slice(dot + 1, text.length - ZONE.length)
          .slice(0, 3)
          .padEnd(3, '0');
  return `${day}T${time}.${ms}Z`;
}
