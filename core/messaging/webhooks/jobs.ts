import type { Database } from '../../foundation/db/database.js';
import type { EventVisibility } from '../events/index.js';
import type { CronTable, JobRunner } from '../../foundation/jobs/index.js';
import { cleanDeliveries } from './delivery-repository.js';
import { MANAGE } from './owner.js';

interface Parts {
  jobs: JobRunner;
  cron: CronTable;
  visibility: EventVisibility;
  db: Database;
}

/** Registers the visibility of webhook events and the clean-up job. Must be called once, before the runner starts. */
export function registerWebhookJobs({ jobs, cron, visibility, db }: Parts): void {
  visibility.register('webhook', { permission: MANAGE });
  jobs.register('webhooks.cleanup', {
    handler: async () => ({ deleted: await cleanDeliveries(db) }),
    timeoutMs: 3_600_000,
    whenFull: true,
  });
  cron.add({ job: 'webhooks.cleanup', expression: '50 3 * * *', timezone: 'UTC', jobType: 'webhooks.cleanup' });
}
