import type { ModuleRoutes } from '@lintel/sdk';
import { items } from './items.js';
import type { StarterService } from './service.js';
import type { Settings } from './settings.js';

type Routes = ModuleRoutes<StarterService, Settings>;

export const routes: Routes = async (app, { services, host }) => {
  await app.register(items.routes, { prefix: '/items', services: services.items, host });
};

/** The list and POST of one card's items. */
export const cardRoutes: Routes = async (app, { services, host }) => {
  await app.register(items.ofCard('card_id'), { services: services.items, host });
};
