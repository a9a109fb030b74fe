import type { RequestContext } from '@lintel/sdk';
import { systemContext } from '../context.js';
import type { Database } from '../db/database.js';
import type { Transactions, UnitOfWork } from '../db/unit-of-work.js';
import type { Log } from '../log.js';
import { lockHeld, settleJob, writeProgress, type ClaimedJob, type Outcome } from './repository.js';
import type { JobDefinition } from './runner.js';

const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 600_000;
const MAX_ERROR = 2_000;

/** What a handler works with. */
export interface JobRun {
  readonly id: string;
  readonly payload: unknown;
  /** Grows with each claim: of two owners the one with the higher number is the current one. */
  readonly fence: number;
  /** From 1. */
  readonly attempt: number;
  /** Aborted when the job is not ours any more, its time is up, or the node closes. */
  readonly signal: AbortSignal;
  /** All that the job changes is one change in the history. */
  readonly ctx: RequestContext;
  /** Stores how far the job is, for display and for the next attempt. */
  progress(progress: unknown): Promise<void>;
  /**
   * Makes a unit of work one of the current owner's: nobody else can claim the job until it ends.
   * @throws JobLost when the job is not ours any more
   */
  guard(uow: UnitOfWork): Promise<void>;
}

/** The job belongs to another node by now, or was cancelled; nothing may be written for it. */
export class JobLost extends Error {
  constructor(id: string) { super(`job ${id} is not held any more`); }
}

/** Doubling, and a random share of it, so that what failed together does not come back together. */
const retryDelay = (attempt: number): number => Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LAST_RETRY_MS);
const jitter = (ms: number): number => Math.round(ms * (0.5 + Math.random() / 2));

/** One claim of one job on this node, from the claim to its outcome. */
export class Attempt {
  readonly id: string;
  readonly type: string;
  readonly fence: string;
  /** When the lease was renewed last, by the clock of `performance.now()`. */
  renewedAt = performance.now();
  private readonly abort = new AbortController();
  private readonly ctx: RequestContext;
  /** The outcome is somebody else's business. */
  private given = false;
  /** The handler is through: what others say of the job now is what we are about to say ourselves. */
  private settling = false;

  constructor(private readonly job: ClaimedJob, private readonly db: Database, private readonly transactions: Transactions, private readonly log: Log) {
    this.id = job.id;
    this.type = job.type;
    this.fence = job.fence;
    this.ctx = { ...systemContext(job.origin), changeId: job.id };
  }

  /** Runs the handler and stores the outcome. */
  async run(definition: JobDefinition): Promise<void> {
    const { attempts, max_attempts } = this.job;
    if (attempts > max_attempts) return await this.settle({ state: 'failed', error: `its node was lost in attempt ${attempts - 1} of ${max_attempts}` });
    try {
      const result = await this.handle(definition);
      await this.settle({ state: 'done', result });
    } catch (error) {
      if (this.given || error instanceof JobLost) return;
      const text = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR);
      this.log.warn({ err: error, job_id: this.id, job_type: this.type, attempt: attempts }, 'job: an attempt failed');
      const delayMs = jitter(definition.retryMs?.(attempts) ?? retryDelay(attempts));
      await this.settle(attempts >= max_attempts ? { state: 'failed', error: text } : { state: 'queued', error: text, delayMs });
    }
  }

  /** Another owner has it: the handler is told to stop, and its outcome is not stored. */
  lose(reason: string): void {
    if (this.given || this.settling) return;
    this.given = true;
    this.log.warn({ job_id: this.id, job_type: this.type }, `job: ${reason}`);
    this.abort.abort(new JobLost(this.id));
  }

  /** It is given back: the handler is told to stop. One that finishes all the same is done. */
  abandon(reason: string): void {
    this.given = true;
    this.abort.abort(new Error(reason));
  }

  private async handle({ handler, timeoutMs }: JobDefinition): Promise<unknown> {
    const working = handler(this.view());
    if (timeoutMs === undefined) return await working;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = new Error(`not done after ${timeoutMs} ms`);
        reject(error);
        this.abort.abort(error);
      }, timeoutMs);
    });
    // What a late handler throws is of no interest any more.
    working.catch(() => undefined);
    try {
      return await Promise.race([working, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  private view(): JobRun {
    const { id, fence, db, abort, ctx, job } = this;
    return {
      id, payload: job.payload, fence: Number(fence), attempt: job.attempts, signal: abort.signal, ctx,
      progress: async (progress) => {
        if (!await writeProgress(db, id, fence, progress)) this.lose('it was taken over or cancelled');
      },
      guard: async (uow) => {
        uow.kind = 'job';
        if (!await lockHeld(uow, id, fence)) throw new JobLost(id);
      },
    };
  }

  private async settle(outcome: Outcome): Promise<void> {
    const { id, type, fence, ctx } = this;
    this.settling = true;
    const held = await this.transactions.run(ctx, async (uow) => {
      uow.kind = 'job';
      if (!await settleJob(uow, id, fence, outcome)) return false;
      const event = outcome.state === 'done' ? 'job.finished' : outcome.state === 'failed' ? 'job.failed' : 'job.postponed';
      const data = outcome.state === 'done' ? {} : { error: outcome.error };
      uow.emit({ type: event, subject: { kind: 'job', id, type, name: type }, data: { attempt: this.job.attempts, ...data } });
      return true;
    });
    if (!held) this.log.warn({ job_id: id, job_type: type }, 'job: it was taken over before its outcome was stored');
  }
}
