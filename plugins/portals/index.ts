import { defineModule, type ModuleServices } from '@lintel/sdk';
import { ERRORS } from './errors.js';
import * as tables from './migrations/0001_portals.js';
import { PERMISSIONS } from './permissions.js';
import { publicRoutes } from './public-routes.js';
import { VisitorService } from './published/service.js';
import { portals } from './resource.js';
import { Settings } from './settings.js';

export default defineModule({
  id: 'portals',
  version: '0.1.0',
  title: 'Web portals',
  description: 'Publishes chosen fields of chosen cards to everyone, without a log-in.',
  host: '^0.1.0',
  permissions: PERMISSIONS,
  settings: Settings,
  errors: ERRORS,
  constraints: { portals_slugs: 'portals_slug_taken' },
  migrations: { '0001_portals': tables },
  events: [{ ...portals.events, cards: 'none' }],
  services: (host: ModuleServices<Settings>) => ({
    portals: portals.service(host as unknown as ModuleServices),
    visitors: new VisitorService(host),
  }),
  async routes(app, { services: { portals: service, visitors }, host }) {
    await app.register(async (admin) => {
      // Before the response, so that a portal that was withdrawn is closed on this node when its administrator knows.
      admin.addHook('onSend', async (request, _reply, payload) => {
        if (request.method !== 'GET') visitors.lookup.forget();
        return payload;
      });
      await admin.register(portals.routes, { services: service, host: host as unknown as ModuleServices });
    });
    await app.register(publicRoutes, { prefix: '/public', services: visitors, host });
  },
  activate(module) {
    const forget = (): void => module.services.visitors.lookup.forget();
    for (const change of ['created', 'updated', 'deleted']) module.listen(`portals.${change}`, forget);
  },
  openapi: { tags: [{ name: 'portals', description: 'Web portals: cards for readers without an account.' }] },
  enabledByDefault: true,
});
