import type { Database } from '../../foundation/db/database.js';
import { countHit, type Hit } from './limits-repository.js';

export type { Hit };

/**
 * Counts for rate limits over the last `WINDOW_SECONDS`, whenever that is asked: of any window as many requests are let
 * through as are allowed. Stores of several nodes that lead to the same place count together.
 */
export interface LimitStore {
  /** Whether it counts itself at the moment, and not another one in its stead. */
  readonly isUp: boolean;
  start(): Promise<void>;
  /**
   * Counts one request, with those that come at the same time one after the other; one that is refused does not count.
   * @param limit requests allowed in any window, at least 1
   */
  hit(key: string, limit: number): Promise<Hit>;
  close(): void;
}

/** Counts in the database, which all nodes have. */
export class DatabaseLimitStore implements LimitStore {
  readonly isUp = true;

  constructor(private readonly db: Database) {}

  async start(): Promise<void> {
    /* The table is there. */
  }

  async hit(key: string, limit: number): Promise<Hit> {
    return await countHit(this.db, key, limit);
  }

  close(): void {
    /* The connections are the service's. */
  }
}
