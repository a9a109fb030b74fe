import type { JobStatus, RequestContext } from '@lintel/sdk';
import type { Database } from '../db/database.js';
import type { Transactions } from '../db/unit-of-work.js';
import { problem } from '../errors.js';
import type { CronTable } from './cron.js';
import { CRON_ORIGIN, lockCron, readRuns } from './cron-repository.js';
import type { JobRunner } from './runner.js';
import type { ScheduleView } from './schedule-schemas.js';
import type { JobService } from './service.js';

/** Reading recurring jobs and running them on request, for administrators. */
export class ScheduleService {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly cron: CronTable,
    private readonly runner: JobRunner,
    private readonly jobs: JobService,
  ) {}

  /** The recurring jobs of the core and of enabled modules. */
  async list(): Promise<ScheduleView[]> {
    const schedules = this.cron.list();
    const runs = new Map((await readRuns(this.db, schedules)).map((run) => [run.job, run]));
    return schedules.map(({ job, type, expression, nextRunAt }) => ({
      job,
      type,
      expression,
      last_run_at: runs.get(job)?.last_run_at?.toISOString() ?? null,
      next_run_at: nextRunAt?.toISOString() ?? null,
      job_id: runs.get(job)?.job_id ?? null,
    }));
  }

  /**
   * Queues a job of a recurring job now, besides its schedule.
   * @returns the job
   * @throws not_found, invalid_state while one is queued or running
   */
  async run(ctx: RequestContext, job: string): Promise<JobStatus> {
    const schedule = this.cron.list().find((one) => one.job === job);
    if (!schedule) throw problem('not_found');
    const { type, payload } = schedule;
    const { id } = await this.transactions.run(ctx, async (uow) => {
      await lockCron(uow, job);
      const current = (await readRuns(uow, [schedule]))[0]!.job_id;
      if (current !== null)
        throw problem('invalid_state', {
          detail: 'A job of this schedule is queued or running.',
          job_id: current,
        });
      return { id: await this.runner.enqueue(uow, type, payload, { origin: CRON_ORIGIN }) };
    });
    return await this.jobs.status(ctx, id);
  }
}
