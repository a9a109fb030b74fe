import { defineModule, provide, type ModuleServices } from '@lintel/sdk';
import { RISKS_CREATE, RISKS_OF_CARDS, RISKS_PREPARE } from './capability.js';
import { ERRORS } from './errors.js';
import { EVENTS } from './events.js';
import * as register from './migrations/0001_register.js';
import * as mitigations from './migrations/0002_mitigations.js';
import * as files from './migrations/0003_files.js';
import { MitigationService } from './mitigations/service.js';
import { CARD_PERMISSIONS, PERMISSIONS, VIEW } from './permissions.js';
import { EXPIRE, RECOMPUTE, RiskJobs } from './register/jobs.js';
import { NOTIFICATIONS } from './register/notices.js';
import { LinkService } from './register/link-service.js';
import { listOfCards, numberOf } from './register/repository.js';
import { referenceOf, risks } from './register/resource.js';
import { heatMap } from './reports/heat-map.js';
import { ReportService } from './reports/service.js';
import { linkRoutes } from './routes/link-routes.js';
import { mitigationRoutes } from './routes/mitigation-routes.js';
import { reportRoutes } from './routes/report-routes.js';
import { Settings } from './settings.js';

function services(host: ModuleServices<Settings>) {
  const register = risks.service(host);
  return {
    register,
    links: new LinkService(host, register),
    mitigations: new MitigationService(host, register),
    reports: new ReportService(host, register),
    jobs: new RiskJobs(host, register),
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
  migrations: { '0001_register': register, '0002_mitigations': mitigations, '0003_files': files },
  events: EVENTS,
  notifications: NOTIFICATIONS,
  services,
  provides: [
    provide(RISKS_CREATE, ({ register }: Services) => async (ctx, risk) => {
      const id = await register.create(ctx, risk);
      const { reference } = await register.get(ctx, id);
      return { id, reference };
    }),
    provide(RISKS_PREPARE, ({ register }: Services) => async (ctx, risk) => {
      const write = await register.prepareCreate(ctx, risk);
      return async (uow) => {
        const id = await write(uow);
        return { id, reference: referenceOf(await numberOf(register.core.host.join(uow), id)) };
      };
    }),
    provide(RISKS_OF_CARDS, ({ register }: Services) => async (ctx, cardIds, limit) => {
      if (!ctx.permissions.has(VIEW)) return undefined;
      const rows = await listOfCards(register.core.host, ctx, cardIds, limit);
      return rows.map(({ number, ...row }) => ({ ...row, reference: referenceOf(number) }));
    }),
  ],
  reports: [heatMap],
  async routes(app, { services: { register, links, mitigations, reports }, host }) {
    await app.register(reportRoutes, { services: reports, host });
    await app.register(risks.routes, { services: register, host });
    await app.register(linkRoutes, { services: links, host });
    await app.register(mitigationRoutes, { services: mitigations, host });
  },
  cardRoutes: {
    segment: 'risks',
    routes: async (app, { services: { register }, host }) => {
      await app.register(risks.ofCard('cards'), { services: register, host });
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
