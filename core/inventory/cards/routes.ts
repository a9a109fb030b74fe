import { answerBulk, type BulkCall } from '@lintel/sdk';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CardService } from './service.js';
import type { StakeholderService } from './stakeholders/stakeholders.js';
import type { RowResult } from './write/batch-rows.js';
import { IdParams, JSON_PATCH, NoContent, Page } from '../../foundation/http/schemas.js';
import { sendNothing, sendPage, sendResourceText, type SentText } from '../../foundation/http/respond.js';
import {
  ApprovalBody,
  ArchiveBody,
  ArchiveImpactView,
  BulkBody,
  BulkQuery,
  DeleteQuery,
  JsonPatch,
  NothingMore,
  BulkView,
  CardCreate,
  CardPatch,
  CardView,
  StakeholderCreate,
  StakeholderParams,
  StakeholderQuery,
  StakeholderView,
} from './schemas.js';
import { writeAccess } from './rights/authority.js';
import type { CardInput, CardOperation } from './types.js';
import type { CardJson } from './list/view.js';

export default (async (app, { services: { cards, stakeholders } }) => {
  const tags = ['cards'];

  function sendCard(
    request: FastifyRequest,
    reply: FastifyReply,
    { json, version, derived }: CardJson,
    status = 200,
  ): SentText {
    return sendResourceText(request, reply, { status, version, body: json, derived });
  }

  app.post(
    '',
    {
      config: { access: writeAccess('create'), idempotent: true },
      schema: {
        operationId: 'createCard',
        summary: 'Create a card',
        tags,
        body: CardCreate,
        response: { 201: CardView },
      },
    },
    async (request, reply) => {
      const { id, view } = await cards.create(request.ctx, request.body);
      return sendCard(request, reply.header('location', `/api/v1/cards/${id}`), view!, 201);
    },
  );

  app.post(
    '/bulk',
    {
      config: { access: { permission: 'cards.bulk' }, idempotent: true, bulk: true },
      schema: {
        operationId: 'bulkCards',
        summary: 'Up to 10,000 operations in one transaction',
        tags,
        querystring: BulkQuery,
        body: BulkBody,
        response: { 200: BulkView },
      },
    },
    async (request) =>
      answerBulk<CardOperation, RowResult>(request as BulkCall<CardOperation>, (operations, mode) =>
        cards.bulk(request.ctx, mode, operations),
      ),
  );

  app.patch(
    '/:id',
    {
      config: {
        access: writeAccess('update'),
        idempotent: true,
        conditional: true,
        jsonPatch: true,
      },
      schema: {
        operationId: 'updateCard',
        summary: 'Change a card by merge patch or JSON Patch',
        tags,
        params: IdParams,
        response: { 200: CardView },
        body: {
          content: {
            'application/json': { schema: CardPatch },
            'application/merge-patch+json': { schema: CardPatch },
            [JSON_PATCH]: { schema: JsonPatch },
          },
        },
      },
    },
    async (request, reply) => {
      const {
        ctx,
        params: { id },
        body,
      } = request;
      const { view } = Array.isArray(body)
        ? await cards.patch(ctx, id, body)
        : await cards.update(ctx, id, body as CardInput);
      return sendCard(request, reply, view!);
    },
  );

  app.delete(
    '/:id',
    {
      config: { access: writeAccess('delete'), conditional: true },
      schema: {
        operationId: 'deleteCard',
        summary: 'Delete a card and its relations',
        tags,
        params: IdParams,
        querystring: DeleteQuery,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await cards.act(request.ctx, 'delete', request.params.id, request.query.child_strategy);
      return sendNothing(reply);
    },
  );

  const archiving = {
    access: writeAccess('archive'),
    idempotent: true,
    conditional: true,
  };
  app.post(
    '/:id/archive',
    {
      config: archiving,
      schema: {
        operationId: 'archiveCard',
        summary: 'Archive a card',
        description: 'If the card has children, `child_strategy` is required.',
        tags,
        params: IdParams,
        body: ArchiveBody,
        response: { 200: CardView },
      },
    },
    async (request, reply) => {
      const { view } = await cards.act(request.ctx, 'archive', request.params.id, request.body?.child_strategy);
      return sendCard(request, reply, view!);
    },
  );

  app.post(
    '/:id/restore',
    {
      config: archiving,
      schema: {
        operationId: 'restoreCard',
        summary: 'Restore an archived card',
        tags,
        params: IdParams,
        body: NothingMore,
        response: { 200: CardView },
      },
    },
    async (request, reply) => {
      const { view } = await cards.act(request.ctx, 'restore', request.params.id);
      return sendCard(request, reply, view!);
    },
  );

  app.get(
    '/:id/archive-impact',
    {
      config: { access: { permission: 'cards.view' } },
      schema: {
        operationId: 'getArchiveImpact',
        summary: 'The effects of archiving a card',
        tags,
        params: IdParams,
        response: { 200: ArchiveImpactView },
      },
    },
    async (request) => cards.archiveImpact(request.ctx, request.params.id),
  );

  app.post(
    '/:id/approval',
    {
      config: {
        access: writeAccess('approve'),
        idempotent: true,
        conditional: true,
      },
      schema: {
        operationId: 'decideCard',
        summary: 'Approve, reject or reset a card',
        tags,
        params: IdParams,
        body: ApprovalBody,
        response: { 200: CardView },
      },
    },
    async (request, reply) => {
      const { view } = await cards.decide(request.ctx, request.body.action, request.params.id, request.body.comment);
      return sendCard(request, reply, view!);
    },
  );

  app.get(
    '/:id/stakeholders',
    {
      config: { access: { permission: 'stakeholders.view' } },
      schema: {
        operationId: 'listCardStakeholders',
        summary: 'Stakeholders of a card',
        tags,
        params: IdParams,
        querystring: StakeholderQuery,
        response: { 200: Page(StakeholderView) },
      },
    },
    async (request, reply) =>
      sendPage(request, reply, await stakeholders.list(request.ctx, request.params.id, request.query)),
  );

  app.post(
    '/:id/stakeholders',
    {
      config: {
        access: { permission: 'stakeholders.manage', card: 'id', cardPermission: 'card.manage_stakeholders' },
        idempotent: true,
      },
      schema: {
        operationId: 'addCardStakeholder',
        summary: 'Add a stakeholder to a card',
        description: 'The caller must have everything on the card that the role grants.',
        tags,
        params: IdParams,
        body: StakeholderCreate,
        response: { 201: StakeholderView },
      },
    },
    async (request, reply) => {
      const {
        ctx,
        params: { id: card },
        body,
      } = request;
      const { id } = await stakeholders.add(ctx, card, body);
      return reply
        .code(201)
        .header('location', `/api/v1/cards/${card}/stakeholders/${id}`)
        .send(await stakeholders.read(card, id));
    },
  );

  app.get(
    '/:id/stakeholders/:sid',
    {
      config: { access: { permission: 'stakeholders.view' } },
      schema: {
        operationId: 'getCardStakeholder',
        summary: 'A stakeholder of a card',
        tags,
        params: StakeholderParams,
        response: { 200: StakeholderView },
      },
    },
    async (request) => stakeholders.get(request.ctx, request.params.id, request.params.sid),
  );

  app.delete(
    '/:id/stakeholders/:sid',
    {
      config: { access: { permission: 'stakeholders.manage', card: 'id', cardPermission: 'card.manage_stakeholders' } },
      schema: {
        operationId: 'removeCardStakeholder',
        summary: 'Remove a stakeholder from a card',
        description: 'The caller must have everything on the card that the role grants, possibly by the role itself.',
        tags,
        params: StakeholderParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await stakeholders.remove(request.ctx, request.params.id, request.params.sid);
      return sendNothing(reply);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { cards: CardService; stakeholders: StakeholderService } }>;
