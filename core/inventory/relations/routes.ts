import { answerBulk, type BulkCall } from '@lintel/sdk';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RelationService } from './service.js';
import { IdParams, NoContent, Page } from '../../foundation/http/schemas.js';
import { sendNothing, sendPage, sendResource } from '../../foundation/http/respond.js';
import {
  BulkBody,
  BulkQuery,
  BulkView,
  RelationCreate,
  RelationPatch,
  RelationQuery,
  RelationViewQuery,
  RelationView as RelationSchema,
} from './schemas.js';
import type { RelationView } from './service.js';
import { CARD_MANAGE, MANAGE, type RelationOperation, type RelationRow } from './types.js';

export default (async (app, { services: { relations } }) => {
  const tags = ['relations'];
  const manage = { permission: MANAGE, anyCard: CARD_MANAGE };

  const sendRelation = (request: FastifyRequest, reply: FastifyReply, body: RelationView, status = 200) =>
    sendResource(request, reply, { status, version: body.version, body, derived: body.derived });

  app.get(
    '',
    {
      config: { access: { permission: 'relations.view' } },
      schema: {
        operationId: 'listRelations',
        summary: 'Relations between active cards',
        tags,
        querystring: RelationQuery,
        response: { 200: Page(RelationSchema) },
      },
    },
    async (request, reply) => sendPage(request, reply, await relations.list(request.ctx, request.query)),
  );

  app.post(
    '',
    {
      config: { access: manage, idempotent: true },
      schema: {
        operationId: 'createRelation',
        summary: 'Relate two cards',
        tags,
        body: RelationCreate,
        response: { 201: RelationSchema },
      },
    },
    async (request, reply) => {
      const { id, view } = await relations.create(request.ctx, request.body);
      return sendRelation(request, reply.header('location', `/api/v1/relations/${id}`), view!, 201);
    },
  );

  app.post(
    '/bulk',
    {
      config: { access: manage, idempotent: true, bulk: true },
      schema: {
        operationId: 'bulkRelations',
        summary: 'Up to 10,000 operations in one transaction',
        tags,
        querystring: BulkQuery,
        body: BulkBody,
        response: { 200: BulkView },
      },
    },
    async (request) =>
      answerBulk<RelationOperation, RelationRow>(request as BulkCall<RelationOperation>, (operations, mode) =>
        relations.bulk(request.ctx, mode, operations),
      ),
  );

  app.get(
    '/:id',
    {
      config: { access: { permission: 'relations.view' } },
      schema: {
        operationId: 'getRelation',
        summary: 'A relation',
        tags,
        params: IdParams,
        querystring: RelationViewQuery,
        response: { 200: RelationSchema },
      },
    },
    async (request, reply) =>
      sendRelation(request, reply, await relations.get(request.ctx, request.params.id, request.query)),
  );

  app.patch(
    '/:id',
    {
      config: { access: manage, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateRelation',
        summary: 'Change a relation by merge patch',
        tags,
        params: IdParams,
        body: RelationPatch,
        response: { 200: RelationSchema },
      },
    },
    async (request, reply) => {
      const { view } = await relations.update(request.ctx, request.params.id, request.body);
      return sendRelation(request, reply, view!);
    },
  );

  app.delete(
    '/:id',
    {
      config: { access: manage, conditional: true },
      schema: {
        operationId: 'deleteRelation',
        summary: 'Delete a relation',
        tags,
        params: IdParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await relations.remove(request.ctx, request.params.id);
      return sendNothing(reply);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { relations: RelationService } }>;
