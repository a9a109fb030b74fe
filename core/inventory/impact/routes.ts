import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ImpactService } from './service.js';
import { IdParams } from '../../foundation/http/schemas.js';
import type { SentText } from '../../foundation/http/respond.js';
import { ImpactQuery, ImpactView } from './schemas.js';

/** Impact analysis: what depends on a card. */
export default (async (app, { services: { impact } }) => {
  app.get(
    '/:id/impact',
    {
      config: { access: { permission: 'cards.view' }, costly: true },
      schema: {
        operationId: 'getCardImpact',
        summary: 'The cards that depend on a card, with paths',
        tags: ['cards'],
        description:
          'Follows relations between active cards. A relation that ended before today (UTC) is not followed; one that begins in the future is. Also requires `relations.view`.',
        params: IdParams,
        querystring: ImpactQuery,
        response: { 200: ImpactView },
      },
    },
    async (request, reply) => {
      const json = await impact.impact(request.ctx, request.params.id, request.query);
      return reply.type('application/json; charset=utf-8').send(json as SentText);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { impact: ImpactService } }>;
