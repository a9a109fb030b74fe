import { defineModule, type ModuleServices } from '@lintel/sdk';
import { AnswerCache } from './answer-cache.js';
import { ERRORS } from './errors.js';
import * as savedReports from './migrations/0001_saved.js';
import * as snapshots from './migrations/0002_snapshots.js';
import { PERMISSIONS } from './permissions.js';
import { PictureServer } from './picture-server.js';
import { REPORTS } from './reports/index.js';
import { routes } from './routes.js';
import { removeAbandoned } from './saved/departures.js';
import { saved, SAVED_EVENTS } from './saved/resource.js';
import type { ReportsServices } from './services.js';
import { Settings } from './settings.js';
import { SCHEDULE, SNAPSHOT, Snapshots } from './snapshots/service.js';

export default defineModule({
  id: 'reports',
  version: '0.1.0',
  title: 'Reports',
  description: 'Figures and pictures of the inventory, for the platform and for other modules.',
  host: '^0.1.0',
  permissions: PERMISSIONS,
  settings: Settings,
  services: (host: ModuleServices<Settings>): ReportsServices => ({
    host,
    answers: new AnswerCache(),
    pictures: new PictureServer(host),
    snapshots: new Snapshots(host),
    saved: saved.service(host as unknown as ModuleServices),
  }),
  reports: REPORTS,
  routes,
  errors: ERRORS,
  events: [SAVED_EVENTS],
  migrations: { '0001_saved': savedReports, '0002_snapshots': snapshots },
  activate(module) {
    module.job(SNAPSHOT, { handler: (job) => module.services.snapshots.take(job) });
    module.use(() => module.services.pictures.close());
    module.onDatabaseReplaced(() => module.services.answers.clear());
    module.cron({ job: SNAPSHOT, expression: SCHEDULE });
    module.subscribe({
      name: 'departures',
      pattern: 'user.deleted',
      handler: (_event, { ctx }) => removeAbandoned(module.host, module.services.saved, ctx),
    });
  },
  openapi: { tags: [{ name: 'reports', description: 'Figures and pictures of the inventory.' }] },
  enabledByDefault: true,
});
