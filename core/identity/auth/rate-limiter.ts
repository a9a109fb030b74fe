import { LRUCache } from 'lru-cache';
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

interface Refusal {
  limit: number;
  /** By `performance.now()`. */
  until: number;
}

/** Keys whose refusal is remembered. */
const REMEMBERED = 10_000;

/**
 * Limits requests in any minute, by a store all nodes share, so that a limit holds over all of them. Of a key that was
 * refused none is let through before the oldest request leaves the minute: until then the store is not asked, so
 * that who goes on costs no more than an answer.
 */
export class RateLimiter {
  private readonly refusals = new LRUCache<string, Refusal>({ max: REMEMBERED });

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
    const left = this.refusedMs(key, limit);
    // The store tells whole seconds: in the last one it is asked.
    if (left > 1_000) return { allowed: false, remaining: 0, reset: Math.ceil(left / 1_000), window: WINDOW_SECONDS };
    const { allowed, hits, reset } = await this.store.hit(key, limit);
    if (!allowed) this.refusals.set(key, { limit, until: performance.now() + reset * 1_000 });
    return { allowed, remaining: Math.max(0, limit - hits), reset, window: WINDOW_SECONDS };
  }

  /** Whether counts are where they should be, and not in a place for the meanwhile. */
  get isShared(): boolean {
    return this.store.isUp;
  }

  close(): void {
    this.store.close();
  }

  /** How long a key is sure to be refused, in ms; another limit than it was refused by has to be asked for. */
  private refusedMs(key: string, limit: number): number {
    const refusal = this.refusals.get(key);
    return refusal?.limit === limit ? refusal.until - performance.now() : 0;
  }
}
