import { AsyncResource } from 'node:async_hooks';
import type { RequestContext } from '@lintel/sdk';
import type { ChangeNotifier } from '../db/change-notifier.js';
import type { Database } from '../db/database.js';
import type { Storage } from '../db/storage.js';
import type { Transactions, UnitOfWork } from '../db/unit-of-work.js';
import { uuidv7 } from '../ids.js';
import type { Log } from '../log.js';
import { Attempt } from './attempt.js';
import { isScheduled } from './cron-repository.js';
import type { FindUser, JobDefinition } from './definition.js';
import { EndCalls } from './end-calls.js';
import { Leases } from './leases.js';
import { claimJobs, giveBack, insertJob, LEASE_MS, SHORTEST_LEASE_MS } from './repository.js';

/** Maximum number of concurrent jobs per node. */
const CONCURRENCY = 4;
/** Additional slots for the first job of a user in a type on this node, so that long jobs of one user do not delay another user. */
const RESERVED = 4;
/** How many of these are only for types without running jobs, so that long jobs of one type do not delay another type. */
const FOR_TYPES = 2;
/** Maximum number of running jobs of one user per node, whatever their types: half of all slots. */
const PER_USER = 4;
/** A type with this many handlers still running after they were aborted gets no more jobs on this node. */
const MAX_STRAYS = 4;
const POLL_MS = 1_000;
/** Time in ms that running jobs have to finish at shutdown. */
const GRACE_MS = 3_000;
/** Time in ms that a handler has to end after its signal was aborted. */
const ABORT_MS = 500;
const MAX_ATTEMPTS = 5;
/** Topic notified when a job was cancelled: the node that runs it checks its leases. */
export const CANCEL_TOPIC = 'job_cancels';
/** Time in ms after an enqueue during which the commit of its transaction is expected. */
const EXPECT_MS = 2_000;

export interface EnqueueOptions {
  /** Earliest start, by the clock of the database. */
  runAt?: Date;
  maxAttempts?: number;
  /** Origin of the job's changes in the event log; `job` when absent. */
  origin?: string;
  /**
   * The job runs on behalf of the user of the unit of work, or of the user with this id, with that user's permissions at the time
   * it runs.
   */
  onBehalf?: boolean | string;
}

/** A runner without users fails jobs on behalf of one. */
const noUsers: FindUser = async () => undefined;

/**
 * Runs jobs of the registered types: at least once each, on one node at a time. A claim is a lease with a fencing
 * number; a node that fails stops renewing it, and another one takes over.
 */
