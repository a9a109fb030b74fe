import type { RequestContext } from '@lintel/sdk';
import { setTimeout as delay } from 'node:timers/promises';
import { NO_PERMISSIONS, systemContext } from '../context.js';
import { databaseProblem } from '../db/constraints.js';
import type { Database } from '../db/database.js';
import { isStorageFull } from '../db/storage.js';
import type { Transactions, UnitOfWork } from '../db/unit-of-work.js';
import { Problem } from '../errors.js';
import type { Log } from '../log.js';
import { isScheduled } from './cron-repository.js';
import {
  JobLost,
  UserGone,
  type ActingUser,
  type FindUser,
  type JobDefinition,
  type JobProblem,
  type JobRun,
} from './definition.js';
import {
  giveBack,
  lockHeld,
  NODE_LOST,
  settleJob,
  writeProgress,
  type ClaimedJob,
  type Outcome,
} from './repository.js';
import { errorText } from '../secrecy.js';

const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 600_000;
/** Interval in ms at which storing an outcome is retried while the database is unavailable. */
const STORE_AGAIN_MS = 500;
/** Time in ms that an aborted handler has to end before its slot is reused. */
const ABORT_GRACE_MS = 10_000;

/** Exponential back-off with jitter, so that jobs that failed together are not retried together. */
const retryDelay = (attempt: number): number => Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LAST_RETRY_MS);
const jitter = (ms: number): number => Math.round(ms * (0.5 + Math.random() / 2));
/** The error as the user of the job may read it: of an internal error, only that there was one. */
const shown = (error: unknown): JobProblem =>
  error instanceof Problem && error.status < 500
    ? { code: error.code, detail: errorText(error) }
    : { code: 'internal_error', detail: 'An internal error; the log of the service has it with the id of the job.' };
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
const LOST: JobProblem = { code: 'internal_error', detail: 'The node that ran the job was lost.' };

const isAway = (error: unknown): boolean => databaseProblem(error)?.code === 'unavailable' || isStorageFull(error);

/** One claim of one job on this node, from the claim to its outcome. */
export class Attempt {
  readonly id: string;
  readonly type: string;
  readonly fence: string;
  /** The user who queued it, in whose turn it runs; null for the system. */
  readonly createdBy: string | null;
  /** Milliseconds of the lease. */
  readonly leaseMs: number;
  /** The time at which the lease was last to be renewed, by `performance.now()`. */
  triedAt: number;
  /** Settles when the handler has ended, which may be long after the outcome was decided. */
  ended: Promise<unknown> = Promise.resolve();
  isWorking = false;
  private readonly abort = new AbortController();
  private readonly system: RequestContext;
  /** The user on whose behalf it runs. */
  private user: ActingUser | undefined;
  /** True once this node must not store the outcome any more. */
  private given = false;
  /** True once the claim may be that of another attempt with the same fence. */
  private isForgotten = false;
  /** True once the handler has finished: a changed job row is then the result of storing the outcome. */
  private settling = false;
  /** This node no longer runs jobs of this type: a failure from now on is attributed to that. */
  private released = false;

  /** @param renewedAt time of the last lease renewal, by `performance.now()`; initially the time before the claim */
  constructor(
    private readonly job: ClaimedJob,
    public renewedAt: number,
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly log: Log,
    private readonly findUser: FindUser,
  ) {
    this.id = job.id;
    this.type = job.type;
    this.fence = job.fence;
    this.createdBy = job.created_by;
    this.leaseMs = job.lease_ms;
    this.triedAt = renewedAt;
    this.system = { ...systemContext(job.origin), changeId: job.id };
  }

  /** Runs the handler and stores the outcome. */
  async run(definition: JobDefinition): Promise<void> {
    const { attempts, max_attempts } = this.job;
    if (attempts > max_attempts) {
      const error = `${NODE_LOST} in attempt ${attempts - 1} of ${max_attempts}`;
      return await this.store({ state: 'failed', error, problem: LOST }, definition);
    }
    let outcome: Outcome;
    try {
      await this.readUser();
      outcome = { state: 'done', result: await this.handle(definition) };
    } catch (error) {
      const isLost = this.given || error instanceof JobLost;
      if (isLost && !(await this.isUserGone())) return;
      // Lack of disk space does not count as an attempt: the job is queued again until there is space.
      if (!isLost && (this.released || isStorageFull(error)))
        return await this.persist(() => giveBack(this.db, [this]));
      outcome = this.failure(isLost ? new UserGone() : error, definition);
    }
    try {
      await this.store(outcome, definition);
    } catch (error) {
      if (outcome.state !== 'done' || isAway(error)) throw error;
      // The result is not JSON, or contains what the database cannot store.
      await this.store(this.failure(error, definition), definition);
    }
  }

  /** The lease was lost to another node: aborts the handler, and its outcome is not stored. */
  lose(reason: string): void {
    if (this.given || this.settling) return;
    this.given = true;
    this.log.warn({ job_id: this.id, job_type: this.type }, `job: ${reason}`);
    this.abort.abort(new JobLost(this.id));
  }

  /** The same, also while its outcome is being stored: the database may not have the claim any more. */
  forget(reason: string): void {
    this.lose(reason);
    this.isForgotten = true;
  }

  /** The job is returned to the queue: aborts the handler. If the handler still succeeds, the job is done. */
  abandon(reason: string): void {
    this.given = true;
    this.abort.abort(new Error(reason));
  }

