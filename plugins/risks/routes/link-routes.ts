import { IdParams, NoContent, type ModuleRoutes } from '@lintel/sdk';
import { VIEW, WRITERS } from '../permissions.js';
import {
  CardLinkInput,
  CardLinkPage,
  CardLinkParams,
  CardLinkQuery,
  CardLinkView,
  CardRoleInput,
} from '../register/schemas.js';
import type { LinkService } from '../register/link-service.js';
import type { Settings } from '../settings.js';

const tags = ['risks'];
const params = CardLinkParams;

/** The cards of a risk; below `/risks/{id}/cards`. A link is part of the risk and has its version. */
export const linkRoutes: ModuleRoutes<LinkService, Settings> = async (app, { services: links, host: { http } }) => {
  app.get(
    '/:id/cards',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'listRiskCards',
        summary: 'Cards a risk concerns',
        tags,
        params: IdParams,
        querystring: CardLinkQuery,
        response: { 200: CardLinkPage },
      },
    },
    async (request, reply) =>
      http.sendPage(request, reply, await links.list(request.ctx, request.params.id, request.query)),
  );

  app.post(
    '/:id/cards',
    {
      config: { access: WRITERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'addRiskCard',
        summary: 'Link a card with a risk',
        tags,
        params: IdParams,
        body: CardLinkInput,
        response: { 201: CardLinkView },
      },
    },
    async (request, reply) => {
      const {
        params: { id },
        body,
      } = request;
      const link = await links.put(request.ctx, id, body, true);
      reply.header('location', `/api/v1/risks/${id}/cards/${body.card_id.toLowerCase()}`);
      return http.sendResource(request, reply, { status: 201, ...link });
    },
  );

  app.get(
    '/:id/cards/:card_id',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'getRiskCard',
        summary: 'The role of a card for a risk',
        tags,
        params,
        response: { 200: CardLinkView },
      },
    },
    async (request, reply) =>
      http.sendResource(request, reply, await links.resource(request.ctx, request.params.id, request.params.card_id)),
  );

  app.put(
    '/:id/cards/:card_id',
    {
      config: { access: WRITERS, conditional: true },
      schema: {
        operationId: 'setRiskCard',
        summary: 'Set the role of a card for a risk, creating the link if needed',
        tags,
        params,
        body: CardRoleInput,
        response: { 200: CardLinkView },
      },
    },
    async (request, reply) => {
      const { id, card_id } = request.params;
      const link = await links.put(request.ctx, id, { card_id, role: request.body.role }, false);
      return http.sendResource(request, reply, link);
    },
  );

  app.delete(
    '/:id/cards/:card_id',
    {
      config: { access: WRITERS, conditional: true },
      schema: {
        operationId: 'removeRiskCard',
        summary: 'Remove the link between a card and a risk',
        tags,
        params,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await links.remove(request.ctx, request.params.id, request.params.card_id);
      return http.sendNothing(reply);
    },
  );
};
