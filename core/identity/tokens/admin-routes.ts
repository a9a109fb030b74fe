import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { sendPage } from '../../foundation/http/respond.js';
import { NewToken, TokenCreate, TokenPage, TokenQuery, UserParams, UserTokenParams } from './schemas.js';
import type { ApiTokenService } from './service.js';

const tags = ['users'];
const config = { access: { permission: 'users.manage' }, sessionOnly: true };

/** API tokens of other users, for administrators. */
export default (async (app, { services: { apiTokens } }) => {
  app.get(
    '/:user_id/tokens',
    {
      config,
      schema: {
        operationId: 'listUserTokens',
        summary: 'Active API tokens of a user',
        tags,
        params: UserParams,
        querystring: TokenQuery,
        response: { 200: TokenPage },
      },
    },
    async (request, reply) => sendPage(request, reply, await apiTokens.listOf(request.params.user_id, request.query)),
  );

  app.post(
    '/:user_id/tokens',
    {
      config,
      schema: {
        operationId: 'createUserToken',
        summary: 'Make an API token of a service account',
        description:
          'The caller must have every permission that the token gets. Tokens of persons are made by these persons.',
        tags,
        params: UserParams,
        body: TokenCreate,
        response: { 201: NewToken },
      },
    },
    async (request, reply) => {
      const made = await apiTokens.createFor(request.ctx, request.params.user_id, request.body);
      return reply.code(201).headers({ 'cache-control': 'no-store' }).send(made);
    },
  );

  app.delete(
    '/:user_id/tokens/:id',
    {
      config,
      schema: {
        operationId: 'revokeUserToken',
        summary: 'Revoke an API token of a user',
        description: 'Effective on every node within a second, also for open event streams.',
        tags,
        params: UserTokenParams,
        response: { 204: Type.Null({ description: 'Revoked.' }) },
      },
    },
    async (request, reply) => {
      await apiTokens.revokeOf(request.ctx, request.params.user_id, request.params.id);
      return reply.code(204).send(null);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { apiTokens: ApiTokenService } }>;
