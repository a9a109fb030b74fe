import type { LimitStore } from './limit-store.js';
import { WINDOW_SECONDS } from './limits-repository.js';

export interface RateLimitState {
  allowed: boolean;
  remaining: number;
  /** Seconds until the oldest request that counts does so no more. */
  reset: number;
  /** Seconds the count is over. */
  window: number;
}

/** Limits requests in any minute, by a store all nodes share, so that a limit holds over all of them. */
export class RateLimiter {
  constructor(private readonly store: LimitStore) {}

  async start(): Promise<void> {
    await this.store.start();
  }

  /**
   * Counts one request; one that is refused does not count.
   * @param key what is limited, and by whom it is used
   * @param limit requests allowed in any minute
   */
  async hit(key: string, limit: number): Promise<RateLimitState> {
    const { allowed, hits, reset } = await this.store.hit(key, limit);
    return { allowed, remaining: Math.max(0, limit - hits), reset, window: WINDOW_SECONDS };
  }

  /** Whether counts are where they should be, and not in a place for the meanwhile. */
  get isShared(): boolean {
    return this.store.isUp;
  }

  close(): void {
    this.store.close();
  }
}
