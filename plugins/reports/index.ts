import { defineModule, type ModuleServices } from '@lintel/sdk';
import * as snapshots from './migrations/0002_snapshots.js';
import { PERMISSIONS } from './permissions.js';
import { REPORTS } from './reports/index.js';
import { routes } from './routes.js';
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
  services: (host: ModuleServices<Settings>): ReportsServices => ({ host, snapshots: new Snapshots(host) }),
  reports: REPORTS,
  routes,
  migrations: { '0002_snapshots': snapshots },
  activate(module) {
    module.job(SNAPSHOT, { handler: (job) => module.services.snapshots.take(job) });
    module.cron({ job: SNAPSHOT, expression: SCHEDULE });
  },
  openapi: { tags: [{ name: 'reports', description: 'Figures and pictures of the inventory.' }] },
  enabledByDefault: true,
});
