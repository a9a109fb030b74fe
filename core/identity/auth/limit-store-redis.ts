import { createHmac, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as Redis from '@redis/client';
import type { Log } from '../../foundation/log.js';
import type { Secrets } from '../../foundation/secrets/index.js';
import type { Hit, LimitStore } from './limit-store.js';
import { WINDOW_SECONDS } from './limits-repository.js';

/** A caller never waits longer for Redis, in ms, while this process runs. */
const ANSWER_MS = 200;
const CONNECT_MS = 1_000;
/** A time of waiting is taken in so many steps. */
const STEPS = 4;
/** The first pause after which Redis is tried again; each further one is twice as long, up to the most. */
const RETRY_MS = 250;
const MOST_RETRY_MS = 10_000;
const WINDOW_MS = WINDOW_SECONDS * 1_000;
const SECRET = 'rate_limits';

type Client = ReturnType<typeof connectable>;

/**
 * The list of a key holds the times of the requests that were let through within a window, in ms, oldest first; it goes
 * when its last one leaves. Gives whether the request is let through, how many of them there are, and the ms until
 * another one may come.
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

export interface RedisLimitOptions {
  url: string;
  /** Hold the key under which callers are counted, the same for all nodes. */
  secrets: Secrets;
  /** Counts while Redis is away. */
  fallback: LimitStore;
  log: Log;
}

/**
 * Counts in Redis or Valkey, in one round trip a request. Redis away, slow or full is nothing a caller notices: the
 * database counts from then on, beginning anew, and Redis again once it answers.
 */
export class RedisLimitStore implements LimitStore {
  private key: Buffer | undefined;
  /** Only while it answers. */
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private pauseMs = RETRY_MS;
  private isAway = false;
  private isClosed = false;

  constructor(private readonly options: RedisLimitOptions) {}

  /** Whether it is Redis that counts at the moment. */
  get isUp(): boolean {
    return this.client !== undefined;
  }

  /** Connects; resolves within about a second, whether that went well or not. */
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

  /** All addresses there are can be tried against a plain digest; and services may share a Redis. Hence a secret key. */
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
    if (this.isAway) this.options.log.info('Redis answers again, and counts for the rate limits');
    this.isAway = false;
    this.pauseMs = RETRY_MS;
  }

  /** Many callers may notice at once; the first one does what is to be done. */
  private lose(client: Client, error: Error): void {
    if (this.client !== client) return;
    this.client = undefined;
    // What others wait for on this connection fails with it, so that they wait no longer.
    discard(client);
    this.retry(error);
  }

  private retry({ message }: Error): void {
    if (this.isClosed) return;
    if (!this.isAway)
      this.options.log.warn(
        { reason: message },
        'Redis does not count for the rate limits: the database does meanwhile',
      );
    this.isAway = true;
    // Nodes that lost it together do not come back together.
    this.timer = setTimeout(() => void this.connect(), this.pauseMs * (0.75 + Math.random() / 2)).unref();
    this.pauseMs = Math.min(MOST_RETRY_MS, this.pauseMs * 2);
  }
}

/** A client that tries once, keeps nothing for later and uses no more of the protocol than every server has. */
function connectable(url: string) {
  // Only who uses it pays for loading it: a large package.
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

/** Counts one request, by the clock of Redis, in one step that nothing comes between. */
async function count(client: Client, key: string, limit: number): Promise<Hit> {
  const [allowed, hits, leftMs] = (await client.eval(HIT, {
    keys: [key],
    arguments: [String(limit), String(WINDOW_MS)],
  })) as [number, number, number];
  return { allowed: allowed === 1, hits, reset: Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(leftMs / 1_000))) };
}

/**
 * @throws when it takes longer than so many ms; what comes then is dropped, failure or not. The time is taken in steps:
 * while this process does not get to run, however long, no more than one of them goes by, for that is not Redis's doing.
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

/** Cuts the connection, at once and whatever its state. */
function discard(client: Client | undefined): void {
  if (client?.isOpen) client.destroy();
}
