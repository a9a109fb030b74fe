import { cleanCounters, cleanSessions } from '../auth/index.js';
import type { Services } from '../container.js';
import { cleanIdempotencyKeys, cleanSlots } from './repository.js';

/**
 * The jobs of the core itself: archived cards are purged after their retention, and what has expired is cleaned up.
 * Call once, before the runner starts.
 */
export function registerCoreJobs({ jobs, cron, cards, settings, db }: Services): void {
  jobs.register('cards.purge', {
    handler: async ({ ctx, guard }) => {
      const { archive_retention_days: days } = settings.current;
      return { deleted: days > 0 ? await cards.purgeArchived(ctx, days, guard) : 0 };
    },
    timeoutMs: 3_600_000,
  });
  cron.add({ job: 'cards.purge', expression: '10 3 * * *', timezone: 'UTC', jobType: 'cards.purge' });

  jobs.register('auth.sessions_cleanup', {
    handler: async () => {
      await cleanSessions(db);
      await cleanCounters(db);
      return { idempotency_keys: await cleanIdempotencyKeys(db), cron_slots: await cleanSlots(db) };
    },
    timeoutMs: 600_000,
  });
  cron.add({ job: 'auth.sessions_cleanup', expression: '17 * * * *', timezone: 'UTC', jobType: 'auth.sessions_cleanup' });
}
