import type { ModuleRoutes, ModuleServices } from '@lintel/sdk';
import type { PpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { guardAmounts } from './access.js';
import { budgets } from './budgets.js';
import { costs } from './costs.js';

/** Budgets and costs of initiatives, for callers who may see the costs of the card. */
export const costRoutes: ModuleRoutes<PpmServices, Settings> = async (app, { services, host }) => {
  guardAmounts(app, host);
  const plain = host as unknown as ModuleServices;
  await app.register(budgets.below('card_id'), {
    prefix: '/initiatives/:card_id/budgets',
    services: services.budgets,
    host: plain,
  });
  await app.register(costs.below('card_id'), {
    prefix: '/initiatives/:card_id/costs',
    services: services.costs,
    host: plain,
  });
};
