import { defineModule, type ModuleServices } from '@lintel/sdk';
import { PERMISSIONS } from './permissions.js';
import { REPORTS } from './reports/index.js';
import { routes } from './routes.js';
import type { ReportsServices } from './services.js';
import { Settings } from './settings.js';

export default defineModule({
  id: 'reports',
  version: '0.1.0',
  title: 'Reports',
  description: 'Figures and pictures of the inventory, for the platform and for other modules.',
  host: '^0.1.0',
  permissions: PERMISSIONS,
  settings: Settings,
  services: (host: ModuleServices<Settings>): ReportsServices => ({ host }),
  reports: REPORTS,
  routes,
  openapi: { tags: [{ name: 'reports', description: 'Figures and pictures of the inventory.' }] },
  enabledByDefault: true,
});
