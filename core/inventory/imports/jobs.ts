import type { CronTable, JobRunner } from '../../foundation/jobs/index.js';
import type { Applying } from './apply/applying.js';
import { APPLY_JOB, PARSE_JOB } from './service.js';
import type { ImportRetention } from './retention.js';
import type { Staging } from './preview/staging.js';

const APPLY_ATTEMPTS = 1_000;

interface ImportJob {
  import_id: string;
  user_id?: string;
}

interface Parts {
  jobs: JobRunner;
  cron: CronTable;
  visibility: { register(kind: string, rule: { permission: string }): unknown };
  staging: Staging;
  applying: Applying;
  retention: ImportRetention;
}

/** Registers the jobs that read, apply and clean up imports. Must be called once, before the runner starts. */
export function registerImportJobs({ jobs, cron, visibility, staging, applying, retention }: Parts): void {
  visibility.register('import', { permission: 'cards.import' });
  jobs.register(PARSE_JOB, { handler: (job) => staging.run(job, (job.payload as ImportJob).import_id) });
  jobs.register(APPLY_JOB, {
    handler: (job) => {
      const { import_id, user_id } = job.payload as ImportJob;
      return applying.run(job, import_id, user_id!);
    },
    // A failed node costs one attempt, and every attempt continues where the previous one stopped.
    maxAttempts: APPLY_ATTEMPTS,
  });
  jobs.register('imports.purge', {
    handler: async ({ ctx, guard }) => ({ deleted: await retention.purge(ctx, guard) }),
    timeoutMs: 3_600_000,
    whenFull: true,
  });
  cron.add({ job: 'imports.purge', expression: '40 3 * * *', timezone: 'UTC', jobType: 'imports.purge' });
}
