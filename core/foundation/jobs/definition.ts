import type { Actor, PermissionSet, RequestContext } from '@lintel/sdk';
import type { UnitOfWork } from '../db/unit-of-work.js';

/** The job and the functions available to its handler. */
export interface JobRun {
  readonly id: string;
  readonly payload: unknown;
  /** The API token with which it was queued, which restricts what it may do on behalf of its user. */
  readonly tokenId: string | null;
  /** Fencing number, incremented by each claim: of two owners the one with the higher number is the current one. */
  readonly fence: number;
  /** From 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Aborted when the job is no longer owned by this node, its timeout expires, or the node shuts down. */
  readonly signal: AbortSignal;
  /**
   * All changes of the job belong to one change in the history. On behalf of a user, its actor and permissions are
   * those at the begin of the attempt or at the last `guard`.
   */
  readonly ctx: RequestContext;
  /** Stores the job's progress, for display and for the next attempt. */
  progress(progress: unknown): Promise<void>;
  /**
   * Makes a unit of work valid for the current owner only: no other node can claim the job until the transaction ends.
   * @throws JobLost when this node no longer owns the job, UserGone when the user on whose behalf it runs is gone
   */
  guard(uow: UnitOfWork): Promise<void>;
}

/** The definition of a job type on this node. */
export interface JobDefinition {
  /**
   * Does the work. It may run more than once: after a failure, and when its node was lost. Writes in a unit of work
   * that began with `job.guard(uow)` are made by the current owner only. The return value is stored.
   */
  handler(job: JobRun): Promise<unknown>;
  /** Maximum number of attempts; 5 when absent. */
  maxAttempts?: number;
  /** An attempt that takes longer fails; no limit when absent. */
  timeoutMs?: number;
  /**
   * Milliseconds after which another node runs the job if its node was lost, from 3,000 to 15,000; 15,000 when absent. The
   * shorter it is, the more often it is renewed, and the shorter the standstill of a node after which its job is aborted.
   */
  leaseMs?: number;
  /** True for jobs that free disk space: they run, and may write, while disk space is low; other jobs wait. */
  whenFull?: boolean;
  /** Delay before the next attempt, before jitter; doubles from 2 s to 10 min when absent. */
  retryMs?(attempt: number): number;
  /**
   * Called after a job of this type has ended for good, in a transaction that also stores that it was called. If it
   * fails, it is called again with increasing delays.
   */
  ended?(end: JobEnd): Promise<void>;
}

/** A job that has ended. */
export interface JobEnd {
  readonly id: string;
  readonly payload: unknown;
  readonly state: 'done' | 'failed' | 'cancelled';
  /** Null unless it is done. */
  readonly result: unknown;
  /** The error of the last attempt; null unless it failed. */
  readonly error: string | null;
  /** Id of the user who queued it; null if there is none, or the account was deleted. */
  readonly queuedBy: string | null;
  /** Its context is that of the system, with the origin of the job. */
  readonly uow: UnitOfWork;
}

/** An error as the user of a job may read it. */
export interface JobProblem {
  code: string;
  detail: string;
}

/** The user on whose behalf a job runs, with the current permissions. */
export interface ActingUser {
  actor: Actor;
  permissions: PermissionSet;
}

/**
 * Finds a user for a job.
 * @param tokenId the API token with which the user queued it, and which restricts its permissions
 * @param uow reads in this transaction; without one, the committed state
 * @returns undefined where the account was deactivated or deleted, or the token has ended
 */
export type FindUser = (id: string, tokenId: string | null, uow?: UnitOfWork) => Promise<ActingUser | undefined>;

/**
 * The user on whose behalf a job runs has no active account any more, or the API token with which it was queued has ended:
 * the job fails, and is not retried.
 */
export class UserGone extends Error {
  constructor() {
    super('the user on whose behalf the job runs has no active account any more, or the API token has ended');
  }
}

/** Another node owns the job now, or it was cancelled; nothing may be written for it. */
export class JobLost extends Error {
  constructor(id: string) {
    super(`job ${id} is not held any more`);
  }
}
