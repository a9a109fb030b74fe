import type { JobStatus, RequestContext } from '@lintel/sdk';
import { checkVersion } from '../conditions.js';
import type { ChangeNotifier } from '../db/change-notifier.js';
import type { Database } from '../db/database.js';
import type { Transactions, UnitOfWork } from '../db/unit-of-work.js';
import { problem } from '../errors.js';
import { isUuid } from '../ids.js';
import type { Page } from '../db/list-query.js';
import { withoutSecrets } from '../secrecy.js';
import { CANCEL_TOPIC, type JobRunner } from './runner.js';
import {
  RETRY_MOST,
  type JobDetail,
  type JobQuery,
  type JobState,
  type JobSummary,
  type JobView,
  type RetriedMany,
  type RetryMany,
} from './schemas.js';
import {
  cancelJob,
  countJobs,
  countMatching,
  listJobs,
  lockJob,
  readJob,
  readOwnJob,
  requeueJob,
  requeueMany,
  type JobCounts,
  type JobRow,
  type LockedJob,
  type ManyJobs,
  type OwnJobRow,
} from './view-repository.js';

interface Move {
  from: readonly JobState[];
  to: JobState;
  event: string;
  /** Topic notified after the write. */
  topic: string;
  write(uow: UnitOfWork, id: string, callsEnd: boolean): Promise<number>;
}

const MANAGE = 'jobs.manage';

const CANCEL: Move = {
  from: ['queued', 'running'],
  to: 'cancelled',
  event: 'job.cancelled',
  topic: CANCEL_TOPIC,
  write: cancelJob,
};
const RETRY: Move = {
  from: ['failed', 'cancelled'],
  to: 'queued',
  event: 'job.retried',
  topic: 'jobs',
  write: requeueJob,
};

/** Figures of a job type, and whether this service has a handler for it. */
type JobFigures = JobCounts & { has_handler: boolean };
const NONE = { queued: 0, due: 0, running: 0, failed: 0, oldest_due_at: null, waited: 0 };

