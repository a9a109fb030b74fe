import type { RequestContext } from '@lintel/sdk';
import { checkVersion } from '../conditions.js';
import type { Bell } from '../db/bell.js';
import type { Database } from '../db/database.js';
import type { Transactions, UnitOfWork } from '../db/unit-of-work.js';
import { problem } from '../errors.js';
import type { Page } from '../http/respond.js';
import { CANCEL_BELL } from './runner.js';
import type { JobQuery, JobState, JobView } from './schemas.js';
import { cancelJob, listJobs, lockJob, readJob, requeueJob } from './view-repository.js';
import { viewJob } from './view.js';

interface Move {
  from: readonly JobState[];
  to: JobState;
  event: string;
  /** Rung when it is stored. */
  bell: string;
  write(uow: UnitOfWork, id: string): Promise<number>;
}

const CANCEL: Move = { from: ['queued', 'running'], to: 'cancelled', event: 'job.cancelled', bell: CANCEL_BELL, write: cancelJob };
const RETRY: Move = { from: ['failed', 'cancelled'], to: 'queued', event: 'job.retried', bell: 'jobs', write: requeueJob };

/** The jobs as administrators see and steer them. */
export class JobService {
  constructor(private readonly db: Database, private readonly transactions: Transactions, private readonly bell: Bell) {}

  async list(query: JobQuery): Promise<Page<JobView>> {
    const page = await listJobs(this.db, query);
    return { ...page, items: page.items.map(viewJob) };
  }

  /** @throws not_found */
  async get(id: string): Promise<JobView> {
    const row = await readJob(this.db, id);
    if (!row) throw problem('not_found');
    return viewJob(row);
  }

  /**
   * Ends a job that waits or runs. The node that runs it tells it within a second; a transaction it is in the middle
   * of is finished, and it begins no other.
   * @throws not_found, precondition_failed, invalid_state
   */
  async cancel(ctx: RequestContext, id: string): Promise<JobView> {
    return await this.move(ctx, id, CANCEL);
  }

  /**
   * Queues a job that failed or was cancelled once more.
   * @throws not_found, precondition_failed, invalid_state
   */
  async retry(ctx: RequestContext, id: string): Promise<JobView> {
    return await this.move(ctx, id, RETRY);
  }

  private async move(ctx: RequestContext, id: string, { from, to, event, bell, write }: Move): Promise<JobView> {
    await this.transactions.run(ctx, async (uow) => {
      const job = await lockJob(uow, id);
      if (!job) throw problem('not_found');
      checkVersion(ctx, job.version, ['state']);
      if (!from.includes(job.state)) throw problem('invalid_state', { detail: `The job is ${job.state}; it must be ${from.join(' or ')}.`, state: job.state });
      const version = await write(uow, id);
      uow.emit({ type: event, subject: { kind: 'job', id, type: job.type, name: job.type }, data: { changes: [{ field: 'state', old: job.state, new: to }] } });
      return { id, version };
    });
    this.bell.ring(bell);
    return await this.get(id);
  }
}
