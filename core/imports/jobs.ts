import type { EventVisibility } from '../events/index.js';
import type { JobRunner } from '../jobs/index.js';
import type { Applying } from './applying.js';
import { APPLY_JOB, PARSE_JOB } from './service.js';
import type { Staging } from './staging.js';

const APPLY_ATTEMPTS = 1_000;

interface ImportJob { import_id: string; user_id?: string }

/** Lets this node read and apply imports. Call once, before the runner starts. */
export function registerImportJobs({ jobs, visibility, staging, applying }: { jobs: JobRunner; visibility: EventVisibility; staging: Staging; applying: Applying }): void {
  visibility.register('import', { permission: 'cards.import' });
  jobs.register(PARSE_JOB, { handler: (job) => staging.run(job, (job.payload as ImportJob).import_id) });
  jobs.register(APPLY_JOB, {
    handler: (job) => {
      const { import_id, user_id } = job.payload as ImportJob;
      return applying.run(job, import_id, user_id!);
    },
    // A lost node costs an attempt, and every attempt goes on where the last one stopped.
    maxAttempts: APPLY_ATTEMPTS,
  });
}
