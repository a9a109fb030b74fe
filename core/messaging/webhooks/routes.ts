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
  /** The parts of the ETag: state and owner change without the version. */
  const tagOf = ({ version, status, owner }: WebhookView) => ({ version, derived: [status, owner] });

  async function send(request: FastifyRequest, reply: FastifyReply, id: string) {
    const webhook = await webhooks.get(request.ctx, id);
    return sendResource(request, reply, { ...tagOf(webhook), body: webhook });
  }

  /** @param secret included in this response only */
  async function sendSecret(request: FastifyRequest, reply: FastifyReply, id: string, status: number, secret: string) {
    const webhook = await webhooks.get(request.ctx, id);
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
    async (request, reply) => sendPage(request, reply, await webhooks.list(request.ctx, request.query)),
  );

  app.post(
    '',
    {
      config: { access, sessionOnly: true },
      schema: {
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        tags,
        body: WebhookCreate,
        response: { 201: WebhookWithSecret },
        description:
          'Events from now on are sent, restricted to what the caller may see, as CloudEvents signed according to Standard Webhooks. Only this response contains the secret; the request does not accept an Idempotency-Key.',
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
        summary: 'A webhook with its state',
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
      config: { access, sessionOnly: true, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateWebhook',
        summary: 'Change a webhook',
        tags,
        params,
        body: WebhookPatch,
        response: { 200: WebhookView },
        description:
          'A user who changes `url`, `types` or `conditions` becomes the owner, and so does a user who enables the webhook if its owner may not manage webhooks any more. When it is enabled, pending deliveries are sent.',
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
      config: { access, sessionOnly: true, conditional: true },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Replace the secret of a webhook',
        tags,
        params,
        response: { 200: WebhookWithSecret },
        description:
          'For 24 hours messages are also signed with the previous secret. Only this response contains the secret; the request does not accept an Idempotency-Key.',
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
        summary: 'Send a test event',
        tags,
        params,
        response: { 200: ConnectionTestView },
        description:
          'Sends an event of type `webhook.test` once, even if the webhook is disabled. If it cannot be delivered, the result is `ok: false` with the reason, not an error.',
      },
    },
    async (request) => await webhooks.test(request.params.id),
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { webhooks: WebhookService } }>;
