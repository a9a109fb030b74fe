import { defineModule } from '@lintel/sdk';
import { costRoutes } from './costs/routes.js';
import { ERRORS } from './errors.js';
import { EVENTS } from './events.js';
import { initiativeRoutes } from './initiatives/routes.js';
import * as plans from './migrations/0001_plans.js';
import { CARD_PERMISSIONS, PERMISSIONS } from './permissions.js';
import { REPORTS } from './reports/index.js';
import { reportRoutes } from './reports/routes.js';
import { RISKS_PREPARE } from './risks/register.js';
import { riskRoutes } from './risks/routes.js';
import { computedFields } from './rollup/card-rule.js';
import { activateRollUps } from './rollup/activate.js';
import { ppmServices } from './services.js';
import { Settings } from './settings.js';

export default defineModule({
  id: 'ppm',
  version: '0.1.0',
  title: 'Project portfolio management',
  description: 'Plans of initiatives.',
  host: '^0.1.0',
  permissions: PERMISSIONS,
  cardPermissions: CARD_PERMISSIONS,
  settings: Settings,
  errors: ERRORS,
  migrations: { '0001_plans': plans },
  events: EVENTS,
  uses: [RISKS_PREPARE],
  services: ppmServices,
  reports: REPORTS,
  cardRules: [computedFields],
  async routes(app, { services, host }) {
    const options = { services, host };
    await app.register(costRoutes, options);
    await app.register(riskRoutes, options);
    await app.register(initiativeRoutes, options);
    await app.register(reportRoutes, options);
  },
  async cardsDeleted({ budgets, costs, risks }, uow, cards) {
    await budgets.removeOfCards(uow, cards);
    await costs.removeOfCards(uow, cards);
    await risks.removeOfCards(uow, cards);
  },
  activate(module) {
    activateRollUps(module);
  },
  openapi: { tags: [{ name: 'ppm', description: 'Plans of initiatives.' }] },
  enabledByDefault: true,
});
