import type knexFactory from 'knex';
import type { Knex } from 'knex';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import pg from 'pg';
import type { DatabaseConnection } from './connection.js';

/** A statement that is prepared once per connection; `name` must be unique to its text. Without one it is planned anew each time. */
export interface Statement {
  name: string | undefined;
  text: string;
}

const load = createRequire(import.meta.url);

/** Every column as the text PostgreSQL sends: no Date, no JSON.parse; what a hot path needs, it converts itself. */
export const RAW_TEXT = {
  getTypeParser:
    () =>
    (value: string | null): string | null =>
      value,
};

/** The longest wait for a connection, and for a free one of the pool. */
const CONNECT_MS = 5_000;
const REPLICA_CONNECT_MS = 1_000;
/** The planner's JIT costs more than it saves on our short statements. */
const OPTIONS =
  '-c TimeZone=UTC -c DateStyle=ISO -c jit=off -c statement_timeout=60000 -c idle_in_transaction_session_timeout=60000';

/** Where a read has its connection from. */
export interface ReadSource {
  /** A connection the caller releases. */
  connect(): Promise<pg.PoolClient>;
  /** Told why a read that was under way has broken. */
  broke?(error: Error): void;
}

const SESSION = {
  name: 'session-settings',
  text: `select current_setting('TimeZone') as zone, current_setting('DateStyle') as style`,
};
const UTC = /^(Etc\/)?(UTC|UCT|Universal|Zulu|Greenwich|GMT[+-]?0?)$/i;

export interface DatabaseOptions {
  connection: DatabaseConnection;
  /** Connections of this node, at most. */
  max: number;
  /** A standby: it is never written, and there is somebody else to ask where it does not answer soon. */
  isReplica?: boolean;
  /** Told of idle connections that break. */
  onError?: (reason: string) => void;
}

/**
 * One pool of connections for all there is: hot paths send prepared SQL straight to it, cold paths use knex and
 * Objection over the same connections.
 */
export class Database implements ReadSource {
  readonly pool: pg.Pool;
  readonly connection: DatabaseConnection;
  private readonly sockets = new Set<Socket>();
  private builder: Knex | undefined;

  constructor(options: DatabaseOptions) {
    this.connection = options.connection;
    this.pool = new pg.Pool({
      ...options.connection,
      stream: this.socket,
      max: options.max,
      connectionTimeoutMillis: options.isReplica ? REPLICA_CONNECT_MS : CONNECT_MS,
      idleTimeoutMillis: 60_000,
      application_name: options.isReplica ? 'lintel-replica' : 'lintel',
      // A standby that was promoted would take writes.
      options: options.isReplica ? `${OPTIONS} -c default_transaction_read_only=on` : OPTIONS,
    });
    this.pool.on('error', ({ message }) => {
      if (!this.pool.ending) options.onError?.(message);
    });
    // The pool listens to idle connections only: one that breaks inside a transaction would end the process.
    this.pool.on('connect', (client) => {
      client.on('error', () => undefined);
    });
  }

  /** Knex over the pool, for modules that ask for it: it is loaded when they do. */
  get knex(): Knex {
    this.builder ??= (load('knex') as typeof knexFactory)({ client: 'pg', connectionPool: this.pool });
    return this.builder;
  }

  /** A connection of the pool, which the caller gives back. */
  async connect(): Promise<pg.PoolClient> {
    return await this.pool.connect();
  }

  /** A client outside the pool, for what holds a session: LISTEN, advisory locks, COPY. The caller ends it. */
  async dedicated(name: string): Promise<pg.Client> {
    const client = new pg.Client({
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
   * Makes sure that sessions have what is asked of them as they begin: times are read as they come, and would be wrong
   * without a word where something on the way drops it.
   * @throws when they have not
   */
  async checkSession(): Promise<void> {
    const [{ zone, style }] = (await this.query<{ zone: string; style: string }>(SESSION)) as [
      { zone: string; style: string },
    ];
    if (UTC.test(zone) && style.startsWith('ISO')) return;
    throw new Error(
      `sessions of the database have TimeZone ${zone} and DateStyle ${style}, not UTC and ISO: a pooler or DATABASE_URL overrides ` +
        `the options they begin with; take that away, or run "alter role … set timezone to 'UTC'" and "alter role … set datestyle to 'ISO'"`,
    );
  }

  /**
   * Cuts every connection to the database, those of the pool and those outside it. What waits for an answer fails.
   * @returns how many there were
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

  /** Runs a prepared statement and gives rows as objects, types parsed. */
  async query<R extends pg.QueryResultRow>(statement: Statement, values: unknown[] = []): Promise<R[]> {
    return (await this.pool.query<R>({ ...statement, values })).rows;
  }

  /** Runs a prepared statement and gives rows as arrays of raw text. */
  async rows(statement: Statement, values: unknown[] = []): Promise<(string | null)[][]> {
    return (await this.pool.query({ ...statement, values, rowMode: 'array', types: RAW_TEXT as never })).rows as (
      | string
      | null
    )[][];
  }

  async close(): Promise<void> {
    await this.builder?.destroy();
    await this.pool.end();
  }
}

/** Sessions are made sure to have it. */
const ZONE = '+00';

/** A `timestamptz` as PostgreSQL prints it in UTC, as RFC 3339 with milliseconds. */
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
