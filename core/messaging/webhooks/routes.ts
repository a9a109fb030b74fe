import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WebhookService } from './service.js';
import { IdParams, NoContent } from '../../foundation/http/schemas.js';
import { sendNothing, sendPage, sendResource } from '../../foundation/http/respond.js';
import { ConnectionTestView } from '../../settings/index.js';
import { WebhookCreate, WebhookPage, WebhookPatch, WebhookQuery, WebhookView, WebhookWithSecret } from './schemas.js';

const tags = ['webhooks'];
const access = { permission: 'webhooks.manage' };
const params = IdParams;

export default (async (app, { services: { webhooks } }) => {
  /** @param secret included in this response only */
  const tagOf = ({ version, status, owner }: WebhookView) => ({ version, derived: [status, owner] });

  async function send(request: FastifyRequest, reply: FastifyReply, id: string) {
    const webhook = await webhooks.get(id);
    return sendResource(request, reply, { ...tagOf(webhook), body: webhook });
  }

  /** Answers with the secret, which no other answer shows. */
  async function sendSecret(request: FastifyRequest, reply: FastifyReply, id: string, status: number, secret: string) {
    const webhook = await webhooks.get(id);
    return sendResource(request, reply, { status, ...tagOf(webhook), body: { ...webhook, secret } });
  }

  app.get(
    '',
    {
      config: { access },
      schema: {
        operationId: 'listWebhooks',
        summary: 'Webhooks',
        tags,
        querystring: WebhookQuery,
        response: { 200: WebhookPage },
      },
    },
    async (request, reply) => sendPage(request, reply, await webhooks.list(request.query)),
  );

  app.post(
    '',
    {
      config: { access },
      schema: {
        operationId: 'createWebhook',
        summary: 'Have events sent to an address',
        tags,
        body: WebhookCreate,
        response: { 201: WebhookWithSecret },
        description:
          'What happens from now on is sent as far as the caller may see it, as CloudEvents signed by Standard Webhooks. The secret is in this answer alone; the request takes no Idempotency-Key.',
      },
    },
    async (request, reply) => {
      const { id, secret } = await webhooks.create(request.ctx, request.body);
      return sendSecret(request, reply.header('location', `/api/v1/webhooks/${id}`), id, 201, secret);
    },
  );

  app.get(
    '/:id',
    {
      config: { access },
      schema: {
        operationId: 'getWebhook',
        summary: 'A webhook and how it fares',
        tags,
        params,
        response: { 200: WebhookView },
      },
    },
    async (request, reply) => send(request, reply, request.params.id),
  );

  app.patch(
    '/:id',
    {
      config: { access, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateWebhook',
        summary: 'Change a webhook',
        tags,
        params,
        body: WebhookPatch,
        response: { 200: WebhookView },
        description:
          'Who changes `url`, `types` or `conditions` becomes the owner, and so does who switches it on where the owner may not manage webhooks any more. Switched on, it goes on with what was pending.',
      },
    },
    async (request, reply) => {
      await webhooks.update(request.ctx, request.params.id, request.body);
      return send(request, reply, request.params.id);
    },
  );

  app.delete(
    '/:id',
    {
      config: { access, conditional: true },
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook with its deliveries',
        tags,
        params,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await webhooks.remove(request.ctx, request.params.id);
      return sendNothing(reply);
    },
  );

  app.post(
    '/:id/rotate-secret',
    {
      config: { access, conditional: true },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Give a webhook another secret',
        tags,
        params,
        response: { 200: WebhookWithSecret },
        description:
          'For 24 hours the former one signs too. The secret is in this answer alone; the request takes no Idempotency-Key.',
      },
    },
    async (request, reply) =>
      sendSecret(request, reply, request.params.id, 200, await webhooks.rotate(request.ctx, request.params.id)),
  );

  app.post(
    '/:id/test',
    {
      config: { access },
      schema: {
        operationId: 'testWebhook',
        summary: 'Send an event that never happened',
        tags,
        params,
        response: { 200: ConnectionTestView },
        description:
          'Of type `webhook.test`, now, once, also where the webhook is switched off. That it does not arrive is `ok: false`, with the reason, and no error.',
      },
    },
    async (request) => await webhooks.test(request.params.id),
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { webhooks: WebhookService } }>;
