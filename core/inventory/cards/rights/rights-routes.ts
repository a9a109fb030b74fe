import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { pageOf } from '../../../foundation/http/memory-page.js';
import { sendPage } from '../../../foundation/http/respond.js';
import type { RightsExplainer } from './rights-explainer.js';
import { ExplainQuery, Explanation, RightsPage, RightsParams, RightsQuery } from './rights-schemas.js';

/** Explanations of the permissions of users, for administrators. */
export default (async (app, { services: { rights } }) => {
  app.get(
    '/roles/explain',
    {
      config: { access: { permission: 'roles.manage' } },
      schema: {
        operationId: 'explainPermission',
        summary: 'Why a user has a permission, or not',
        description: 'By the role of the user, its rules per card type and, for a card, stakeholder roles.',
        tags: ['roles'],
        querystring: ExplainQuery,
        response: { 200: Explanation },
      },
    },
    async (request) => rights.explain(request.ctx, request.query),
  );

  app.get(
    '/users/:user_id/permissions',
    {
      config: { access: { permission: 'users.manage' } },
      schema: {
        operationId: 'listUserPermissions',
        summary: 'All permissions that a user has',
        description:
          'By role and by stakeholder roles; none for a deactivated account. What is hidden from the caller is left out.',
        tags: ['users'],
        params: RightsParams,
        querystring: RightsQuery,
        response: { 200: RightsPage },
      },
    },
    async (request, reply) => {
      const { user_id } = request.params;
      const all = await rights.effective(request.ctx, user_id);
      return sendPage(request, reply, pageOf(all, 'id', 'permission', request.query, `permissions of ${user_id}`));
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { rights: RightsExplainer } }>;