  /**
   * The job's type is unregistered on this node: if the handler fails from now on, the job is returned to the queue,
   * and the attempt does not count.
   */
  release(): void {
    this.released = true;
  }

  private failure(error: unknown, definition: JobDefinition): Outcome {
    const { attempts, max_attempts } = this.job;
    this.log.warn({ err: error, job_id: this.id, job_type: this.type, attempt: attempts }, 'job: an attempt failed');
    const text = errorText(error);
    if (error instanceof UserGone)
      return { state: 'failed', error: text, problem: { code: 'forbidden', detail: sentence(text) } };
    const problem = shown(error);
    if (attempts >= max_attempts) return { state: 'failed', error: text, problem };
    const delayMs = jitter(definition.retryMs?.(attempts) ?? retryDelay(attempts));
    return { state: 'queued', error: text, problem, delayMs };
  }

  /** Reads the user on whose behalf it runs, with the current permissions. @throws UserGone */
  private async readUser(uow?: UnitOfWork): Promise<void> {
    const { on_behalf, created_by, token_id } = this.job;
    if (!on_behalf) return;
    this.user = created_by === null ? undefined : await this.findUser(created_by, token_id, uow);
    if (!this.user) throw new UserGone();
  }

  /** Whether the attempt was aborted because of its user: the job then fails now, not when its lease has expired. */
  private async isUserGone(): Promise<boolean> {
    return await this.readUser().then(
      () => false,
      (error: unknown) => error instanceof UserGone,
    );
  }

  /** The context with the user as last read; a copy of it keeps the user as read at that time. */
  private context(whenFull?: boolean): RequestContext {
    const base: RequestContext = { ...this.system, whenFull, lifetime: this.abort };
    if (!this.job.on_behalf) return base;
    return Object.defineProperties(base, {
      actor: { enumerable: true, get: () => this.user?.actor ?? null },
      permissions: { enumerable: true, get: () => this.user?.permissions ?? NO_PERMISSIONS },
    });
  }

  private async handle({ handler, timeoutMs, whenFull }: JobDefinition): Promise<unknown> {
    const { signal } = this.abort;
    this.isWorking = true;
    const working = (async () => handler(this.view(whenFull)))();
    // Errors that a handler throws after its outcome was decided are ignored.
    this.ended = working
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        this.isWorking = false;
      });
    const timers: NodeJS.Timeout[] = [];
    const late = new Promise<never>((_, reject) => {
      if (timeoutMs !== undefined) {
        timers.push(
          setTimeout(() => {
            const error = new Error(`not done after ${timeoutMs} ms`);
            reject(error);
            this.abort.abort(error);
          }, timeoutMs),
        );
      }
      signal.addEventListener(
        'abort',
        () => {
          timers.push(setTimeout(() => reject(signal.reason as Error), ABORT_GRACE_MS));
        },
        { once: true },
      );
    });
    try {
      return await Promise.race([working, late]);
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  }

  private view(whenFull?: boolean): JobRun {
    const { id, fence, db, abort, job } = this;
    return {
      id,
      payload: job.payload,
      tokenId: job.token_id,
      fence: Number(fence),
      attempt: job.attempts,
      maxAttempts: job.max_attempts,
      signal: abort.signal,
      ctx: this.context(whenFull),
      progress: async (progress) => {
        if (!(await writeProgress(db, id, fence, progress))) this.lose('it was claimed by another node or cancelled');
      },
      guard: async (uow) => {
        uow.kind = 'job';
        // Also if the database has a claim with the same fence: it may be another one.
        if (abort.signal.reason instanceof JobLost) throw abort.signal.reason;
        if (!(await lockHeld(uow, id, fence))) throw new JobLost(id);
        await this.readUser(uow);
      },
    };
  }

  private async store(outcome: Outcome, { ended }: JobDefinition): Promise<void> {
    this.settling = true;
    await this.persist(() => this.settle(outcome, ended !== undefined));
  }

  /** Stores the outcome, retrying while the database is unavailable, as long as this node still owns the job. */
  private async persist(write: () => Promise<void>): Promise<void> {
    for (;;) {
      if (this.isForgotten) throw new JobLost(this.id);
      try {
        return await write();
      } catch (error) {
        if (this.given || !isAway(error)) throw error;
        await delay(STORE_AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  private async settle(outcome: Outcome, callsEnd: boolean): Promise<void> {
    const {
      id,
      type,
      job: { attempts: attempt, max_attempts, origin, created_by },
    } = this;
    // The change that the job makes has one actor, also if this is its first write.
    const ctx: RequestContext = { ...this.system, actor: this.user?.actor ?? null };
    const held = await this.transactions.run(ctx, async (uow) => {
      uow.kind = 'job';
      if (!(await settleJob(uow, this, outcome, callsEnd))) return false;
      if (outcome.state === 'done' && attempt === 1 && isScheduled(origin, created_by)) return true;
      const event =
        outcome.state === 'done' ? 'job.finished' : outcome.state === 'failed' ? 'job.failed' : 'job.postponed';
      const data = outcome.state === 'done' ? { attempt } : { attempt, max_attempts, error: outcome.error };
      uow.emit({ type: event, subject: { kind: 'job', id, type, name: type }, data });
      return true;
    });
    if (!held)
      this.log.warn({ job_id: id, job_type: type }, 'job: another node claimed it before its outcome was stored');
  }
}
