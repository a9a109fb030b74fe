import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { IdParams } from '../../foundation/http/schemas.js';
import { sendPage } from '../../foundation/http/respond.js';
import { NewToken, TokenCreate, TokenPage, TokenQuery, TokenView } from './schemas.js';
import type { ApiTokenService } from './service.js';

const tags = ['auth'];
const config = { access: 'authenticated' as const, sessionOnly: true };

/** The caller's own API tokens. */
export default (async (app, { services: { apiTokens } }) => {
  app.get(
    '',
    {
      config,
      schema: {
        operationId: 'listTokens',
        summary: 'Active API tokens of the caller',
        tags,
        querystring: TokenQuery,
        response: { 200: TokenPage },
      },
    },
    async (request, reply) => sendPage(request, reply, await apiTokens.list(request.ctx.actor!.id, request.query)),
  );

  app.post(
    '',
    {
      config,
      schema: {
        operationId: 'createToken',
        summary: 'Make an API token',
        description:
          'A token for programs, which acts as the caller with the given permissions as far as the caller has them, until it expires or is revoked. It cannot manage accounts, passwords, sessions, tokens and webhooks.',
        tags,
        body: TokenCreate,
        response: { 201: NewToken },
      },
    },
    async (request, reply) => {
      const made = await apiTokens.create(request.ctx, request.body);
      return reply
        .code(201)
        .headers({ 'cache-control': 'no-store', location: `/api/v1/auth/tokens/${made.id}` })
        .send(made);
    },
  );

  app.get(
    '/:id',
    {
      config,
      schema: {
        operationId: 'getToken',
        summary: 'An active API token of the caller',
        tags,
        params: IdParams,
        response: { 200: TokenView },
      },
    },
    async (request) => apiTokens.get(request.ctx, request.params.id),
  );

  app.delete(
    '/:id',
    {
      config,
      schema: {
        operationId: 'revokeToken',
        summary: 'Revoke an API token of the caller',
        description: 'Effective on every node within a second, also for open event streams.',
        tags,
        params: IdParams,
        response: { 204: Type.Null({ description: 'Revoked.' }) },
      },
    },
    async (request, reply) => {
      await apiTokens.revoke(request.ctx, request.params.id);
      return reply.code(204).send(null);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { apiTokens: ApiTokenService } }>;
