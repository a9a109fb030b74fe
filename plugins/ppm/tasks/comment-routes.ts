import { NoContent, type ModuleRoutes, type ResourceService } from '@lintel/sdk';
import { MANAGERS, READERS } from '../permissions.js';
import { HistoryPage, HistoryQuery } from '../plan/history.js';
import { lockPlans } from '../plan/locking.js';
import type { PpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { comments } from './comments.js';
import { findReceivers } from './notices.js';
import { CommentCreate, CommentPage, CommentParams, CommentQuery, TaskParams } from './schemas.js';

const PATH = '/initiatives/:card_id/tasks/:id/comments';
const tags = ['ppm'];

/** Comments on tasks. */
export const commentRoutes: ModuleRoutes<PpmServices, Settings> = async (app, { services, host }) => {
  const { http } = host;
  const service = services.comments as unknown as ResourceService;
  lockPlans(app, host);
  const scopeOf = ({ card_id, id }: { card_id: string; id: string }) => ({
    card_id: card_id.toLowerCase(),
    task_id: id.toLowerCase(),
  });
  app.get(
    PATH,
    {
      config: { access: READERS },
      schema: {
        operationId: 'listPpmTaskComments',
        summary: 'List comments on a task, the oldest first',
        tags,
        params: TaskParams,
        querystring: CommentQuery,
        response: { 200: CommentPage },
      },
    },
    async (request, reply) => {
      const scope = scopeOf(request.params);
      await services.tasks.get(request.ctx, scope.task_id, { card_id: scope.card_id });
      return http.sendPage(request, reply, await service.list(request.ctx, request.query, scope)) as never;
    },
  );

  app.post(
    PATH,
    {
      config: { access: MANAGERS, idempotent: true },
      schema: {
        operationId: 'createPpmTaskComment',
        summary: 'Comment on a task',
        tags,
        params: TaskParams,
        body: CommentCreate,
        response: { 201: comments.view },
        description: 'The assignee is notified.',
      },
    },
    async (request, reply) => {
      const scope = scopeOf(request.params);
      await findReceivers(host, request.ctx);
      const { id, resource } = await service.write(request.ctx, { op: 'create', values: request.body }, scope);
      reply.header('location', `${request.url.split('?')[0]}/${id}`);
      return http.sendResource(request, reply, { status: 201, ...resource }) as never;
    },
  );

  app.get(
    `${PATH}/:comment_id`,
    {
      config: { access: READERS },
      schema: {
        operationId: 'getPpmTaskComment',
        summary: 'A comment on a task',
        tags,
        params: CommentParams,
        response: { 200: comments.view },
      },
    },
    async (request, reply) => {
      const { comment_id, ...of } = request.params;
      return http.sendResource(request, reply, await service.resource(request.ctx, comment_id, scopeOf(of))) as never;
    },
  );

  app.patch(
    `${PATH}/:comment_id`,
    {
      config: { access: MANAGERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'updatePpmTaskComment',
        summary: 'Change a comment of your own',
        tags,
        params: CommentParams,
        body: CommentCreate,
        response: { 200: comments.view },
      },
    },
    async (request, reply) => {
      const { comment_id, ...of } = request.params;
      const operation = { op: 'update', id: comment_id, values: request.body } as const;
      const { resource } = await service.write(request.ctx, operation, scopeOf(of));
      return http.sendResource(request, reply, resource) as never;
    },
  );

  app.delete(
    `${PATH}/:comment_id`,
    {
      config: { access: MANAGERS, conditional: true },
      schema: {
        operationId: 'deletePpmTaskComment',
        summary: 'Delete a comment on a task',
        tags,
        params: CommentParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      const { comment_id, ...of } = request.params;
      await service.remove(request.ctx, comment_id, scopeOf(of));
      return http.sendNothing(reply);
    },
  );

  app.get(
    `${PATH}/:comment_id/history`,
    {
      config: { access: READERS },
      schema: {
        operationId: 'getPpmTaskCommentHistory',
        summary: 'History of a comment on a task',
        tags,
        params: CommentParams,
        querystring: HistoryQuery,
        response: { 200: HistoryPage },
      },
    },
    async (request, reply) => {
      const { comment_id, ...of } = request.params;
      return http.sendPage(request, reply, await service.history(request.ctx, comment_id, request.query, scopeOf(of)));
    },
  );
};