/** Reading and controlling jobs, for administrators. */
export class JobService {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly notifier: ChangeNotifier,
    private readonly runner: JobRunner,
  ) {}

  async list(query: JobQuery): Promise<Page<JobView>> {
    const page = await listJobs(this.db, query);
    const { types } = this.runner;
    return { ...page, items: page.items.map((row) => listed(viewJob(row, types.has(row.type)))) };
  }

  /** @throws not_found */
  async get(id: string): Promise<JobDetail> {
    const row = await readJob(this.db, id);
    if (!row) throw problem('not_found');
    return viewJob(row, this.runner.types.has(row.type));
  }

  /** Figures of each type that has jobs or a handler. */
  async figures(): Promise<JobFigures[]> {
    const counts = new Map((await countJobs(this.db)).map((row) => [row.type, row]));
    const { types } = this.runner;
    return [...new Set([...types, ...counts.keys()])].map((type) => ({
      ...NONE,
      ...counts.get(type),
      type,
      has_handler: types.has(type),
    }));
  }

  /** As `figures`, in the format of the response. */
  async summary(): Promise<JobSummary[]> {
    return (await this.figures()).map(({ waited: _waited, oldest_due_at, ...rest }) => ({
      ...rest,
      oldest_due_at: oldest_due_at?.toISOString() ?? null,
    }));
  }

  /**
   * Cancels a queued or running job. The node that runs it aborts the handler within a second; a guarded transaction
   * that is already open may complete, and no other can begin.
   * @throws not_found, precondition_failed, invalid_state
   */
  async cancel(ctx: RequestContext, id: string): Promise<JobDetail> {
    await this.move(ctx, id, CANCEL);
    return await this.get(id);
  }

  /**
   * A job for the user who queued it, and for those who may manage jobs.
   * @param type the beginning of its type; another job does not exist for the caller
   * @throws not_found
   */
  async status(ctx: RequestContext, id: string, type = ''): Promise<JobStatus> {
    const row = isUuid(id) ? await readOwnJob(this.db, id) : undefined;
    if (!row?.type.startsWith(type) || !seesJob(ctx, row)) throw problem('not_found');
    return viewStatus(row);
  }

  /**
   * As `cancel`, for the user on whose behalf the job runs, and for those who may manage jobs.
   * @throws not_found, forbidden where the job was queued by the caller but does not run on the caller's behalf,
   *   precondition_failed, invalid_state
   */
  async cancelOwn(ctx: RequestContext, id: string): Promise<JobStatus> {
    await this.move(ctx, id, CANCEL, ({ on_behalf, ...job }) => {
      if (!seesJob(ctx, job)) throw problem('not_found');
      if (!on_behalf && !ctx.permissions.has(MANAGE))
        throw problem('forbidden', {
          detail: `The job does not run on behalf of the caller: the permission ${MANAGE} is required.`,
          required_permission: MANAGE,
        });
    });
    return await this.status(ctx, id);
  }

  /**
   * Queues a failed or cancelled job again.
   * @throws not_found, precondition_failed, invalid_state
   */
  async retry(ctx: RequestContext, id: string): Promise<JobDetail> {
    await this.move(ctx, id, RETRY);
    return await this.get(id);
  }

  /**
   * Queues failed or cancelled jobs again: at most 1,000, in the order in which they ended.
   * @returns how many were queued, and how many are left
   */
  async retryMany(ctx: RequestContext, { type, state = 'failed' }: RetryMany): Promise<RetriedMany> {
    const many: ManyJobs = { type, state: state as ManyJobs['state'] };
    const outcome = await this.transactions.run(ctx, async (uow) => {
      uow.kind = 'bulk';
      const jobs = await requeueMany(uow, many, RETRY_MOST);
      for (const job of jobs)
        uow.emit({
          type: RETRY.event,
          subject: { kind: 'job', id: job.id, type: job.type, name: job.type },
          data: { changes: [{ field: 'state', old: state, new: RETRY.to }] },
        });
      return { retried: jobs.length, remaining: await countMatching(uow, many) };
    });
    if (!ctx.dryRun) this.notifier.notify(RETRY.topic);
    return outcome;
  }

  /** @param check called first, with the locked job */
  private async move(
    ctx: RequestContext,
    id: string,
    { from, to, event, topic, write }: Move,
    check: (job: LockedJob) => void = () => undefined,
  ): Promise<void> {
    await this.transactions.run(ctx, async (uow) => {
      const job = await lockJob(uow, id);
      if (!job) throw problem('not_found');
      check(job);
      checkVersion(ctx, job.version, ['state']);
      if (!from.includes(job.state))
        throw problem('invalid_state', {
          detail: `The job is ${job.state}; it must be ${from.join(' or ')}.`,
          state: job.state,
        });
      const version = await write(uow, id, this.runner.callsEnd(job.type));
      uow.emit({
        type: event,
        subject: { kind: 'job', id, type: job.type, name: job.type },
        data: { changes: [{ field: 'state', old: job.state, new: to }] },
      });
      return { id, version };
    });
    this.notifier.notify(topic);
  }
}

/** A caller who uses an API token sees the jobs that were queued with it. */
const seesJob = (
  { actor, permissions }: RequestContext,
  { created_by, token_id }: { created_by: string | null; token_id: string | null },
): boolean =>
  permissions.has(MANAGE) ||
  (actor !== null && created_by === actor.id && (actor.token === undefined || actor.token.id === token_id));

function viewStatus({
  attempts,
  progress,
  result,
  problem: error,
  created_at,
  started_at,
  finished_at,
  created_by: _createdBy,
  ...row
}: OwnJobRow): JobStatus {
  return {
    ...row,
    attempt: attempts,
    progress: withoutSecrets(progress),
    result: withoutSecrets(result),
    error,
    created_at: created_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
  };
}

/** The job in the API. @param hasHandler whether this service has a handler for its type */
function viewJob(
  { payload, progress, result, error, failures, run_at, created_at, started_at, finished_at, ...row }: JobRow,
  hasHandler: boolean,
): JobDetail {
  return {
    ...row,
    has_handler: hasHandler,
    payload: withoutSecrets(payload),
    progress: withoutSecrets(progress),
    result: withoutSecrets(result),
    error: error === null ? null : String(withoutSecrets(error)),
    failures: failures.map(({ attempt, at, error: why }) => ({
      attempt,
      at: new Date(at).toISOString(),
      error: String(withoutSecrets(why)),
    })),
    run_at: run_at.toISOString(),
    created_at: created_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
  };
}

/** The job as it appears in lists. */
function listed({ failures: _failures, ...job }: JobDetail): JobView {
  return job;
}
