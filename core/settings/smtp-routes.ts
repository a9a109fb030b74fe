import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { SmtpSettings } from './smtp-service.js';
import { sendResource } from '../foundation/http/respond.js';
import { ConnectionTestView } from './section-schemas.js';
import { SmtpPatch, SmtpView } from './smtp-schemas.js';

const tags = ['settings'];
const access = { permission: 'settings.manage' };

export default (async (app, { services: { smtp } }) => {
  app.get(
    '',
    {
      config: { access },
      schema: { operationId: 'getSmtpSettings', summary: 'Mail settings', tags, response: { 200: SmtpView } },
    },
    async (request, reply) => {
      const body = await smtp.read();
      return sendResource(request, reply, { version: body.version, body });
    },
  );

  app.post(
    '/test',
    {
      config: { access },
      schema: {
        operationId: 'testSmtpSettings',
        summary: 'Send a mail to the caller',
        tags,
        description: 'If the mail cannot be sent, the result is `ok: false` with the reason, not an error.',
        response: { 200: ConnectionTestView },
      },
    },
    async (request) => await smtp.test(request.ctx),
  );

  app.patch(
    '',
    {
      config: { access, sessionOnly: true, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateSmtpSettings',
        summary: 'Change mail settings',
        tags,
        body: SmtpPatch,
        response: { 200: SmtpView },
        description:
          'The password is stored encrypted and never shown. With another host, or with encryption switched off, it must be sent again.',
      },
    },
    async (request, reply) => {
      await smtp.update(request.ctx, request.body);
      const body = await smtp.read();
      return sendResource(request, reply, { version: body.version, body });
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { smtp: SmtpSettings } }>;
