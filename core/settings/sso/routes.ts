import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { sendResource } from '../../foundation/http/respond.js';
import { ConnectionTestView } from '../section-schemas.js';
import { SsoPatch, SsoTestBody, SsoView } from './schemas.js';
import type { SsoSettings } from './service.js';

const tags = ['settings'];
const access = { permission: 'settings.manage' };

export default (async (app, { services: { ssoSettings } }) => {
  app.get(
    '',
    {
      config: { access },
      schema: {
        operationId: 'getSsoSettings',
        summary: 'Settings of single sign-on',
        tags,
        response: { 200: SsoView },
      },
    },
    async (request, reply) => {
      const body = await ssoSettings.read();
      return sendResource(request, reply, { version: body.version, derived: body.callback_url, body });
    },
  );

  app.post(
    '/test',
    {
      config: { access },
      schema: {
        operationId: 'testSsoSettings',
        summary: 'Test a provider of single sign-on',
        tags,
        description:
          'Reads the metadata and keys of the provider. If they cannot be used, the result is `ok: false` with the reason, not an error.',
        body: SsoTestBody,
        response: { 200: ConnectionTestView },
      },
    },
    async (request) => await ssoSettings.test(request.body.provider),
  );

  app.patch(
    '',
    {
      config: { access, sessionOnly: true, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateSsoSettings',
        summary: 'Change the settings of single sign-on',
        tags,
        body: SsoPatch,
        response: { 200: SsoView },
        description:
          'Secrets are stored encrypted and never shown. If the issuer of a provider changes, its secret must be sent again. The caller must have every permission of the roles that sign-ins give, and of the accounts at the providers.',
      },
    },
    async (request, reply) => {
      await ssoSettings.update(request.ctx, request.body);
      const body = await ssoSettings.read();
      return sendResource(request, reply, { version: body.version, derived: body.callback_url, body });
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { ssoSettings: SsoSettings } }>;
