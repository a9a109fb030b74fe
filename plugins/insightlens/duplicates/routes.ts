import type { ModuleRoutes } from '@lintel/sdk';
import { READERS } from '../permissions.js';
import type { InsightLensServices } from '../services.js';
import type { Settings } from '../settings.js';
import { DuplicateClusterPage, DuplicateQuery } from './schemas.js';

/** Clusters of cards that are alike; the pairs are findings. */
export const duplicateRoutes: ModuleRoutes<InsightLensServices, Settings> = async (app, { services, host }) => {
  app.get(
    '/duplicates',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listInsightDuplicates',
        summary: 'Clusters of cards that are alike',
        description:
          'Computed from the findings of `duplicates` that the caller sees and that were not dismissed. Two clusters are joined by a pair if more than half of the pairs of their cards are findings, or the pair is confirmed.',
        tags: ['insightlens'],
        querystring: DuplicateQuery,
        response: { 200: DuplicateClusterPage },
      },
    },
    async (request, reply) =>
      host.http.sendPage(request, reply, await services.duplicates.list(request.ctx, request.query)),
  );
};
