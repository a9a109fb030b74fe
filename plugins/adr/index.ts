import { defineModule } from '@lintel/sdk';
import * as first from './migrations/0001_adr.js';
import { CARD_PERMISSIONS, PERMISSIONS } from './permissions.js';
import { cardRoutes, routes } from './routes.js';
import { AdrService } from './service.js';
import { Settings } from './settings.js';

export default defineModule({
  id: 'adr',
  version: '0.1.0',
  title: 'Architecture decisions',
  description: 'Architecture decision records: numbered, linked to the cards they concern.',
  host: '^0.1.0',
  permissions: PERMISSIONS,
  cardPermissions: CARD_PERMISSIONS,
  settings: Settings,
  migrations: { '0001_adr': first },
  events: [{ kind: 'adr', permission: 'adr.view' }],
  services: (host) => new AdrService(host),
  routes,
  cardRoutes: { segment: 'adrs', routes: cardRoutes },
  activate(module) {
    module.job('adr.stale_drafts', { handler: (job) => module.services.reportStale(job) });
    module.cron({ job: 'adr.stale_drafts', expression: '0 6 * * 1' });
  },
  openapi: { tags: [{ name: 'adr', description: 'Architecture decisions.' }] },
  enabledByDefault: true,
});
