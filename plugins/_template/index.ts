import { defineModule } from '@lintel/sdk';
import { items } from './items.js';
import * as first from './migrations/0001_items.js';
import { CARD_PERMISSIONS, PERMISSIONS } from './permissions.js';
import { cardRoutes, routes } from './routes.js';
import { StarterService } from './service.js';
import { Settings } from './settings.js';

export default defineModule({
  id: 'starter',
  version: '0.1.0',
  title: 'Starter',
  description: 'Items that belong to cards.',
  host: '^0.1.0',
  permissions: PERMISSIONS,
  cardPermissions: CARD_PERMISSIONS,
  settings: Settings,
  errors: { starter_item_taken: [409, 'Title taken', 'The card has an item of this title.'] },
  constraints: { starter_items_taken: 'starter_item_taken' },
  migrations: { '0001_items': first },
  events: [items.events],
  services: (host) => new StarterService(host),
  routes,
  cardRoutes: { segment: 'starter-items', routes: cardRoutes },
  activate(module) {
    module.job('starter.sweep', { handler: (job) => module.services.sweep(job) });
    module.cron({ job: 'starter.sweep', expression: '0 3 * * *' });
  },
  openapi: { tags: [{ name: 'starter', description: 'Items that belong to cards.' }] },
  enabledByDefault: false,
});
