import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Log } from '../log.js';
import { asService } from '../request-use.js';
import type { Database } from './database.js';

const CHANNEL = 'lintel_bell';
const COALESCE_MS = 5;
const RECONNECT_MS = 500;

/**
 * Notifies all nodes that new data is available. A notification carries only the topic; it may be lost (a dropped
 * connection, a transaction pooler) or duplicated, so every listener also polls. Notifications are sent after commit,
 * never inside the write transaction, because NOTIFY takes an instance-wide lock at commit.
 */
export class ChangeNotifier {
  private readonly node = randomBytes(6).toString('hex');
  private readonly listeners = new Map<string, Set<() => void>>();
  private readonly pending = new Set<string>();
  private client: pg.Client | undefined;
  private connecting: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
  ) {}

  /** Starts listening; resolves when the first connection is established. */
  async start(): Promise<void> {
    await (this.connecting = this.connect());
  }

  /**
   * @param topic what changed: `outbox`, `events`, `revisions`, `jobs`
   * @returns a function that ends the subscription
   */
  on(topic: string, listener: () => void): () => void {
    const set = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, set.add(listener));
    return () => void set.delete(listener);
  }

  /** Notifies local listeners at once and the other nodes within a few milliseconds. */
  notify(topic: string): void {
    // What listeners start is not part of the request that made the change.
    asService(() => this.fire(topic));
    this.pending.add(topic);
    this.timer ??= setTimeout(() => this.send(), COALESCE_MS);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.connecting?.catch(() => undefined);
    await this.client?.end().catch(() => undefined);
  }

  /** Notifies the listeners of this node only. */
  fire(topic: string): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }

  private send(): void {
    this.timer = undefined;
    const topics = [...this.pending].join(' ');
    this.pending.clear();
    if (this.closed) return;
    // Polling makes up for a notification that could not be sent.
    this.db.pool.query('select pg_notify($1, $2)', [CHANNEL, `${this.node} ${topics}`]).catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = await this.db.dedicated('lintel-notifier');
    client.on('notification', ({ payload }) => {
      const [node, ...topics] = (payload ?? '').split(' ');
      if (node !== this.node) for (const topic of topics) this.fire(topic);
    });
    try {
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    client.once('end', () => void this.reconnect());
    this.client = client;
  }

  private async reconnect(): Promise<void> {
    this.client = undefined;
    while (!this.closed && !this.client) {
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS).unref());
      if (this.closed) return;
      try {
        await (this.connecting = this.connect());
        // Notifications may have been missed while the connection was down.
        for (const topic of this.listeners.keys()) this.fire(topic);
      } catch (error) {
        this.log.warn({ err: error }, 'notifier: the database does not respond');
      }
    }
  }
}