export class JobRunner {
  private readonly definitions = new Map<string, JobDefinition>();
  private readonly running = new Map<Attempt, Promise<void>>();
  /** Handlers still running after their attempts ended. */
  private readonly strays = new Set<Attempt>();
  private readonly leases: Leases;
  private readonly ends: EndCalls;
  /** Jobs have the asynchronous context of the runner: a request that queues one is not the context of its statements and errors. */
  private readonly ownContext = new AsyncResource('JobRunner');
  private readonly offs: (() => void)[] = [];
  private expectUntil = 0;
  private polling = false;
  private again = false;
  private poll: NodeJS.Timeout | undefined;
  private started = false;
  private closed = false;

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly notifier: ChangeNotifier,
    private readonly log: Log,
    private readonly storage?: Pick<Storage, 'isFull'>,
    private readonly findUser: FindUser = noUsers,
  ) {
    this.leases = new Leases(db, () => this.running.keys(), log);
    this.ends = new EndCalls(db, transactions, this.definitions, log);
  }

  /** The job types that this node runs. */
  get types(): ReadonlySet<string> {
    return new Set(this.definitions.keys());
  }

  /**
   * Registers a handler for a job type on this node.
   * @returns a function that unregisters it; running jobs continue, and are returned to the queue if they fail
   * @throws when the type is already registered, or its lease is too short or too long
   */
  register(type: string, definition: JobDefinition): () => void {
    if (this.definitions.has(type)) throw new Error(`jobs of type ${type} already have a handler`);
    const { leaseMs = LEASE_MS } = definition;
    if (!Number.isInteger(leaseMs) || leaseMs < SHORTEST_LEASE_MS || leaseMs > LEASE_MS)
      throw new Error(`the lease of jobs of type ${type} is no whole number from ${SHORTEST_LEASE_MS} to ${LEASE_MS}`);
    this.definitions.set(type, definition);
    this.requestClaim();
    if (definition.ended) this.ends.request();
    return () => {
      if (this.definitions.get(type) !== definition) return;
      this.definitions.delete(type);
      for (const attempt of this.running.keys()) if (attempt.type === type) attempt.release();
    };
  }

  /**
   * Whether a call of `ended` becomes due when a job of this type ends: also for a type that this node does not run,
   * because another node may run it, now or when its module is enabled.
   */
  callsEnd(type: string): boolean {
    const definition = this.definitions.get(type);
    return definition === undefined || definition.ended !== undefined;
  }

  /**
   * Queues a job in a unit of work: it exists when that commits.
   * @param payload what the handler gets, stored as JSON; no secrets
   * @returns the job's id
   * @throws an Error where it is to run on behalf of a user and the unit of work has none
   */
  async enqueue(uow: UnitOfWork, type: string, payload: unknown, options: EnqueueOptions = {}): Promise<string> {
    const id = uuidv7();
    const { onBehalf = false } = options;
    const { actor } = uow.ctx;
    const user = typeof onBehalf === 'string' ? onBehalf : (actor?.id ?? null);
    if (onBehalf && user === null) throw new Error(`the job ${type} cannot run on behalf of a user: there is none`);
    const maxAttempts = options.maxAttempts ?? this.definitions.get(type)?.maxAttempts ?? MAX_ATTEMPTS;
    const origin = options.origin ?? 'job';
    await insertJob(uow, {
      id,
      type,
      payload,
      origin,
      maxAttempts,
      runAt: options.runAt ?? null,
      createdBy: user,
      onBehalf: Boolean(onBehalf),
      // A service account that acts for the caller does not act by the caller's token.
      tokenId: user === actor?.id ? (actor?.token?.id ?? null) : null,
    });
    if (!isScheduled(origin, user)) uow.emit({ type: 'job.queued', subject: { kind: 'job', id, type, name: type } });
    this.expectUntil = performance.now() + EXPECT_MS;
    return id;
  }

  /**
   * Queues a job in its own unit of work.
   * @param when called first, within the transaction; if it returns false, no job is queued
   * @returns the job's id, or undefined
   */
  async submit(
    ctx: RequestContext,
    type: string,
    payload: unknown,
    options: EnqueueOptions & { when?: (uow: UnitOfWork) => Promise<boolean> } = {},
  ): Promise<string | undefined> {
    return await this.transactions.run(ctx, async (uow) => {
      if (options.when && !(await options.when(uow))) return undefined;
      return await this.enqueue(uow, type, payload, options);
    });
  }

  async start(): Promise<void> {
    this.started = true;
    this.offs.push(this.notifier.on('jobs', () => this.requestClaim()));
    // This commit may be that of an enqueue on this node: notify all nodes.
    this.offs.push(
      this.notifier.on('outbox', () => {
        if (performance.now() < this.expectUntil) this.notifier.notify('jobs');
      }),
    );
    this.offs.push(
      this.notifier.on(CANCEL_TOPIC, () => {
        void this.leases.check();
        this.ends.request();
      }),
    );
    this.poll = setInterval(() => {
      this.requestClaim();
      void this.leases.check();
    }, POLL_MS).unref();
    this.leases.start();
    this.ends.start();
    this.requestClaim();
  }

  /** Claims no more jobs, waits briefly for the running ones, and returns the rest to the queue. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    for (const off of this.offs) off();
    clearInterval(this.poll);
    await this.settled(GRACE_MS);
    const left = [...this.running.keys()];
    for (const attempt of left) attempt.abandon('the node is shutting down');
    await this.settled(ABORT_MS);
    this.leases.close();
    await this.ends.close();
    if (left.length > 0)
      await giveBack(this.db, left).catch((error: unknown) =>
        this.log.warn({ err: error }, 'jobs: leases could not be given back'),
      );
  }

  /** Aborts the running jobs and returns them to the queue: what they have in memory may not be in the database any more. */
  async interrupt(): Promise<void> {
    const running = [...this.running.keys()];
    for (const attempt of running) attempt.forget('the database is another one than before');
    await giveBack(this.db, running);
    this.requestClaim();
  }

  private async settled(ms: number): Promise<void> {
    if (this.running.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const time = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([Promise.allSettled(this.running.values()), time]);
    clearTimeout(timer);
  }

  /** Claims due jobs, now or as soon as the current claim has ended. */
  private requestClaim(): void {
    if (!this.started || this.closed) return;
    this.again = true;
    if (this.polling) return;
    this.polling = true;
    void this.ownContext
      .runInAsyncScope(() => this.claimAll())
      .finally(() => {
        this.polling = false;
        // A request that arrived between the end of the loop and this callback.
        if (this.again) this.requestClaim();
      });
  }

  private async claimAll(): Promise<void> {
    while (this.again && !this.closed) {
      this.again = false;
      const all = CONCURRENCY + RESERVED - this.running.size;
      const leases = this.claimable();
      if (all <= 0 || leases.size === 0) return;
      const began = performance.now();
      try {
        const free = Math.max(0, CONCURRENCY - this.running.size);
        const places = { free, reserved: all - free, forTypes: FOR_TYPES, perUser: PER_USER };
        const claimed = await claimJobs(this.db, leases, [...this.running.keys()], places);
        for (const job of claimed)
          this.run(new Attempt(job, began, this.db, this.transactions, this.log, this.findUser));
      } catch (error) {
        if (!this.closed) this.log.warn({ err: error }, 'jobs: the queue could not be read');
      }
    }
  }

  /**
   * The types this node may claim now, with the milliseconds of their leases. While disk space is low, only types that free
   * space.
   */
  private claimable(): Map<string, number> {
    const leases = new Map<string, number>();
    const strays = (type: string): number => [...this.strays].filter((stray) => stray.type === type).length;
    const isFull = this.storage?.isFull === true;
    for (const [type, { whenFull, leaseMs = LEASE_MS }] of this.definitions)
      if (strays(type) < MAX_STRAYS && (!isFull || whenFull)) leases.set(type, leaseMs);
    return leases;
  }

  private run(attempt: Attempt): void {
    const definition = this.definitions.get(attempt.type);
    const work = (definition ? attempt.run(definition) : giveBack(this.db, [attempt]))
      .catch((error: unknown) =>
        this.log.error(
          { err: error, job_id: attempt.id, job_type: attempt.type },
          'job: the outcome could not be stored',
        ),
      )
      .finally(() => {
        this.running.delete(attempt);
        if (attempt.isWorking) this.addStray(attempt);
        this.requestClaim();
        if (definition?.ended) this.ends.request();
      });
    this.running.set(attempt, work);
  }

  /** Frees the slot although the handler is still running: its later guarded writes have no effect. */
  private addStray(attempt: Attempt): void {
    this.strays.add(attempt);
    this.log.warn(
      { job_id: attempt.id, job_type: attempt.type },
      'job: its handler is still running after it was aborted',
    );
    void attempt.ended.then(() => {
      this.strays.delete(attempt);
      this.requestClaim();
    });
  }
}
