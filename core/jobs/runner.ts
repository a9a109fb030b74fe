import type { RequestContext } from '@lintel/sdk';
import type { Bell } from '../db/bell.js';
import type { Database } from '../db/database.js';
import type { Transactions, UnitOfWork } from '../db/unit-of-work.js';
import { uuidv7 } from '../ids.js';
import type { Log } from '../log.js';
import { Attempt, type JobRun } from './attempt.js';
import { claimJobs, giveBack, heldJobs, insertJob, LEASE_MS, renewLeases } from './repository.js';

export type { JobRun };

/** Jobs of one node at a time. */
const CONCURRENCY = 4;
const POLL_MS = 1_000;
const HEARTBEAT_MS = LEASE_MS / 3;
/** What runs when the node closes has so long to finish. */
const GRACE_MS = 3_000;
/** After its signal was aborted, a handler has so long to notice. */
const ABORT_MS = 500;
const MAX_ATTEMPTS = 5;
/** Rung when a job was cancelled: whoever runs it shall look. */
export const CANCEL_BELL = 'job_cancels';
/** How long after an enqueue the commit of its transaction is waited for. */
const EXPECT_MS = 2_000;

export interface JobDefinition {
  /**
   * Does the work. It may run more than once: after a failure, and when its node was lost. What it writes in a unit
   * of work that began with `job.guard(uow)` is written by the current owner only. What it returns is stored.
   */
  handler(job: JobRun): Promise<unknown>;
  /** Attempts in all, 5 when absent. */
  maxAttempts?: number;
  /** An attempt that takes longer fails. No limit when absent. */
  timeoutMs?: number;
  /** Wait before the next attempt, before jitter; doubling from 2 s to 10 min when absent. */
  retryMs?(attempt: number): number;
}

export interface EnqueueOptions {
  /** Not before this time. */
  runAt?: Date;
  maxAttempts?: number;
  /** What the event log says of what the job does; `job` when absent. */
  origin?: string;
}

/**
 * Runs jobs of the registered types: at least once each, on one node at a time. A claim is a lease with a fencing
 * number; a node that is lost stops renewing it and another one takes over.
 */
export class JobRunner {
  private readonly definitions = new Map<string, JobDefinition>();
  private readonly running = new Map<Attempt, Promise<void>>();
  private readonly offs: (() => void)[] = [];
  private expectUntil = 0;
  private polling = false;
  private again = false;
  private poll: NodeJS.Timeout | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private started = false;
  private closed = false;

  constructor(private readonly db: Database, private readonly transactions: Transactions, private readonly bell: Bell, private readonly log: Log) {}

  /**
   * Lets this node run jobs of a type.
   * @returns a function that ends it; what runs is not disturbed
   * @throws when the type is registered
   */
  register(type: string, definition: JobDefinition): () => void {
    if (this.definitions.has(type)) throw new Error(`jobs of type ${type} have a handler already`);
    this.definitions.set(type, definition);
    this.look();
    return () => {
      if (this.definitions.get(type) === definition) this.definitions.delete(type);
    };
  }

  /**
   * Queues a job in a unit of work: it exists when that commits.
   * @param payload what the handler gets, stored as JSON; no secrets
   * @returns the job's id
   */
  async enqueue(uow: UnitOfWork, type: string, payload: unknown, options: EnqueueOptions = {}): Promise<string> {
    const id = uuidv7();
    const maxAttempts = options.maxAttempts ?? this.definitions.get(type)?.maxAttempts ?? MAX_ATTEMPTS;
    await insertJob(uow, {
      id, type, payload, origin: options.origin ?? 'job', maxAttempts, runAt: options.runAt ?? null, createdBy: uow.ctx.actor?.id ?? null,
    });
    uow.emit({ type: 'job.queued', subject: { kind: 'job', id, type, name: type } });
    this.expectUntil = performance.now() + EXPECT_MS;
    return id;
  }

  /**
   * Queues a job in a unit of work of its own.
   * @param when asked first, inside; where it says no, nothing is queued
   * @returns the job's id, or undefined
   */
  async submit(ctx: RequestContext, type: string, payload: unknown, options: EnqueueOptions & { when?: (uow: UnitOfWork) => Promise<boolean> } = {}): Promise<string | undefined> {
    return await this.transactions.run(ctx, async (uow) => {
      if (options.when && !await options.when(uow)) return undefined;
      return await this.enqueue(uow, type, payload, options);
    });
  }

