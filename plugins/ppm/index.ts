import { defineModule, type ModuleServices } from '@lintel/sdk';
import { costRoutes } from './costs/routes.js';
import { ERRORS } from './errors.js';
import { EVENTS } from './events.js';
import { initiativeRoutes } from './initiatives/routes.js';
import * as plans from './migrations/0001_plans.js';
import * as nextMilestones from './migrations/0002_next_milestones.js';
import { CARD_PERMISSIONS, PERMISSIONS } from './permissions.js';
import { REPORTS } from './reports/index.js';
import { reportRoutes } from './reports/routes.js';
import { planRoutes } from './plan/routes.js';
import { holidays } from './plan/holidays.js';
import { activateRecounts } from './plan/recount.js';
import { partRoutes } from './plan/part-routes.js';
import { RISKS_PREPARE } from './risks/register.js';
import { riskRoutes } from './risks/routes.js';
import { computedFields } from './rollup/card-rule.js';
import { activateRollUps } from './rollup/activate.js';
import { exchangeRoutes } from './exchange/routes.js';
import { scheduleRoutes } from './schedule/routes.js';
import { ppmServices } from './services.js';
import { Settings } from './settings.js';
import { commentRoutes } from './tasks/comment-routes.js';
import { NOTIFICATIONS } from './tasks/notices.js';
import { taskRoutes } from './tasks/routes.js';
import { wbsRoutes } from './wbs/routes.js';

export default defineModule({
  id: 'ppm',
  version: '0.1.0',
  title: 'Project portfolio management',
  description: 'Plans of initiatives: work breakdown, tasks, dependencies, status reports, budgets, costs and risks.',
  host: '^0.1.0',
  permissions: PERMISSIONS,
  cardPermissions: CARD_PERMISSIONS,
  settings: Settings,
  errors: ERRORS,
  constraints: {
    ppm_holiday_dates: 'ppm_holiday_exists',
    ppm_dependency_once: 'ppm_dependency_exists',
    ppm_wbs_order: 'conflict',
    ppm_task_order: 'conflict',
  },
  migrations: { '0001_plans': plans, '0002_next_milestones': nextMilestones },
  events: EVENTS,
  uses: [RISKS_PREPARE],
  notifications: NOTIFICATIONS,
  services: ppmServices,
  reports: REPORTS,
  cardRules: [computedFields],
  async routes(app, { services, host }) {
    const options = { services, host };
    await app.register(planRoutes, options);
    await app.register(wbsRoutes, options);
    await app.register(partRoutes, options);
    await app.register(taskRoutes, options);
    await app.register(commentRoutes, options);
    await app.register(holidays.routes, {
      prefix: '/holidays',
      services: services.holidays,
      host: host as unknown as ModuleServices,
    });
    await app.register(costRoutes, options);
    await app.register(riskRoutes, options);
    await app.register(initiativeRoutes, options);
    await app.register(reportRoutes, options);
    await app.register(scheduleRoutes, options);
    await app.register(exchangeRoutes, options);
  },
  async cardsDeleted(
    { wbs, tasks, comments, dependencies, statusReports, budgets, costs, risks, schedules },
    uow,
    cards,
  ) {
    await comments.removeOfCards(uow, cards);
    await tasks.removeOfCards(uow, cards);
    await dependencies.removeOfCards(uow, cards);
    await wbs.removeOfCards(uow, cards);
    await statusReports.removeOfCards(uow, cards);
    await budgets.removeOfCards(uow, cards);
    await costs.removeOfCards(uow, cards);
    await risks.removeOfCards(uow, cards);
    await schedules.baselines.removeOfCards(uow, cards);
  },
  activate(module) {
    activateRollUps(module);
    module.use(() => module.services.schedules.gantt.close());
    module.use(() => module.services.schedules.files.close());
    activateRecounts(module);
  },
  openapi: { tags: [{ name: 'ppm', description: 'Plans of initiatives.' }] },
  enabledByDefault: true,
});
