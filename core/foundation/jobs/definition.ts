import type { RequestContext } from '@lintel/sdk';
import type { UnitOfWork } from '../db/unit-of-work.js';

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

/** What a type of job is on this node. */
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
  /** Runs, and may write, while storage is nearly full: a job that makes space. Others wait. */
  whenFull?: boolean;
  /** Wait before the next attempt, before jitter; doubling from 2 s to 10 min when absent. */
  retryMs?(attempt: number): number;
}

/** The job belongs to another node by now, or was cancelled; nothing may be written for it. */
export class JobLost extends Error {
  constructor(id: string) {
    super(`job ${id} is not held any more`);
  }
}
