import type { Database } from '../db/database.js';
import { countHit, WINDOW_SECONDS } from './limits-repository.js';

export interface RateLimitState {
  allowed: boolean;
  remaining: number;
  /** Seconds until the count begins anew. */
  reset: number;
  /** Seconds the count is over. */
  window: number;
}

/** Counts requests in fixed windows of a minute, in the database, so that a limit holds over all nodes. */
export class RateLimiter {
  constructor(private readonly db: Database) {}

  /**
   * Counts one request.
   * @param key what is limited, and by whom it is used
   * @param limit requests allowed in a window
   */
  async hit(key: string, limit: number): Promise<RateLimitState> {
    const { hits, reset } = await countHit(this.db, key);
    return { allowed: hits <= limit, remaining: Math.max(0, limit - hits), reset, window: WINDOW_SECONDS };
  }
}
