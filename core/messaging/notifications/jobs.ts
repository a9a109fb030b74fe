import type { Transactions } from '../../foundation/db/unit-of-work.js';
import type { EventVisibility } from '../events/index.js';
import type { CronTable, JobRun, JobRunner } from '../../foundation/jobs/index.js';
import { MAIL_ATTEMPTS, MAIL_JOB } from './mail-queue.js';
import type { Mailer } from './mailer.js';
import { cleanNotifications } from './repository.js';
import { NOTIFICATION_EVENTS } from './service.js';

const CLEANUP_JOB = 'notifications.cleanup';
const CHUNK = 2_000;
/** Delays after failed attempts: a mail server may be unavailable for hours. */
const RETRY_MS = [30_000, 120_000, 600_000, 3_600_000, 10_800_000];

interface Parts {
  jobs: JobRunner;
  cron: CronTable;
  visibility: EventVisibility;
  transactions: Transactions;
  mailer: Mailer;
}

/**
 * Registers the jobs that mail and clean up notifications, and the visibility of their events. Must be called once,
 * before the runner starts.
 */
export function registerNotificationJobs({ jobs, cron, visibility, transactions, mailer }: Parts): void {
  visibility.register('notification', NOTIFICATION_EVENTS);
  jobs.register(MAIL_JOB, {
    handler: (job) => mailer.mail(job),
    maxAttempts: MAIL_ATTEMPTS,
    timeoutMs: 60_000,
    retryMs: (attempt) => RETRY_MS[attempt - 1] ?? RETRY_MS.at(-1)!,
  });
  jobs.register(CLEANUP_JOB, {
    handler: async (job) => ({ mailed_anew: await mailer.sweep(job), deleted: await clean(job, transactions) }),
    timeoutMs: 3_600_000,
  });
  cron.add({ job: CLEANUP_JOB, expression: '50 2 * * *', timezone: 'UTC', jobType: CLEANUP_JOB });
}

async function clean({ ctx, guard, signal }: JobRun, transactions: Transactions): Promise<number> {
  for (let deleted = 0; ; ) {
    const n = await transactions.run(ctx, async (uow) => {
      await guard(uow);
      return await cleanNotifications(uow, CHUNK);
    });
    deleted += n;
    if (n < CHUNK || signal.aborted) return deleted;
  }
}
