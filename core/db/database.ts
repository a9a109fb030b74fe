import knexFactory, { type Knex } from 'knex';
import pg from 'pg';
import type { DatabaseConnection } from './connection.js';

/** A statement that is prepared once per connection; `name` must be unique to its text. Without one it is planned anew each time. */
export interface Statement {
  name: string | undefined;
  text: string;
}

/** Every column as the text PostgreSQL sends: no Date, no JSON.parse; what a hot path needs, it converts itself. */
export const RAW_TEXT = { getTypeParser: () => (value: string | null): string | null => value };

export interface DatabaseOptions {
  connection: DatabaseConnection;
  /** Connections of this node, at most. */
  max: number;
  /** Told of idle connections that break. */
  onError?: (reason: string) => void;
}

/**
 * One pool of connections for all there is: hot paths send prepared SQL straight to it, cold paths use knex and
 * Objection over the same connections.
 */
export class Database {
  readonly pool: pg.Pool;
  readonly knex: Knex;
  readonly connection: DatabaseConnection;

  constructor(options: DatabaseOptions) {
    this.connection = options.connection;
    this.pool = new pg.Pool({
      ...options.connection,
      max: options.max,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 60_000,
      application_name: 'lintel',
      // The planner's JIT costs more than it saves on our short statements.
      options: '-c TimeZone=UTC -c DateStyle=ISO -c jit=off -c statement_timeout=60000 -c idle_in_transaction_session_timeout=60000',
    });
    this.pool.on('error', ({ message }) => { if (!this.pool.ending) options.onError?.(message); });
    // The pool listens to idle connections only: one that breaks inside a transaction would end the process.
    this.pool.on('connect', (client) => { client.on('error', () => undefined); });
    this.knex = knexFactory({ client: 'pg', connectionPool: this.pool });
  }

  /** A client outside the pool, for what holds a session: LISTEN, advisory locks, COPY. The caller ends it. */
  async dedicated(name: string): Promise<pg.Client> {
    const client = new pg.Client({ ...this.connection, application_name: name, keepAlive: true, options: '-c TimeZone=UTC -c DateStyle=ISO' });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Runs a prepared statement and gives rows as objects, types parsed. */
  async query<R extends pg.QueryResultRow>(statement: Statement, values: unknown[] = []): Promise<R[]> {
    return (await this.pool.query<R>({ ...statement, values })).rows;
  }

  /** Runs a prepared statement and gives rows as arrays of raw text. */
  async rows(statement: Statement, values: unknown[] = []): Promise<(string | null)[][]> {
    return (await this.pool.query({ ...statement, values, rowMode: 'array', types: RAW_TEXT as never })).rows as (string | null)[][];
  }

  async close(): Promise<void> {
    await this.knex.destroy();
    await this.pool.end();
  }
}

/** A `timestamptz` as PostgreSQL prints it in UTC, as RFC 3339 with milliseconds. */
export function timestamp(text: string): string {
  const day = text.slice(0, 10);
  const time = text.slice(11, 19);
  const dot = text.indexOf('.', 19);
  const ms = dot < 0 ? '000' : text.slice(dot + 1, text.search(/[+-]\d\d(:\d\d)?$/)).slice(0, 3).padEnd(3, '0');
  return `${day}T${time}.${ms}Z`;
}
