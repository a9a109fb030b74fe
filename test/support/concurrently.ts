import pg from 'pg';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { lockWaiters } from './database.js';
import { until } from './app.js';

/**
 * Holds a lock until requests wait for it, so that they run concurrently.
 * @param lock statement that takes the lock in a transaction
 * @param waiting number of sessions that must wait before the lock is released
 * @returns the result of `start`, which sends the requests
 */
export async function concurrently<T>(
  database: DatabaseConnection,
  lock: string,
  waiting: number,
  start: () => Promise<T>,
): Promise<T> {
  const holder = new pg.Client(database);
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query(lock);
    const running = start();
    await until(async () => (await lockWaiters(database)) >= waiting);
    await holder.query('commit');
    return await running;
  } finally {
    await holder.end();
  }
}
