import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { WebhookDeliveries } from './delivery-service.js';
import { IdParams } from '../../foundation/http/schemas.js';
import { sendPage } from '../../foundation/http/respond.js';
import { DeliveryPage, DeliveryParams, DeliveryQuery, DeliveryView } from './delivery-schemas.js';

const tags = ['webhooks'];
const access = { permission: 'webhooks.manage' };
const params = DeliveryParams;

/** Routes below `/webhooks`. */
export default (async (app, { services: { webhookDeliveries } }) => {
  app.get(
    '/:id/deliveries',
    {
      config: { access },
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'Deliveries of a webhook, the latest first',
        tags,
        params: IdParams,
        querystring: DeliveryQuery,
        response: { 200: DeliveryPage },
        description: 'Completed deliveries are kept for 30 days.',
      },
    },
    async (request, reply) =>
      sendPage(request, reply, await webhookDeliveries.list(request.identity!, request.params.id, request.query)),
  );

  app.get(
    '/:id/deliveries/:did',
    {
      config: { access },
      schema: {
        operationId: 'getWebhookDelivery',
        summary: 'A delivery with its attempts',
        tags,
        params,
        response: { 200: DeliveryView },
      },
    },
    async (request) => await webhookDeliveries.get(request.identity!, request.params.id, request.params.did),
  );

  app.post(
    '/:id/deliveries/:did/redeliver',
    {
      config: { access, idempotent: true },
      schema: {
        operationId: 'redeliverWebhookDelivery',
        summary: 'Send an event again',
        tags,
        params,
        response: { 202: DeliveryView },
        description:
          'Creates a separate delivery with the same `webhook-id` and the owner’s current permissions; other deliveries of the subject do not wait for it.',
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const again = await webhookDeliveries.redeliver(request.ctx, request.identity!, id, request.params.did);
      return reply
        .code(202)
        .header('location', `/api/v1/webhooks/${id}/deliveries/${again}`)
        .send(await webhookDeliveries.get(request.identity!, id, again));
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { webhookDeliveries: WebhookDeliveries } }>;
