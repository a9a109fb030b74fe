import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { ClientInfo } from '../../foundation/http/client-address.js';
import { TokenAnswer } from '../auth/index.js';
import type { EmailChangeService } from './email-change-service.js';
import type { InvitationService } from './invitation-service.js';
import type { PasswordResetService } from './reset-service.js';
import {
  AcceptBody,
  ConfirmedView,
  EmailChangeBody,
  EmailChangeView,
  ForgotBody,
  LinkBody,
  NoContent,
  ResetBody,
} from './schemas.js';

const tags = ['auth'];
const access = 'public' as const;
const own = { access: 'authenticated' as const, sessionOnly: true };

const clientOf = (request: FastifyRequest): ClientInfo => ({
  address: request.ip,
  agent: request.headers['user-agent']?.slice(0, 500) ?? null,
});

interface Journeys {
  invitations: InvitationService;
  passwordResets: PasswordResetService;
  emailChanges: EmailChangeService;
}

/** What users do by links of mails. */
export default (async (app, { services: { invitations, passwordResets, emailChanges } }) => {
  app.post(
    '/accept-invitation',
    {
      config: { access, rateLimit: { setting: 'accept_invitation' } },
      schema: {
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation',
        description: 'Creates the account and logs it in.',
        tags,
        body: AcceptBody,
        response: { 200: TokenAnswer },
      },
    },
    async (request, reply) => {
      const answer = await invitations.accept(request.ctx, request.body, clientOf(request));
      return reply.header('cache-control', 'no-store').send(answer);
    },
  );

  app.post(
    '/forgot-password',
    {
      config: { access, rateLimit: { setting: 'forgot_password' } },
      schema: {
        operationId: 'forgotPassword',
        summary: 'Request a new password',
        description:
          'Mails a link that is valid for an hour and works once, if an active account of a person with a local password has the address; at most three in an hour for each account. The response is the same in every case, after the same time.',
        tags,
        body: ForgotBody,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await passwordResets.request(request.ctx, request.body.email);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/reset-password',
    {
      config: { access, rateLimit: { setting: 'reset_password' } },
      schema: {
        operationId: 'resetPassword',
        summary: 'Set a new password by a link',
        description: 'Ends all sessions of the account and clears its failed log-ins.',
        tags,
        body: ResetBody,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await passwordResets.reset(request.ctx, request.body, request.ip);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/email-change',
    {
      config: own,
      schema: {
        operationId: 'getEmailChange',
        summary: 'The change of the caller’s e-mail address that is to be confirmed',
        tags,
        response: { 200: EmailChangeView },
      },
    },
    async (request) => emailChanges.get(request.ctx),
  );

  app.post(
    '/email-change',
    {
      config: { ...own, rateLimit: { setting: 'email_change', by: 'user' } },
      schema: {
        operationId: 'requestEmailChange',
        summary: 'Change the caller’s own e-mail address',
        description:
          'Mails a link to the current and to the new address, valid for a day. The address is changed when both were used; both mails also have a link that withdraws the change. At most three requests in an hour.',
        tags,
        body: EmailChangeBody,
        response: { 202: EmailChangeView },
      },
    },
    async (request, reply) => {
      const change = await emailChanges.request(request.ctx, request.body, request.ip);
      return reply.code(202).send(change);
    },
  );

  app.delete(
    '/email-change',
    {
      config: own,
      schema: {
        operationId: 'withdrawEmailChange',
        summary: 'Withdraw the change of the caller’s e-mail address',
        tags,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await emailChanges.withdraw(request.ctx);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/email-change/confirm',
    {
      config: { access, rateLimit: { setting: 'email_change_links' } },
      schema: {
        operationId: 'confirmEmailChange',
        summary: 'Confirm a change of an e-mail address by a link',
        tags,
        body: LinkBody,
        response: { 200: ConfirmedView },
      },
    },
    async (request) => ({ applied: await emailChanges.confirm(request.ctx, request.body.token) }),
  );

  app.post(
    '/email-change/withdraw',
    {
      config: { access, rateLimit: { setting: 'email_change_links' } },
      schema: {
        operationId: 'withdrawEmailChangeByLink',
        summary: 'Withdraw a change of an e-mail address by a link',
        tags,
        body: LinkBody,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await emailChanges.withdrawByLink(request.ctx, request.body.token);
      return reply.code(204).send(null);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: Journeys }>;
