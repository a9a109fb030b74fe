import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { HistoryService } from './service.js';
import { IdParams } from '../../foundation/http/schemas.js';
import { sendPage } from '../../foundation/http/respond.js';
import { HistoryPageView, HistoryQuery } from './schemas.js';

export default (async (app, { services: { history } }) => {
  app.get(
    '/:id/history',
    {
      config: { access: { permission: 'cards.view' } },
      schema: {
        operationId: 'listCardHistory',
        summary: 'The history of a card, the newest change first',
        tags: ['cards'],
        params: IdParams,
        querystring: HistoryQuery,
        response: { 200: HistoryPageView },
      },
    },
    async (request, reply) =>
      sendPage(request, reply, await history.list(request.ctx, request.params.id, request.query)),
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { history: HistoryService } }>;
