import { createHmac, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as Redis from '@redis/client';
import type { Log } from '../../foundation/log.js';
import type { Secrets } from '../../foundation/secrets/index.js';
import type { Hit, LimitStore } from './limit-store.js';
import { WINDOW_SECONDS } from './limits-repository.js';

/** Maximum time, in ms, that a request waits for Redis, excluding time during which this process is blocked. */
const ANSWER_MS = 200;
const CONNECT_MS = 1_000;
/** Number of steps into which a timeout is divided. */
const STEPS = 4;
/** Initial delay before reconnecting to Redis; doubles up to the maximum. */
const RETRY_MS = 250;
const MOST_RETRY_MS = 10_000;
const WINDOW_MS = WINDOW_SECONDS * 1_000;
const SECRET = 'rate_limits';

type Client = ReturnType<typeof connectable>;

/**
 * The list of a key contains the times, in ms, of the requests allowed within the window, oldest first; it expires with
 * its last entry. Returns whether the request is allowed, the number of allowed requests, and the ms until another
 * request will be allowed.
 */
const HIT = `
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end
local hits, allowed = redis.call('LLEN', KEYS[1]), 0
if hits < limit then
  redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], window)
  hits, allowed = hits + 1, 1
end
local due = redis.call('LINDEX', KEYS[1], math.max(0, hits - limit))
return { allowed, hits, tonumber(due) + window - now }
`;

interface RedisLimitOptions {
  url: string;
  /** Contains the key for hashing client identifiers, the same for all nodes. */
  secrets: Secrets;
  /** Counts while Redis is unavailable. */
  fallback: LimitStore;
  log: Log;
}

/**
 * Counts in Redis or Valkey, with one round trip per request. If Redis is unavailable, slow or full, clients do not
 * notice: the database counts instead, starting from zero, until Redis answers again.
 */
export class RedisLimitStore implements LimitStore {
  private key: Buffer | undefined;
  /** Undefined while Redis does not answer. */
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private pauseMs = RETRY_MS;
  private isAway = false;
  private isClosed = false;

  constructor(private readonly options: RedisLimitOptions) {}

  /** Whether Redis currently counts. */
  get isUp(): boolean {
    return this.client !== undefined;
  }

  /** Connects; resolves within about a second, whether or not the connection succeeded. */
  async start(): Promise<void> {
    this.key = await this.options.secrets.getOrCreate(SECRET, () => randomBytes(32));
    await this.connect();
  }

  async hit(key: string, limit: number): Promise<Hit> {
    const { client } = this;
    if (client) {
      try {
        return await within(ANSWER_MS, count(client, this.name(key), limit));
      } catch (error) {
        this.lose(client, error as Error);
      }
    }
    return await this.options.fallback.hit(key, limit);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    discard(this.client);
    this.client = undefined;
  }

  /**
   * Keyed with a secret, because all addresses could be tried against a plain digest, and services may share a Redis.
   */
  private name(key: string): string {
    return `lintel:${createHmac('sha256', this.key!).update(`times ${key}`).digest('base64url')}`;
  }

  private async connect(): Promise<void> {
    let client: Client | undefined;
    try {
      const made = (client = connectable(this.options.url));
      made.on('error', (error: Error) => this.lose(made, error));
      await within(
        CONNECT_MS,
        made.connect().then((connected) => connected.ping()),
      );
      if (this.isClosed || !made.isReady) throw new Error('the connection was closed');
    } catch (error) {
      discard(client);
      this.retry(error as Error);
      return;
    }
    this.client = client;
    if (this.isAway) this.options.log.info('Redis responds again and counts for the rate limits');
    this.isAway = false;
    this.pauseMs = RETRY_MS;
  }

  /** Concurrent callers may report the same failure; only the first call has an effect. */
  private lose(client: Client, error: Error): void {
    if (this.client !== client) return;
    this.client = undefined;
    // Rejects the pending commands of this connection, so that their callers do not wait for the timeout.
    discard(client);
    this.retry(error);
  }

  private retry({ message }: Error): void {
    if (this.isClosed) return;
    if (!this.isAway)
      this.options.log.warn(
        { reason: message },
        'Redis is not available for the rate limits: the database counts in the meantime',
      );
    this.isAway = true;
    // Jitter, so that nodes that lost the connection together do not reconnect together.
    this.timer = setTimeout(() => void this.connect(), this.pauseMs * (0.75 + Math.random() / 2)).unref();
    this.pauseMs = Math.min(MOST_RETRY_MS, this.pauseMs * 2);
  }
}

/** A client that does not reconnect or queue commands by itself, and uses only RESP 2, which every server supports. */
function connectable(url: string) {
  // Loaded only when needed, because the package is large.
  const { createClient } = createRequire(import.meta.url)('@redis/client') as typeof Redis;
  return createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false },
  });
}

/** Counts one request atomically, by the clock of Redis. */
async function count(client: Client, key: string, limit: number): Promise<Hit> {
  const [allowed, hits, leftMs] = (await client.eval(HIT, {
    keys: [key],
    arguments: [String(limit), String(WINDOW_MS)],
  })) as [number, number, number];
  return { allowed: allowed === 1, hits, reset: Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(leftMs / 1_000))) };
}

/**
 * @throws when it takes longer than `ms`; a later result or error is ignored. The timeout is measured in steps: while
 *   this process is blocked, at most one step elapses, because the delay is not caused by Redis.
 */
async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const step = (left: number): void => {
      if (left === 0) reject(new Error(`no answer within ${ms} ms`));
      else timer = setTimeout(step, ms / STEPS, left - 1);
    };
    step(STEPS);
  });
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Closes the connection immediately, whatever its state. */
function discard(client: Client | undefined): void {
  if (client?.isOpen) client.destroy();
}
