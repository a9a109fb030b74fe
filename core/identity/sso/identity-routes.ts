import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { sendPage } from '../../foundation/http/respond.js';
import type { IdentityService } from './identity-service.js';
import {
  IdentityCreate,
  IdentityPage,
  IdentityQuery,
  IdentityView,
  UserIdentityParams,
  UserParams,
} from './schemas.js';

const tags = ['users'];
const config = { access: { permission: 'users.manage' }, sessionOnly: true };

/** Identities of users at providers of single sign-on, for administrators. */
export default (async (app, { services: { identities } }) => {
  app.get(
    '/:user_id/identities',
    {
      config,
      schema: {
        operationId: 'listUserIdentities',
        summary: 'Identities of a user for single sign-on',
        tags,
        params: UserParams,
        querystring: IdentityQuery,
        response: { 200: IdentityPage },
      },
    },
    async (request, reply) => sendPage(request, reply, await identities.list(request.params.user_id, request.query)),
  );

  app.post(
    '/:user_id/identities',
    {
      config,
      schema: {
        operationId: 'linkUserIdentity',
        summary: 'Link an identity to a user',
        description:
          'The identity, by issuer and `sub`, signs in as the user from now on. The password of the user is removed, and the sessions end. The caller must have every permission of the user, and of the roles that sign-ins at the provider give by groups.',
        tags,
        params: UserParams,
        body: IdentityCreate,
        response: { 201: IdentityView },
      },
    },
    async (request, reply) => {
      const { user_id } = request.params;
      const made = await identities.link(request.ctx, user_id, request.body);
      return reply.code(201).send(made);
    },
  );

  app.delete(
    '/:user_id/identities/:id',
    {
      config,
      schema: {
        operationId: 'unlinkUserIdentity',
        summary: 'Unlink an identity from a user',
        description:
          'Ends the sessions of the user. Without another identity, the API tokens end too, and the account is a local one, which has no password until an administrator sets one, or the user by a mailed link.',
        tags,
        params: UserIdentityParams,
        response: { 204: Type.Null({ description: 'Unlinked.' }) },
      },
    },
    async (request, reply) => {
      await identities.unlink(request.ctx, request.params.user_id, request.params.id);
      return reply.code(204).send(null);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { identities: IdentityService } }>;
