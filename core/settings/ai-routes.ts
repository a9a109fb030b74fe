import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { AiSettings } from './ai-service.js';
import { sendResource } from '../foundation/http/respond.js';
import { AiPatch, AiView } from './ai-schemas.js';
import { ConnectionTestView } from './section-schemas.js';

const tags = ['settings'];
const access = { permission: 'settings.manage' };

export default (async (app, { services: { ai } }) => {
  app.get(
    '',
    {
      config: { access },
      schema: {
        operationId: 'getAiSettings',
        summary: 'Settings of the language model',
        tags,
        response: { 200: AiView },
      },
    },
    async (request, reply) => {
      const body = await ai.read();
      return sendResource(request, reply, { version: body.version, body });
    },
  );

  app.post(
    '/test',
    {
      config: { access },
      schema: {
        operationId: 'testAiSettings',
        summary: 'Test the connection to the language model',
        tags,
        description:
          'If the model does not respond, the result is `ok: false` with the reason, not an error. The provider may charge for the call: it counts to `monthly_spend_cap`, is not sent if it could exceed it, and is among `GET /settings/ai/calls`.',
        response: { 200: ConnectionTestView },
      },
    },
    async (request) => await ai.test(request.ctx),
  );

  app.patch(
    '',
    {
      config: { access, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateAiSettings',
        summary: 'Change the settings of the language model',
        tags,
        body: AiPatch,
        response: { 200: AiView },
        description: 'The key is stored encrypted and never shown. If the destination changes, it must be sent again.',
      },
    },
    async (request, reply) => {
      await ai.update(request.ctx, request.body);
      const body = await ai.read();
      return sendResource(request, reply, { version: body.version, body });
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { ai: AiSettings } }>;
