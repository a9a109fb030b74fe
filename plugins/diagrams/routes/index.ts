import type { ModuleRoutes } from '@lintel/sdk';
import { groups } from '../groups.js';
import type { DiagramsServices } from '../services.js';
import type { Settings } from '../settings.js';
import { diagramRoutes } from './diagram-routes.js';
import { fileRoutes } from './file-routes.js';
import { landscapeRoutes } from './landscape-routes.js';

export { cardRoutes } from './diagram-routes.js';

export const routes: ModuleRoutes<DiagramsServices, Settings> = async (app, { services, host }) => {
  await app.register(groups.routes, {
    prefix: '/library/groups',
    services: services.groups as never,
    host: host as never,
  });
  await app.register(diagramRoutes, { services, host });
  await app.register(fileRoutes, { services, host });
  await app.register(landscapeRoutes, { services, host });
};
