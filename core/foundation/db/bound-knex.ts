import type { Knex } from 'knex';
import type pg from 'pg';

/** What knex shows of the server's features is the same from 15 on; telling it spares a query per instance. */
const SERVER_VERSION = '15';

/**
 * Knex over one connection that it neither opens nor gives back: the query builder, Objection and the migrator take
 * part in whatever transaction is open there. It is loaded when it is first needed.
 */
export async function boundKnex(client: pg.ClientBase): Promise<Knex> {
  const { default: knexFactory } = await import('knex');
  // The shape by which knex knows a pool of its own kind; the names of pg's pool would have it release the connection.
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
