import { defineModule, type ModuleServices } from '@lintel/sdk';
import { assessments } from './assessments/resource.js';
import { ERRORS } from './errors.js';
import { EVENTS } from './events.js';
import * as flows from './migrations/0001_flows.js';
import * as shippedTemplates from './migrations/0002_shipped_templates.js';
import { NOTIFICATIONS } from './notices.js';
import { CARD_PERMISSIONS, PERMISSIONS } from './permissions.js';
import { elementRoutes } from './routes/element-routes.js';
import { fileRoutes } from './routes/file-routes.js';
import { pictureRoutes } from './routes/picture-routes.js';
import { processRoutes } from './routes/process-routes.js';
import { reportRoutes } from './routes/report-routes.js';
import { REPORTS } from './reports/index.js';
import { templateRoutes } from './routes/template-routes.js';
import { versionRoutes } from './routes/version-routes.js';
import { impliedRelations } from './versions/implied-rule.js';
import { bpmServices } from './services.js';
import { Settings } from './settings.js';
import { templates } from './templates/resource.js';

export default defineModule({
  id: 'bpm',
  version: '0.1.0',
  title: 'Business processes',
  description: 'Flows of processes in BPMN: versions with approval, elements linked with cards, assessments.',
  host: '^0.1.0',
  permissions: PERMISSIONS,
  cardPermissions: CARD_PERMISSIONS,
  settings: Settings,
  errors: ERRORS,
  constraints: {
    bpm_one_pending: 'bpm_pending_exists',
    bpm_one_published: 'conflict',
    bpm_revision: 'conflict',
    bpm_content_kept: 'invalid_state',
    bpm_template_names: 'bpm_template_name_taken',
  },
  migrations: { '0001_flows': flows, '0002_shipped_templates': shippedTemplates },
  events: EVENTS,
  notifications: NOTIFICATIONS,
  services: bpmServices,
  reports: REPORTS,
  cardRules: [impliedRelations],
  async routes(app, { services, host }) {
    const options = { services, host };
    await app.register(processRoutes, options);
    await app.register(versionRoutes, options);
    await app.register(fileRoutes, options);
    await app.register(pictureRoutes, options);
    await app.register(elementRoutes, options);
    await app.register(reportRoutes, options);
    await app.register(assessments.below('card_id'), {
      prefix: '/processes/:card_id/assessments',
      services: services.assessments,
      host: host as unknown as ModuleServices,
    });
    await app.register(templates.routes, {
      prefix: '/templates',
      services: services.templates,
      host: host as unknown as ModuleServices,
    });
    await app.register(templateRoutes, options);
  },
  cardsDeleted: ({ assessments: service }, uow, cards) => service.removeOfCards(uow, cards),
  activate(module) {
    module.use(() => module.services.content.close());
  },
  openapi: { tags: [{ name: 'bpm', description: 'Processes, their flows, elements and assessments.' }] },
  enabledByDefault: true,
});
