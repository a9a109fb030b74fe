import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { problem } from '../../foundation/errors.js';
import type { LimitStore } from './limit-store.js';
import { WINDOW_SECONDS } from './limits-repository.js';

export interface RateLimitState {
  allowed: boolean;
  remaining: number;
  /** Seconds until the oldest counted request leaves the window. */
  reset: number;
  /** Length of the window in seconds. */
  window: number;
}

interface Refusal {
  limit: number;
  /** Time by `performance.now()`. */
  until: number;
}

/** Maximum number of keys whose refusal is cached. */
const REMEMBERED = 10_000;

/**
 * Limits requests per minute with a store that all nodes share, so that a limit applies across nodes. After a key was
 * refused, further requests are refused from a local cache until the oldest request leaves the window, so that repeated
 * requests do not reach the store.
 */
export class RateLimiter {
  private readonly refusals = new LRUCache<string, Refusal>({ max: REMEMBERED });

  constructor(private readonly store: LimitStore) {}

  async start(): Promise<void> {
    await this.store.start();
  }

  /**
   * Counts one request; a rejected request is not counted.
   * @param key identifies the limit and the client
   * @param limit maximum number of requests per minute
   */
  async hit(key: string, limit: number): Promise<RateLimitState> {
    const left = this.refusedMs(key, limit);
    // The store returns whole seconds, so the store is queried again in the last one.
    if (left > 1_000) return { allowed: false, remaining: 0, reset: Math.ceil(left / 1_000), window: WINDOW_SECONDS };
    const { allowed, hits, reset } = await this.store.hit(key, limit);
    if (!allowed) this.refusals.set(key, { limit, until: performance.now() + reset * 1_000 });
    return { allowed, remaining: Math.max(0, limit - hits), reset, window: WINDOW_SECONDS };
  }

  /** Whether counts are in the shared store and not in its fallback. */
  get isShared(): boolean {
    return this.store.isUp;
  }

  close(): void {
    this.store.close();
  }

  /** Remaining time, in ms, for which a key is certainly refused; a refusal by a different limit does not count. */
  private refusedMs(key: string, limit: number): number {
    const refusal = this.refusals.get(key);
    return refusal?.limit === limit ? refusal.until - performance.now() : 0;
  }
}

/**
 * Counts one request, and sets the headers with the state of its limit.
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 * @param what.key identifies the limit and the client
 * @throws rate_limited
 */
export async function countRequest(
  limiter: RateLimiter,
  reply: FastifyReply,
  { key, perMinute, by }: { key: string; perMinute: number; by: 'address' | 'user' },
): Promise<void> {
  const { allowed, remaining, reset, window } = await limiter.hit(key, perMinute);
  const headers = {
    'ratelimit-policy': `"${by}";q=${perMinute};w=${window}`,
    ratelimit: `"${by}";r=${remaining};t=${reset}`,
  };
  if (!allowed) throw problem('rate_limited', { headers: { ...headers, 'retry-after': String(reset) } });
  reply.headers(headers);
}