  async start(): Promise<void> {
    this.started = true;
    this.offs.push(this.bell.on('jobs', () => this.look()));
    // The ring after a commit that may have been the one of an enqueue here: all nodes shall look.
    this.offs.push(this.bell.on('outbox', () => { if (performance.now() < this.expectUntil) this.bell.ring('jobs'); }));
    this.offs.push(this.bell.on(CANCEL_BELL, () => void this.check()));
    this.poll = setInterval(() => { this.look(); void this.check(); }, POLL_MS).unref();
    this.heartbeat = setInterval(() => void this.beat(), HEARTBEAT_MS).unref();
    this.look();
  }

  /** Starts nothing more, waits a little for what runs, and gives the rest back to the other nodes. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    for (const off of this.offs) off();
    clearInterval(this.poll);
    await this.settled(GRACE_MS);
    const left = [...this.running.keys()];
    for (const attempt of left) attempt.abandon('the node is closing');
    await this.settled(ABORT_MS);
    clearInterval(this.heartbeat);
    if (left.length > 0) await giveBack(this.db, left).catch((error: unknown) => this.log.warn({ err: error }, 'jobs: leases could not be given back'));
  }

  private async settled(ms: number): Promise<void> {
    if (this.running.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const time = new Promise<void>((resolve) => { timer = setTimeout(resolve, ms); });
    await Promise.race([Promise.allSettled(this.running.values()), time]);
    clearTimeout(timer);
  }

  /** Looks for due jobs, now or as soon as the look in progress is over. */
  private look(): void {
    if (!this.started || this.closed) return;
    this.again = true;
    if (this.polling) return;
    this.polling = true;
    void this.claimAll().finally(() => { this.polling = false; });
  }

  private async claimAll(): Promise<void> {
    while (this.again && !this.closed) {
      this.again = false;
      const free = CONCURRENCY - this.running.size;
      if (free <= 0 || this.definitions.size === 0) return;
      const busy = new Map([...this.definitions.keys()].map((type) => [type, 0]));
      for (const { type } of this.running.keys()) if (busy.has(type)) busy.set(type, busy.get(type)! + 1);
      try {
        for (const job of await claimJobs(this.db, busy, free)) this.run(new Attempt(job, this.db, this.transactions, this.log));
      } catch (error) {
        if (!this.closed) this.log.warn({ err: error }, 'jobs: the queue could not be read');
      }
    }
  }

  private run(attempt: Attempt): void {
    const definition = this.definitions.get(attempt.type);
    const work = (definition ? attempt.run(definition) : giveBack(this.db, [attempt]))
      .catch((error: unknown) => this.log.error({ err: error, job_id: attempt.id }, 'job: the outcome could not be stored'))
      .finally(() => {
        this.running.delete(attempt);
        this.look();
      });
    this.running.set(attempt, work);
  }

  /** Tells the jobs that were cancelled, or taken over, that they are; without writing anything, so that it may be often. */
  private async check(): Promise<void> {
    const attempts = [...this.running.keys()];
    if (attempts.length === 0) return;
    try {
      const held = await heldJobs(this.db, attempts);
      for (const attempt of attempts) if (!held.has(attempt.id)) attempt.lose('it was cancelled or taken over');
    } catch {
      // The heartbeat sees to it.
    }
  }

  /** Renews what runs here. A job that is not ours any more is told so. */
  private async beat(): Promise<void> {
    const attempts = [...this.running.keys()];
    if (attempts.length === 0) return;
    const began = performance.now();
    try {
      const held = await renewLeases(this.db, attempts);
      for (const attempt of attempts) {
        if (held.has(attempt.id)) attempt.renewedAt = began;
        else if (this.running.has(attempt)) attempt.lose('the lease was lost');
      }
    } catch (error) {
      this.log.warn({ err: error }, 'jobs: leases could not be renewed');
      // By now another node may have taken over.
      for (const attempt of attempts) if (began - attempt.renewedAt > LEASE_MS - HEARTBEAT_MS) attempt.lose('the lease ran out');
    }
  }
}
