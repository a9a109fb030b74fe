import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { IdParams } from '../../foundation/http/schemas.js';
import { sendPage } from '../../foundation/http/respond.js';
import type { InvitationService } from './invitation-service.js';
import { EmptyBody, InvitationCreate, InvitationPage, InvitationQuery, InvitationView, NoContent } from './schemas.js';

const tags = ['users'];
const access = { permission: 'users.manage' };
const params = IdParams;

/** Invitations, for users who manage users. */
export default (async (app, { services: { invitations } }) => {
  app.get(
    '',
    {
      config: { access },
      schema: {
        operationId: 'listInvitations',
        summary: 'Invitations',
        description: 'Those that have ended are kept for 90 days.',
        tags,
        querystring: InvitationQuery,
        response: { 200: InvitationPage },
      },
    },
    async (request, reply) => sendPage(request, reply, await invitations.list(request.query)),
  );

  app.post(
    '',
    {
      config: { access, sessionOnly: true, idempotent: true },
      schema: {
        operationId: 'createInvitation',
        summary: 'Invite a person',
        description:
          'Mails a link that is valid for seven days and works once. The role must not have permissions that the caller does not have; this is checked again when the invitation is accepted.',
        tags,
        body: InvitationCreate,
        response: { 201: InvitationView },
      },
    },
    async (request, reply) => {
      const id = await invitations.create(request.ctx, request.body);
      return reply.code(201).send(await invitations.get(id));
    },
  );

  app.post(
    '/:id/resend',
    {
      config: { access, sessionOnly: true, idempotent: true },
      schema: {
        operationId: 'resendInvitation',
        summary: 'Send an invitation again',
        description:
          'With a new link, valid for seven days. Earlier links end, and the caller becomes the user who invites.',
        tags,
        params,
        body: EmptyBody,
        response: { 200: InvitationView },
      },
    },
    async (request) => {
      await invitations.resend(request.ctx, request.params.id);
      return await invitations.get(request.params.id);
    },
  );

  app.delete(
    '/:id',
    {
      config: { access, sessionOnly: true },
      schema: {
        operationId: 'withdrawInvitation',
        summary: 'Withdraw an invitation',
        tags,
        params,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await invitations.withdraw(request.ctx, request.params.id);
      return reply.code(204).send(null);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { invitations: InvitationService } }>;
