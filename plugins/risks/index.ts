import { defineModule, provide, type ModuleServices } from '@lintel/sdk';
import { RISKS_CREATE } from './capability.js';
import { ERRORS } from './errors.js';
import { EVENTS } from './events.js';
import * as register from './migrations/0001_register.js';
import * as mitigations from './migrations/0002_mitigations.js';
import { MitigationService } from './mitigations/service.js';
import { CARD_PERMISSIONS, PERMISSIONS } from './permissions.js';
import { EXPIRE, RECOMPUTE, RiskJobs } from './register/jobs.js';
import { NOTIFICATIONS } from './register/notices.js';
import { RiskService } from './register/service.js';
import { RiskWriter } from './register/writer.js';
import { ReportService } from './reports/service.js';
import { linkRoutes } from './routes/link-routes.js';
import { mitigationRoutes } from './routes/mitigation-routes.js';
import { reportRoutes } from './routes/report-routes.js';
import { cardRiskRoutes, riskRoutes } from './routes/risk-routes.js';
import { Settings } from './settings.js';

function services(host: ModuleServices<Settings>) {
  const writer = new RiskWriter(host);
  const risks = new RiskService(host, writer);
  return {
    risks,
    mitigations: new MitigationService(host),
    reports: new ReportService(host, risks),
    jobs: new RiskJobs(host, writer),
  };
}
type Services = ReturnType<typeof services>;

export default defineModule({
  id: 'risks',
  version: '0.1.0',
  title: 'Risks',
  description: 'The risk register: risks judged, moved and mitigated, with the cards they concern.',
  host: '^0.1.0',
  permissions: PERMISSIONS,
  cardPermissions: CARD_PERMISSIONS,
  settings: Settings,
  errors: ERRORS,
  migrations: { '0001_register': register, '0002_mitigations': mitigations },
  events: EVENTS,
  notifications: NOTIFICATIONS,
  services,
  provides: [
    provide(RISKS_CREATE, ({ risks }: Services) => async (ctx, risk) => {
      const id = await risks.create(ctx, risk);
      const { reference } = await risks.get(ctx, id);
      return { id, reference };
    }),
  ],
  async routes(app, { services: { risks, mitigations, reports }, host }) {
    await app.register(reportRoutes, { services: reports, host });
    await app.register(riskRoutes, { services: risks, host });
    await app.register(linkRoutes, { services: risks, host });
    await app.register(mitigationRoutes, { services: mitigations, host });
  },
  cardRoutes: {
    segment: 'risks',
    routes: async (app, { services: { risks }, host }) => {
      await app.register(cardRiskRoutes, { services: risks, host });
    },
  },
  activate(module) {
    const { jobs } = module.services;
    module.job(EXPIRE, { handler: (job) => jobs.expire(job) });
    module.cron({ job: EXPIRE, expression: '5 0 * * *' });
    module.job(RECOMPUTE, { handler: (job) => jobs.recompute(job) });
    module.subscribe({
      name: 'matrix',
      pattern: 'module.updated',
      handler: (event, { ctx }) => jobs.matrixChanged(event, ctx),
    });
  },
  openapi: { tags: [{ name: 'risks', description: 'The risk register.' }] },
  enabledByDefault: true,
});
