import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentService } from './service.js';
import { IdParams, NoContent } from '../../../foundation/http/schemas.js';
import { sendNothing, sendPage, sendResource } from '../../../foundation/http/respond.js';
import { DocumentCreate, DocumentPage, DocumentParams, DocumentPatch, DocumentQuery, DocumentView } from './schemas.js';

/** Routes below `/cards`. */
export default (async (app, { services: { documents } }) => {
  const tags = ['cards'];
  const view = { permission: 'documents.view' };
  const manage = { permission: 'documents.manage', card: 'id', cardPermission: 'card.manage_documents' };

  function send(request: FastifyRequest, reply: FastifyReply, document: DocumentView, status = 200) {
    // Deleting the creator's account does not change the version.
    return sendResource(request, reply, {
      status,
      version: document.version,
      derived: document.created_by === null ? null : undefined,
      body: document,
    });
  }

  app.get(
    '/:id/documents',
    {
      config: { access: view },
      schema: {
        operationId: 'listCardDocuments',
        summary: 'Documents linked to a card',
        tags,
        params: IdParams,
        querystring: DocumentQuery,
        response: { 200: DocumentPage },
      },
    },
    async (request, reply) =>
      sendPage(request, reply, await documents.list(request.ctx, request.params.id, request.query)),
  );

  app.post(
    '/:id/documents',
    {
      config: { access: manage, idempotent: true },
      schema: {
        operationId: 'createCardDocument',
        summary: 'Link a document to a card',
        tags,
        params: IdParams,
        body: DocumentCreate,
        response: { 201: DocumentView },
      },
    },
    async (request, reply) => {
      const { id: card } = request.params;
      const id = await documents.create(request.ctx, card, request.body);
      return send(
        request,
        reply.header('location', `/api/v1/cards/${card}/documents/${id}`),
        await documents.written(request.ctx, card, id),
        201,
      );
    },
  );

  app.get(
    '/:id/documents/:did',
    {
      config: { access: view },
      schema: {
        operationId: 'getCardDocument',
        summary: 'A linked document',
        tags,
        params: DocumentParams,
        response: { 200: DocumentView },
      },
    },
    async (request, reply) =>
      send(request, reply, await documents.get(request.ctx, request.params.id, request.params.did)),
  );

  app.patch(
    '/:id/documents/:did',
    {
      config: { access: manage, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateCardDocument',
        summary: 'Change a link',
        tags,
        params: DocumentParams,
        body: DocumentPatch,
        response: { 200: DocumentView },
      },
    },
    async (request, reply) => {
      const { id, did } = request.params;
      await documents.update(request.ctx, id, did, request.body);
      return send(request, reply, await documents.written(request.ctx, id, did));
    },
  );

  app.delete(
    '/:id/documents/:did',
    {
      config: { access: manage, conditional: true },
      schema: {
        operationId: 'deleteCardDocument',
        summary: 'Remove a link',
        tags,
        params: DocumentParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await documents.remove(request.ctx, request.params.id, request.params.did);
      return sendNothing(reply);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { documents: DocumentService } }>;
