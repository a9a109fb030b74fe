import type { ModuleRoutes } from '@lintel/sdk';
import { READERS } from '../permissions.js';
import type { InsightLensServices } from '../services.js';
import type { Settings } from '../settings.js';
import { CandidatePage, CandidateQuery } from './schemas.js';

/** Candidates for modernisation. */
export const modernisationRoutes: ModuleRoutes<InsightLensServices, Settings> = async (app, { services, host }) => {
  app.get(
    '/modernisation',
    {
      config: { access: READERS, costly: true },
      schema: {
        operationId: 'listInsightCandidates',
        summary: 'What should be modernised, with reasons, effort and order',
        description:
          'Cards with reasons that the caller sees, from the current analyses of modernisation, security and duplicates; the 1,000 with most points. What a card depends on comes first; those that depend on one another in a circle come together.',
        tags: ['insightlens'],
        querystring: CandidateQuery,
        response: { 200: CandidatePage },
      },
    },
    async (request, reply) =>
      host.http.sendPage(request, reply, await services.modernisation.list(request.ctx, request.query)),
  );
};
