import { defineModule } from '@lintel/sdk';
import { CLEAN_PROPOSALS_JOB, cleanProposals } from './architect/clean-up.js';
import { PROPOSE_JOB } from './architect/definition.js';
import { proposalRoutes } from './architect/routes.js';
import { duplicateRoutes } from './duplicates/routes.js';
import { ERRORS } from './errors.js';
import { EVENTS } from './events.js';
import { explanationRoutes } from './explanations/routes.js';
import { cardProductRoutes } from './feeds/card-product-routes.js';
import { FETCH_JOB } from './feeds/definition.js';
import { feedRoutes } from './feeds/routes.js';
import { findingRoutes } from './findings/routes.js';
import * as insightlens from './migrations/0001_insightlens.js';
import * as suppliers from './migrations/0002_suppliers.js';
import * as feeds from './migrations/0003_feeds.js';
import * as proposals from './migrations/0004_proposals.js';
import * as largeLists from './migrations/0005_large_lists.js';
import * as supplierNews from './migrations/0006_supplier_news.js';
import * as duplicateNeeds from './migrations/0007_duplicate_needs.js';
import { modernisationRoutes } from './modernisation/routes.js';
import { NOTIFICATIONS } from './notices.js';
import { PERMISSIONS } from './permissions.js';
import { cleanUp } from './runs/clean-up.js';
import { CLEAN_UP_JOB, NIGHTLY_JOB, RUN_JOB } from './runs/definition.js';
import { runRoutes } from './runs/routes.js';
import { ADR_CREATE, RISKS_PREPARE } from './security/partners.js';
import { securityRoutes } from './security/routes.js';
import { insightLensServices } from './services.js';
import { Settings } from './settings.js';
import { supplierRoutes } from './suppliers/routes.js';

/** An attempt ends when its node is killed, too: a run outlives several. */
const ATTEMPTS = 20;

export default defineModule({
  id: 'insightlens',
  version: '0.1.0',
  title: 'InsightLens',
  description: 'Analyses the landscape: findings with the cards they stand on, and what people decide about them.',
  host: '^0.1.0',
  permissions: PERMISSIONS,
  settings: Settings,
  errors: ERRORS,
  constraints: {
    insightlens_run_active: 'insightlens_run_active',
    insightlens_proposal_active: 'insightlens_proposal_active',
  },
  migrations: {
    '0001_insightlens': insightlens,
    '0002_suppliers': suppliers,
    '0003_feeds': feeds,
    '0004_proposals': proposals,
    '0005_large_lists': largeLists,
    '0006_supplier_news': supplierNews,
    '0007_duplicate_needs': duplicateNeeds,
  },
  events: EVENTS,
  notifications: NOTIFICATIONS,
  uses: [RISKS_PREPARE, ADR_CREATE],
  services: insightLensServices,
  async routes(app, { services, host }) {
    const options = { services, host };
    await app.register(runRoutes, options);
    await app.register(findingRoutes, options);
    await app.register(duplicateRoutes, options);
    await app.register(supplierRoutes, options);
    await app.register(feedRoutes, options);
    await app.register(securityRoutes, options);
    await app.register(modernisationRoutes, options);
    await app.register(cardProductRoutes, options);
    await app.register(explanationRoutes, options);
    await app.register(proposalRoutes, options);
  },
  activate(module) {
    const { runs, engine, feeds, fetches, proposalEngine, host } = module.services;
    module.job(RUN_JOB, {
      handler: (job) => engine.run(job),
      ended: (end) => engine.ended(end),
      maxAttempts: ATTEMPTS,
      timeoutMs: 4 * 3_600_000,
    });
    module.listen('insightlens_run.cancelled', ({ subject }) => engine.cancelled(subject.id));
    module.job(PROPOSE_JOB, {
      handler: (job) => proposalEngine.run(job),
      ended: (end) => proposalEngine.ended(end),
      maxAttempts: ATTEMPTS,
      timeoutMs: 30 * 60_000,
    });
    module.listen('insightlens_proposal.cancelled', ({ subject }) => proposalEngine.cancelled(subject.id));
    module.job(NIGHTLY_JOB, { handler: (job) => runs.nightly(job), timeoutMs: 60_000 });
    module.cron({ job: NIGHTLY_JOB, expression: '10 2 * * *' });
    module.job(FETCH_JOB, { handler: (job) => fetches.run(job), timeoutMs: 600_000 });
    module.onSettings((before) => fetches.settingsChanged(before));
    module.use(() => feeds.thread.close());
    module.cron({ job: FETCH_JOB, expression: '40 1 * * *' });
    module.job(CLEAN_UP_JOB, { handler: (job) => cleanUp(host, job), timeoutMs: 600_000 });
    module.cron({ job: CLEAN_UP_JOB, expression: '50 3 * * *' });
    module.job(CLEAN_PROPOSALS_JOB, { handler: (job) => cleanProposals(host, job), timeoutMs: 600_000 });
    module.cron({ job: CLEAN_PROPOSALS_JOB, expression: '55 3 * * *' });
  },
  openapi: { tags: [{ name: 'insightlens', description: 'Analyses of the landscape and their findings.' }] },
  enabledByDefault: true,
});
