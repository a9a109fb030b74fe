import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { RightsExplainer } from './rights-explainer.js';
import { IdParams } from '../../../foundation/http/schemas.js';
import { CardPermissionsView } from '../query-schemas.js';

export default (async (app, { services: { rights } }) => {
  app.get(
    '/:id/permissions',
    {
      config: { access: { permission: 'cards.view' } },
      schema: {
        operationId: 'getCardPermissions',
        summary: 'The caller’s permissions on a card, with explanations',
        tags: ['cards'],
        params: IdParams,
        response: { 200: CardPermissionsView },
      },
    },
    async (request) => ({ can: await rights.onCard(request.ctx, request.params.id) }),
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { rights: RightsExplainer } }>;
