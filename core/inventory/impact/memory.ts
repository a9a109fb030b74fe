import type { LogEvent } from '@lintel/sdk';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../foundation/db/database.js';
import { asService } from '../../foundation/request-use.js';
import type { Log } from '../../foundation/log.js';
import { applyEvent } from './graph-events.js';
import type { RelationGraph } from './graph.js';
import { readFreshness, readGraph } from './graph-repository.js';

/** Maximum time, in ms, a request waits for the graph to include what was committed before. */
const CATCH_UP_MS = 50;
const STEP_MS = 2;
/** Minimum time until the graph is read again after it was lost. */
const RETRY_MS = 5_000;
const TOO_MANY_RETRY_MS = 600_000;
const PAGE = 1_000;

/** The subset of the event log that the graph uses. */
interface FollowedLog {
  /** Position of the latest event. */
  readonly head: number;
  /** Events after a position, if still in memory. */
  recent(after: number, limit: number): LogEvent[] | undefined;
  read(after: number, limit: number, filter?: undefined, upTo?: number): Promise<{ events: LogEvent[] }>;
  /** @returns a function that ends the subscription */
  subscribe(pattern: string, handler: (event: LogEvent) => void): () => void;
}

interface MemoryOptions {
  /** Number of cards or relations above which no graph is kept in memory; 0 disables it. */
  most: number;
  retryMs?: number;
}

/**
 * The graph of relations in memory. It is read at the first request, and then updated from the event log. A request
 * uses it only if it includes everything committed before; if an event cannot be applied, the graph is read again. A
 * concurrent change of many events may be visible in part.
 */
export class GraphMemory {
  private graph: RelationGraph | undefined;
  private position = 0;
  /** Whether all events included in the snapshot have been applied. */
  private isSettled = false;
  private reading: Promise<void> | undefined;
  private retryAt = 0;
  private renewals = 0;
  private unsubscribe: (() => void) | undefined;
  private readonly waiting = new Set<{ position: number; resolve: () => void }>();
  private readonly closing = new AbortController();

  constructor(
    private readonly db: Database,
    private readonly events: FollowedLog,
    private readonly log: Log,
    private readonly options: MemoryOptions,
  ) {}

  /** Number of relations in the graph; 0 where there is none. */
  get held(): number {
    return this.graph?.relations.size ?? 0;
  }

  /**
   * The graph, including everything committed before the call; must be used synchronously.
   * @returns undefined where there is none, or it is behind: the database must be queried
   */
  async fresh(): Promise<RelationGraph | undefined> {
    const { graph } = this;
    if (!graph) {
      this.begin();
      return undefined;
    }
    const deadline = performance.now() + CATCH_UP_MS;
    let last: string | undefined;
    for (let isFirst = true; this.graph === graph && performance.now() < deadline; isFirst = false) {
      const before = this.position;
      const { head, isWaiting, last: newest } = await readFreshness(this.db, last);
      if (this.graph !== graph) return undefined;
      if (head < before) {
        this.drop(`the log ends at ${head}, before ${before}`);
        return undefined;
      }
      if (isFirst) last = newest;
      if (isFirst ? last === undefined : !isWaiting) {
        if (!(await this.reached(head, deadline)) || this.graph !== graph) return undefined;
        this.isSettled = true;
        return graph;
      }
      await delay(STEP_MS);
    }
    return undefined;
  }

  /** Lets the graph be read again at the next request: events that it includes may be lost. */
  renew(): void {
    this.renewals++;
    this.discard();
  }

  /** Stops reading and discards the graph. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.reading;
    this.discard();
  }

  /** Starts reading the graph, unless it is already being read. */
  private begin(): void {
    if (this.reading || this.options.most === 0 || this.closing.signal.aborted || performance.now() < this.retryAt)
      return;
    // Later requests wait for the same graph.
    this.reading = asService(() => this.read())
      .catch((error: unknown) => {
        if (!this.closing.signal.aborted)
          this.log.warn({ err: error }, 'impact: the graph of relations could not be read');
        this.retry();
      })
      .finally(() => {
        this.reading = undefined;
      });
  }

  private async read(): Promise<void> {
    const began = performance.now();
    const { renewals } = this;
    const loaded = await readGraph(this.db, this.options.most, this.closing.signal);
    if (!loaded) {
      this.log.info({ most: this.options.most }, 'impact: too many cards or relations to keep in memory');
      this.retry(TOO_MANY_RETRY_MS);
      return;
    }
    const { graph } = loaded;
    let { position } = loaded;
    // There is no await between this comparison and the subscription, so no event is missed.
    while (position < this.events.head) {
      this.closing.signal.throwIfAborted();
      const { head } = this.events;
      const events =
        this.events.recent(position, PAGE) ?? (await this.events.read(position, PAGE, undefined, head)).events;
      if (events[0]?.position !== position + 1) throw new Error(`event ${position + 1} is missing`);
      for (const event of events) applyEvent(graph, event, false);
      position = events.at(-1)!.position;
    }
    this.closing.signal.throwIfAborted();
    if (renewals !== this.renewals) throw new Error('the database is another one than before');
    [this.graph, this.position, this.isSettled] = [graph, position, false];
    this.unsubscribe = this.events.subscribe('#', (event) => this.follow(event));
    this.log.info(
      {
        cards: graph.cards.size,
        relations: graph.relations.size,
        bytes: graph.bytes,
        ms: Math.round(performance.now() - began),
      },
      'impact: the graph of relations is in memory',
    );
  }

  private follow(event: LogEvent): void {
    if (!this.graph || event.position <= this.position) return;
    try {
      if (event.position !== this.position + 1) throw new Error(`event ${this.position + 1} is missing`);
      applyEvent(this.graph, event, this.isSettled);
    } catch (error) {
      this.drop((error as Error).message);
      return;
    }
    this.position = event.position;
    for (const waiter of this.waiting) if (waiter.position <= this.position) waiter.resolve();
  }

  /** @returns whether the graph reached the position in time */
  private async reached(position: number, deadline: number): Promise<boolean> {
    if (this.position >= position) return true;
    let timer: NodeJS.Timeout | undefined;
    let waiter: { position: number; resolve: () => void } | undefined;
    await new Promise<void>((resolve) => {
      this.waiting.add((waiter = { position, resolve }));
      timer = setTimeout(resolve, Math.max(1, deadline - performance.now()));
    });
    clearTimeout(timer);
    this.waiting.delete(waiter!);
    return this.position >= position;
  }

  private drop(reason: string): void {
    this.log.warn({ reason }, 'impact: the graph of relations is read again');
    this.discard();
    this.retry();
  }

  private discard(): void {
    this.unsubscribe?.();
    this.graph = undefined;
    for (const { resolve } of this.waiting) resolve();
  }

  private retry(ms = this.options.retryMs ?? RETRY_MS): void {
    this.retryAt = performance.now() + ms;
  }
}
