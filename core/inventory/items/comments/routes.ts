import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommentService } from './service.js';
import { IdParams, NoContent } from '../../../foundation/http/schemas.js';
import { sendNothing, sendPage, sendResource } from '../../../foundation/http/respond.js';
import { CommentCreate, CommentPage, CommentParams, CommentPatch, CommentQuery, CommentView } from './schemas.js';

/** Routes below `/cards`. */
export default (async (app, { services: { comments } }) => {
  const tags = ['cards'];
  const view = { permission: 'comments.view' };
  const write = { permission: 'comments.create', card: 'id', cardPermission: 'card.create_comments' };

  function send(request: FastifyRequest, reply: FastifyReply, comment: CommentView, status = 200) {
    // The author's name can change without a new version of the comment.
    return sendResource(request, reply, { status, version: comment.version, derived: comment.author, body: comment });
  }

  app.get(
    '/:id/comments',
    {
      config: { access: view },
      schema: {
        operationId: 'listCardComments',
        summary: 'Comments on a card, the oldest first',
        tags,
        params: IdParams,
        querystring: CommentQuery,
        response: { 200: CommentPage },
      },
    },
    async (request, reply) =>
      sendPage(request, reply, await comments.list(request.ctx, request.params.id, request.query)),
  );

  app.post(
    '/:id/comments',
    {
      config: { access: write, idempotent: true },
      schema: {
        operationId: 'createCardComment',
        summary: 'Comment on a card, or reply to a comment',
        tags,
        params: IdParams,
        body: CommentCreate,
        response: { 201: CommentView },
      },
    },
    async (request, reply) => {
      const { id: card } = request.params;
      const id = await comments.create(request.ctx, card, request.body);
      return send(
        request,
        reply.header('location', `/api/v1/cards/${card}/comments/${id}`),
        await comments.written(request.ctx, card, id),
        201,
      );
    },
  );

  app.get(
    '/:id/comments/:cid',
    {
      config: { access: view },
      schema: {
        operationId: 'getCardComment',
        summary: 'A comment',
        tags,
        params: CommentParams,
        response: { 200: CommentView },
      },
    },
    async (request, reply) =>
      send(request, reply, await comments.get(request.ctx, request.params.id, request.params.cid)),
  );

  app.patch(
    '/:id/comments/:cid',
    {
      config: { access: write, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateCardComment',
        summary: 'Change a comment of the caller',
        tags,
        params: CommentParams,
        body: CommentPatch,
        response: { 200: CommentView },
      },
    },
    async (request, reply) => {
      const { id, cid } = request.params;
      await comments.update(request.ctx, id, cid, request.body);
      return send(request, reply, await comments.written(request.ctx, id, cid));
    },
  );

  app.delete(
    '/:id/comments/:cid',
    {
      config: { access: view, conditional: true },
      schema: {
        operationId: 'deleteCardComment',
        summary: 'Delete a comment',
        tags,
        params: CommentParams,
        response: NoContent,
        description:
          'The caller’s own comment, for which an API token needs `comments.create`; any comment with `comments.manage`, or with `card.manage_comments` as a stakeholder. A comment with replies is kept without its text until the last reply is deleted.',
      },
    },
    async (request, reply) => {
      await comments.remove(request.ctx, request.params.id, request.params.cid);
      return sendNothing(reply);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { comments: CommentService } }>;
