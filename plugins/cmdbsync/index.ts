import { defineModule, type JobEnd } from '@lintel/sdk';
import { connectionRoutes } from './connections/routes.js';
import { files } from './connectors/files/index.js';
import { netbox } from './connectors/netbox/index.js';
import { rest } from './connectors/rest/index.js';
import { servicenow } from './connectors/servicenow/index.js';
import { ERRORS } from './errors.js';
import { EVENTS } from './events.js';
import { mappingRoutes } from './mappings/routes.js';
import * as sync from './migrations/0001_sync.js';
import { NOTIFICATIONS } from './notices.js';
import { PERMISSIONS } from './permissions.js';
import { cmdbSyncServices } from './services.js';
import { recordRoutes } from './records/routes.js';
import { APPLY_JOB, CLEAN_UP_JOB, RUN_JOB, SCHEDULE_JOB } from './runs/definition.js';
import { endWithJob } from './runs/lifecycle.js';
import { runRoutes } from './runs/routes.js';
import { identityRoutes } from './identities/routes.js';
import { Settings } from './settings.js';
import { templateRoutes } from './templates/routes.js';

export default defineModule({
  id: 'cmdbsync',
  version: '0.1.0',
  title: 'CMDB synchronisation',
  description: 'Synchronises cards with a configuration management database, in both directions.',
  host: '^0.1.0',
  permissions: PERMISSIONS,
  settings: Settings,
  errors: ERRORS,
  constraints: {
    cmdbsync_connection_names: 'cmdbsync_name_taken',
    cmdbsync_mapping_names: 'cmdbsync_name_taken',
    cmdbsync_mappings_connection_id_fkey: 'cmdbsync_connection_used',
    cmdbsync_run_active: 'cmdbsync_run_active',
  },
  migrations: { '0001_sync': sync },
  events: EVENTS,
  notifications: NOTIFICATIONS,
  services: cmdbSyncServices,
  connectors: [files, netbox, rest, servicenow],
  async routes(app, { services, host }) {
    const options = { services, host };
    await app.register(connectionRoutes, options);
    await app.register(mappingRoutes, options);
    await app.register(templateRoutes, options);
    await app.register(runRoutes, options);
    await app.register(recordRoutes, options);
    await app.register(identityRoutes, options);
  },
  activate(module) {
    const { schedules, engine } = module.services;
    const ended = (end: JobEnd): Promise<void> => endWithJob(module.host, end);
    module.job(RUN_JOB, { handler: (run) => engine.run(run), maxAttempts: 100, ended });
    module.job(APPLY_JOB, { handler: (run) => engine.run(run), maxAttempts: 100, ended });
    module.listen('cmdbsync_run.cancelled', ({ subject }) => engine.cancelled(subject.id));
    module.job(SCHEDULE_JOB, { handler: (run) => schedules.due(run), timeoutMs: 60_000 });
    module.cron({ job: SCHEDULE_JOB, expression: '* * * * *' });
    module.job(CLEAN_UP_JOB, { handler: (run) => schedules.cleanUp(run), timeoutMs: 600_000 });
    module.cron({ job: CLEAN_UP_JOB, expression: '40 3 * * *' });
  },
  openapi: { tags: [{ name: 'cmdbsync', description: 'Synchronisation with configuration management databases.' }] },
  enabledByDefault: true,
});
