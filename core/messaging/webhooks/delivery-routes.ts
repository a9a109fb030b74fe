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
        description: 'Those that are through are kept for 30 days.',
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
        summary: 'Send an event once more',
        tags,
        params,
        response: { 202: DeliveryView },
        description:
          'As a delivery of its own, with the same `webhook-id`, by the rights of the owner as they are now; whatever else is to be sent of the subject does not wait for it.',
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
