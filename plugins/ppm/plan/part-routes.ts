import type { ModuleRoutes, ModuleServices } from '@lintel/sdk';
import { dependencies } from '../dependencies/resource.js';
import type { PpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { statusReports } from '../status-reports/resource.js';
import { lockPlans } from './locking.js';

/** Parts of plans that are plain resources: dependencies and status reports. */
export const partRoutes: ModuleRoutes<PpmServices, Settings> = async (app, { services, host }) => {
  const plain = host as unknown as ModuleServices;
  lockPlans(app, host);
  await app.register(dependencies.below('card_id'), {
    prefix: '/initiatives/:card_id/dependencies',
    services: services.dependencies,
    host: plain,
  });
  await app.register(statusReports.below('card_id'), {
    prefix: '/initiatives/:card_id/status-reports',
    services: services.statusReports,
    host: plain,
  });
};
