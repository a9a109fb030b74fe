import type { Knex } from 'knex';
import type pg from 'pg';

/**
 * The server features that Knex checks are the same from PostgreSQL 15 on; a fixed version saves Knex one query per
 * instance.
 */
const SERVER_VERSION = '15';

/**
 * A Knex instance over one existing connection, which it neither opens nor releases: the query builder, Objection and
 * the migrator take part in the transaction that is open on that connection. Knex is loaded when it is first needed.
 */
export async function boundKnex(client: pg.ClientBase): Promise<Knex> {
  const { default: knexFactory } = await import('knex');
  // The interface of Knex's own connection pool. With the method names of pg's pool, Knex would release the connection.
  const only = {
    acquire: () => ({ promise: Promise.resolve(client) }),
    release: () => true,
    destroy: () => Promise.resolve(),
    numFree: () => 0,
    numUsed: () => 1,
    numPendingAcquires: () => 0,
  };
  return knexFactory({ client: 'pg', version: SERVER_VERSION, connectionPool: only as unknown as pg.Pool });
}
