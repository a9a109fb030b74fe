import type { Database } from '../../foundation/db/database.js';
import { countHit, type Hit } from './limits-repository.js';

export type { Hit };

/**
 * Counts requests in a sliding window of `WINDOW_SECONDS`: in no window are more requests allowed than the limit.
 * Stores of several nodes that use the same backend share their counts.
 */
export interface LimitStore {
  /** Whether the store itself currently counts, and not its fallback. */
  readonly isUp: boolean;
  start(): Promise<void>;
  /**
   * Counts one request, serialised with concurrent requests of the same key; a rejected request is not counted.
   * @param limit maximum number of requests in any window, at least 1
   */
  hit(key: string, limit: number): Promise<Hit>;
  close(): void;
}

/** Counts in the database, which all nodes share. */
export class DatabaseLimitStore implements LimitStore {
  readonly isUp = true;

  constructor(private readonly db: Database) {}

  async start(): Promise<void> {
    /* The table is created by a migration. */
  }

  async hit(key: string, limit: number): Promise<Hit> {
    return await countHit(this.db, key, limit);
  }

  close(): void {
    /* The connections belong to the service's pool. */
  }
}
