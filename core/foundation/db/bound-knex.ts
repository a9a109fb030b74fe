import type { Knex } from 'knex';
import type pg from 'pg';

/**
 * The server features that Knex checks are the same from PostgreSQL 15 on; a fixed version saves Knex one query per
 * instance.
 */
const SERVER_VERSION = '15';

/** What Knex sends for a transaction of its own, and the same for a part of the open one. */
const AS_SAVEPOINT: ReadonlyMap<string, string> = new Map([
  ['BEGIN;', 'savepoint knex'],
  ['COMMIT;', 'release savepoint knex'],
  ['ROLLBACK', 'rollback to savepoint knex; release savepoint knex'],
  ['ROLLBACK;', 'rollback to savepoint knex; release savepoint knex'],
]);

/** The connection, on which a transaction of Knex does not end the one that is open. */
function nested(client: pg.ClientBase): pg.ClientBase {
  const query = (config: { text?: string }, ...rest: unknown[]): unknown => {
    const text = AS_SAVEPOINT.get(config.text ?? '');
    const send = client.query.bind(client) as (...args: unknown[]) => unknown;
    return send(text === undefined ? config : { ...config, text }, ...rest);
  };
  return new Proxy(client, {
    get: (target, key) => (key === 'query' ? query : (Reflect.get(target, key) as unknown)),
  });
}

/**
 * A Knex instance over one existing connection, which it neither opens nor releases: the query builder, Objection and
 * the migrator take part in the transaction that is open on that connection. Knex is loaded when it is first needed.
 * @param isOpen whether a transaction is open that must not end before the caller ends it
 */
export async function boundKnex(connection: pg.ClientBase, isOpen = false): Promise<Knex> {
  const { default: knexFactory } = await import('knex');
  const client = isOpen ? nested(connection) : connection;
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
