import { Type, type Static } from 'typebox';
import type { RequestContext } from './context.js';
import { Nullable, OneOf, Timestamp, Uuid } from './schemas.js';
import type { UnitOfWork } from './services.js';

/** The context of a running job. A job may run twice, but not concurrently: writes must call `guard` first in their transaction. */
export interface JobRun {
  readonly id: string;
  /** From 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Whether the job fails for good if this attempt fails. */
  readonly isLastAttempt: boolean;
  readonly payload: Record<string, unknown>;
  /** Aborted when the lease is lost, the timeout is over, the node stops, or the user on whose behalf it runs is deactivated. */
  readonly signal: AbortSignal;
  /** Of a job on behalf of a user: with the user's permissions at the begin of the attempt, and after `guard` at that time. */
  readonly ctx: RequestContext;
  /** Stores the progress. The user who queued the job may read it. */
  progress(progress: Record<string, unknown>): Promise<void>;
  /** @throws unless this run still holds the job's lease, and the user on whose behalf it runs, if any, is active */
  guard(uow: UnitOfWork): Promise<void>;
}

/** A job that has ended for good; see `JobHandler.ended`. */
export interface JobEnd {
  readonly id: string;
  readonly payload: Record<string, unknown>;
  readonly state: 'done' | 'failed' | 'cancelled';
  /** What the handler returned; null unless the job is done. */
  readonly result: unknown;
  /** The error of the last attempt; null unless the job failed. */
  readonly error: string | null;
  /** Id of the user who queued the job; null if it was not queued by a user, or the account was deleted. */
  readonly queuedBy: string | null;
  /** The transaction of the call; `uow.ctx` is the context of the system. */
  readonly uow: UnitOfWork;
}

/** The handler of a job; its return value is stored as the result (JSON), an error counts as a failed attempt. */
export interface JobHandler {
  handler(job: JobRun): Promise<unknown>;
  maxAttempts?: number;
  /** Milliseconds. */
  timeoutMs?: number;
  /**
   * Milliseconds after which another node runs the job if its node was lost, such as by a crash: a whole number from 3,000 to
   * 15,000, default: 15,000. For short jobs whose effect is waited for; a shorter lease is renewed more often, and an attempt is aborted
   * and repeated after a shorter standstill of its node.
   */
  leaseMs?: number;
  /**
   * Called once after a job has ended for good: done, failed in its last attempt (also because its node was killed), or
   * cancelled, also while it was queued. The call has its own transaction, `end.uow`, which also stores that the call was made: what
   * it writes is stored exactly once for each end. It begins after the last guarded transaction of the job, usually within
   * a second, and while the module is disabled when it is enabled again. If it throws or takes longer than 30 s, it is
   * called again with increasing delays. A job that an administrator retries ends again.
   */
  ended?(end: JobEnd): Promise<void>;
}

/** Options of `jobs.enqueue`. */
export interface EnqueueOptions {
  /**
   * The job runs as the user of `uow.ctx`, or as the service account with this id: with the permissions that the account has when it
   * runs, and as the actor of its changes, events and notifications. If the account is deactivated or deleted, the job fails and is
   * not retried. The account may cancel it. Who may choose a service account is checked by `users.ensureRunsAs` when it is chosen.
   */
  onBehalfOf?: 'caller' | { serviceAccount: string };
  /** Earliest start, by the clock of the database; default: now. */
  runAt?: Date | undefined;
}

/** A job for the user who queued it: the response of `GET /jobs/{id}`. */
export const JobStatus = Type.Object(
  {
    id: Uuid(),
    type: Type.String({ description: 'The type of the job; those of a module begin with its id.' }),
    state: OneOf(['queued', 'running', 'done', 'failed', 'cancelled'], {
      description: 'queued: waits for its start time, a node, or the next attempt; failed: after all attempts.',
    }),
    attempt: Type.Integer({ minimum: 0, description: 'The number of attempts that have begun.' }),
    max_attempts: Type.Integer({ minimum: 1 }),
    progress: Type.Unsafe<unknown>({ description: 'The progress, in a format of the job type.' }),
    result: Type.Unsafe<unknown>({ description: 'The result; `null` until the job is done.' }),
    error: Nullable(
      Type.Object(
        { code: Type.String({ examples: ['not_found'] }), detail: Type.String() },
        { description: 'The error of the last attempt; `internal_error` without details if it was not a problem.' },
      ),
    ),
    created_at: Timestamp(),
    started_at: Nullable(Timestamp()),
    finished_at: Nullable(Timestamp()),
    version: Type.Integer({ minimum: 1, description: 'Changes with the state, not with the progress.' }),
  },
  {
    'x-name': 'JobStatus',
    examples: [
      {
        id: '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21',
        type: 'acme_costs.recompute',
        state: 'running',
        attempt: 1,
        max_attempts: 5,
        progress: { done: 120, total: 400 },
        result: null,
        error: null,
        created_at: '2026-01-15T09:41:07.000Z',
        started_at: '2026-01-15T09:41:07.100Z',
        finished_at: null,
        version: 2,
      },
    ],
  },
);
export type JobStatus = Static<typeof JobStatus>;

/** The `response` of a route that queues a job; send it with `http.sendJob`. */
export const JobAccepted = {
  202: Type.Object(
    { job_id: Uuid({ description: 'The job; `GET /jobs/{id}` has its state.' }) },
    { description: 'Queued as a job. `Location` is the address of its status.' },
  ),
};

/** Background jobs of the module. */
export interface JobPort {
  /**
   * Queues a job of a type registered by the module in `activate`, as part of the transaction. The user of `uow.ctx`, if any, may read
   * its status.
   * @returns the id of the job
   * @throws an Error for `onBehalfOf` without a user
   */
  enqueue(uow: UnitOfWork, type: string, payload: Record<string, unknown>, options?: EnqueueOptions): Promise<string>;
  /**
   * The status of a job of the module: for the user who queued it, for users with `jobs.manage`, and in a context of the system.
   * @throws not_found
   */
  status(ctx: RequestContext, id: string): Promise<JobStatus>;
}
