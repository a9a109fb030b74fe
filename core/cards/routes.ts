import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../container.js';
import { IdParams, NoContent, Page } from '../http/schemas.js';
import { sendNothing, sendPage, sendResource, type Sent } from '../http/respond.js';
import { BulkBody, BulkQuery, BulkView, CardCreate, CardPatch, CardView, StakeholderCreate, StakeholderParams, StakeholderQuery, StakeholderView } from './schemas.js';
import type { CardOperation } from './types.js';
import type { CardJson } from './view.js';

/** Ten thousand operations with descriptions and attributes. */
const BULK_LIMIT = 32 * 1024 * 1024;

export default (async (app, { services: { cards, stakeholders } }) => {
  const tags = ['cards'];

  function sendCard(request: FastifyRequest, reply: FastifyReply, { json, version, derived }: CardJson, status = 200): Sent {
    return sendResource(request, reply, { status, version, body: json, derived });
  }

  app.post('', {
    config: { access: { permission: 'cards.create' }, idempotent: true },
    schema: { operationId: 'createCard', summary: 'Make a card', tags, body: CardCreate, response: { 201: CardView } },
  }, async (request, reply) => {
    const { id, view } = await cards.create(request.ctx, request.body);
    return sendCard(request, reply.header('location', `/api/v1/cards/${id}`), view!, 201);
  });

  app.post('/bulk', {
    config: { access: { permission: 'cards.bulk' }, idempotent: true },
    bodyLimit: BULK_LIMIT,
    schema: { operationId: 'bulkCards', summary: 'Up to 10,000 operations in one transaction', tags, querystring: BulkQuery, body: BulkBody, response: { 200: BulkView } },
  }, async (request) => cards.bulk(request.ctx, request.body.mode as 'per_row' | undefined ?? 'all_or_nothing', request.body.operations as CardOperation[]));

  app.patch('/:id', {
    config: { access: { permission: 'cards.edit', card: 'id', cardPermission: 'card.edit' }, idempotent: true, conditional: true },
    schema: { operationId: 'updateCard', summary: 'Change a card by merge patch', tags, params: IdParams, body: CardPatch, response: { 200: CardView } },
  }, async (request, reply) => {
    const { view } = await cards.update(request.ctx, request.params.id, request.body);
    return sendCard(request, reply, view!);
  });

  app.delete('/:id', {
    config: { access: { permission: 'cards.delete' }, conditional: true },
    schema: { operationId: 'deleteCard', summary: 'Delete a card and its relations', tags, params: IdParams, response: NoContent },
  }, async (request, reply) => {
    await cards.act(request.ctx, 'delete', request.params.id);
    return sendNothing(reply);
  });

  for (const [op, done] of [['archive', 'Archive'], ['restore', 'Restore']] as const) {
    app.post(`/:id/${op}`, {
      config: { access: { permission: 'cards.archive', card: 'id', cardPermission: 'card.archive' }, idempotent: true, conditional: true },
      schema: { operationId: `${op}Card`, summary: `${done} a card without children`, tags, params: IdParams, response: { 200: CardView } },
    }, async (request, reply) => {
      const { view } = await cards.act(request.ctx, op, request.params.id);
      return sendCard(request, reply, view!);
    });
  }

  app.get('/:id/stakeholders', {
    config: { access: { permission: 'stakeholders.view' } },
    schema: { operationId: 'listCardStakeholders', summary: 'Who holds which role on a card', tags, params: IdParams, querystring: StakeholderQuery, response: { 200: Page(StakeholderView) } },
  }, async (request, reply) => sendPage(request, reply, await stakeholders.list(request.params.id, request.query)));

  app.post('/:id/stakeholders', {
    config: { access: { permission: 'stakeholders.manage', card: 'id', cardPermission: 'card.manage_stakeholders' }, idempotent: true },
    schema: { operationId: 'addCardStakeholder', summary: 'Give a user a role on a card', tags, params: IdParams, body: StakeholderCreate, response: { 201: StakeholderView } },
  }, async (request, reply) => {
    const { id } = await stakeholders.add(request.ctx, request.params.id, request.body);
    return reply.code(201).send(await stakeholders.get(request.params.id, id));
  });

  app.delete('/:id/stakeholders/:sid', {
    config: { access: { permission: 'stakeholders.manage', card: 'id', cardPermission: 'card.manage_stakeholders' } },
    schema: { operationId: 'removeCardStakeholder', summary: 'Take a role on a card away', tags, params: StakeholderParams, response: NoContent },
  }, async (request, reply) => {
    await stakeholders.remove(request.ctx, request.params.id, request.params.sid);
    return sendNothing(reply);
  });
}) satisfies FastifyPluginAsyncTypebox<{ services: Services }>;
