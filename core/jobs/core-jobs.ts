import { cleanCounters, cleanSessions } from '../auth/index.js';
import { INDEX_JOB } from '../cards/index.js';
import type { Services } from '../container.js';
import { registerImportJobs } from '../imports/index.js';
import { cleanIdempotencyKeys, cleanSlots } from './repository.js';

/**
 * The jobs of the core itself: archived cards are purged after their retention, and what has expired is cleaned up.
 * Call once, before the runner starts.
 */
export function registerCoreJobs({ jobs, cron, cardMaintenance, attributeIndexes, settings, db, files, visibility, staging, applying, importRetention }: Services): void {
  registerImportJobs({ jobs, cron, visibility, staging, applying, retention: importRetention });

  jobs.register('cards.purge', {
    handler: async ({ ctx, guard }) => {
      const { archive_retention_days: days } = settings.current;
      return { deleted: days > 0 ? await cardMaintenance.purgeArchived(ctx, days, guard) : 0 };
    },
    timeoutMs: 3_600_000,
  });
  cron.add({ job: 'cards.purge', expression: '10 3 * * *', timezone: 'UTC', jobType: 'cards.purge' });

  // Queued with every change of the metamodel that moves scores.
  jobs.register('cards.rescore', {
    handler: async ({ ctx, payload, guard, progress }) => {
      const { types } = payload as { types: string[] | null };
      return { cards: await cardMaintenance.rescoreTypes(ctx, types, guard, (done) => progress({ cards: done })) };
    },
    timeoutMs: 3_600_000,
  });

  // Queued with every change of the metamodel that flags a field as filterable or no longer so; each night for what failed.
  jobs.register(INDEX_JOB, { handler: (job) => attributeIndexes.bringUp(job), timeoutMs: 3 * 3_600_000 });
  cron.add({ job: INDEX_JOB, expression: '40 3 * * *', timezone: 'UTC', jobType: INDEX_JOB });

  jobs.register('auth.sessions_cleanup', {
    handler: async () => {
      await cleanSessions(db);
      await cleanCounters(db);
      return { idempotency_keys: await cleanIdempotencyKeys(db), cron_slots: await cleanSlots(db), files: await files.clean() };
    },
    timeoutMs: 600_000,
  });
  cron.add({ job: 'auth.sessions_cleanup', expression: '17 * * * *', timezone: 'UTC', jobType: 'auth.sessions_cleanup' });
}
