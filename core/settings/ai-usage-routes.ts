import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { AiSettings } from './ai-service.js';
import { IdParams } from '../foundation/http/schemas.js';
import { sendPage } from '../foundation/http/respond.js';
import { AiCallDetail, AiCallPage, AiCallQuery, AiUsageView } from './ai-usage-schemas.js';

const tags = ['settings'];

export default (async (app, { services: { ai } }) => {
  app.get(
    '/usage',
    {
      config: { access: { permission: 'settings.manage' } },
      schema: {
        operationId: 'getAiUsage',
        summary: 'Usage of the language model in this month',
        tags,
        response: { 200: AiUsageView },
      },
    },
    async () => await ai.usage(),
  );

  app.get(
    '/calls',
    {
      config: { access: { permission: 'events.audit' } },
      schema: {
        operationId: 'listAiCalls',
        summary: 'Requests to the language model, latest first',
        tags,
        querystring: AiCallQuery,
        response: { 200: AiCallPage },
      },
    },
    async (request, reply) => sendPage(request, reply, await ai.calls(request.ctx, request.query)),
  );

  app.get(
    '/calls/:id',
    {
      config: { access: { permission: 'events.audit' } },
      schema: {
        operationId: 'getAiCall',
        summary: 'A request to the language model, with prompt and answer',
        description:
          'Modules remove costs and persons before a prompt is sent. Prompt and answer are shown only to callers who see all cards, since they have texts of cards, and so is `detail`, since a provider may repeat the prompt in it.',
        tags,
        params: IdParams,
        response: { 200: AiCallDetail },
      },
    },
    async (request, reply) =>
      reply.header('cache-control', 'no-store').send(await ai.call(request.ctx, request.params.id)),
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { ai: AiSettings } }>;
