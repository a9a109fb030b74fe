import { cleanDevices, cleanHits, cleanSessions } from './identity/auth/index.js';
import { cleanJourneys } from './identity/journeys/index.js';
import { cleanSso } from './identity/sso/index.js';
import { cleanAttempts } from './identity/passwords/index.js';
import { INDEX_JOB } from './inventory/cards/index.js';
import type { Services } from './container.js';
import { registerImportJobs } from './inventory/imports/index.js';
import { cleanCalls } from './settings/index.js';
import { registerNotificationJobs } from './messaging/notifications/index.js';
import { registerWebhookJobs } from './messaging/webhooks/index.js';
import { queueUnclaimed } from './foundation/jobs/repository.js';
import { cleanIdempotencyKeys, cleanJobs, cleanSlots } from './foundation/jobs/retention-repository.js';

/** Registers the background jobs of the core and their schedules. Must be called once, before the runner starts. */
export function registerCoreJobs({
  jobs,
  cron,
  cardMaintenance,
  attributeIndexes,
  settings,
  db,
  files,
  visibility,
  staging,
  applying,
  importRetention,
  eventRetention,
  transactions,
  mailer,
  accountMails,
  ai,
}: Services): void {
  registerImportJobs({ jobs, cron, visibility, staging, applying, retention: importRetention });
  registerWebhookJobs({ jobs, cron, visibility, db });
  accountMails.register(jobs);
  registerNotificationJobs({ jobs, cron, visibility, transactions, mailer });

  jobs.register('cards.purge', {
    handler: async ({ ctx, guard }) => {
      const { archive_retention_days: days } = settings.current;
      return { deleted: days > 0 ? await cardMaintenance.purgeArchived(ctx, days, guard) : 0 };
    },
    timeoutMs: 3_600_000,
    whenFull: true,
  });
  cron.add({ job: 'cards.purge', expression: '10 3 * * *', timezone: 'UTC', jobType: 'cards.purge' });

  // Queued with every change of the metamodel that affects scores.
  jobs.register('cards.rescore', {
    handler: async ({ ctx, payload, guard, progress }) => {
      const { types } = payload as { types: string[] | null };
      return { cards: await cardMaintenance.rescoreTypes(ctx, types, guard, (done) => progress({ cards: done })) };
    },
    timeoutMs: 3_600_000,
  });

  // Queued with every change of the metamodel that makes a field filterable or not; also each night, to retry failures.
  jobs.register(INDEX_JOB, { handler: (job) => attributeIndexes.bringUp(job), timeoutMs: 3 * 3_600_000 });
  cron.add({ job: INDEX_JOB, expression: '40 3 * * *', timezone: 'UTC', jobType: INDEX_JOB });

  jobs.register('events.retention', {
    handler: async ({ ctx, guard }) => ({
      events: await eventRetention.run(ctx, (await settings.read()).event_retention_days, guard),
    }),
    timeoutMs: 3_600_000,
    whenFull: true,
  });
  cron.add({ job: 'events.retention', expression: '20 0 * * *', timezone: 'UTC', jobType: 'events.retention' });

  jobs.register('auth.sessions_cleanup', {
    handler: async () => {
      await cleanSessions(db);
      await cleanHits(db);
      await cleanAttempts(db);
      await cleanDevices(db);
      await cleanJourneys(db);
      await cleanSso(db);
      await queueUnclaimed(db);
      return {
        idempotency_keys: await cleanIdempotencyKeys(db),
        cron_slots: await cleanSlots(db),
        files: await files.clean(),
        jobs: await cleanJobs(db),
        ai_calls: await cleanCalls(db, (await ai.read()).log_retention_days),
      };
    },
    timeoutMs: 600_000,
    whenFull: true,
  });
  cron.add({
    job: 'auth.sessions_cleanup',
    expression: '17 * * * *',
    timezone: 'UTC',
    jobType: 'auth.sessions_cleanup',
  });
}
