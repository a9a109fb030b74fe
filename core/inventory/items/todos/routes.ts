import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TodoService } from './service.js';
import { IdParams, NoContent } from '../../../foundation/http/schemas.js';
import { sendNothing, sendPage, sendResource } from '../../../foundation/http/respond.js';
import {
  OwnTodoPage,
  OwnTodoQuery,
  TodoCreate,
  TodoPage,
  TodoParams,
  TodoPatch,
  TodoQuery,
  TodoView,
} from './schemas.js';

/** To-dos below their cards, and the caller's own at `/todos`. */
export default (async (app, { services: { todos } }) => {
  const tags = ['cards'];
  const access = { permission: 'todos.own' };

  async function send(request: FastifyRequest, reply: FastifyReply, card: string, id: string, status = 200) {
    const item = await todos.get(request.ctx, card, id);
    // Deleting the creator's account does not change the version.
    return sendResource(request, reply, {
      status,
      version: item.version,
      derived: item.created_by === null ? null : undefined,
      body: item,
    });
  }

  app.get(
    '/todos',
    {
      config: { access },
      schema: {
        operationId: 'listOwnTodos',
        summary: 'What the caller has to do, the most urgent first',
        tags,
        querystring: OwnTodoQuery,
        response: { 200: OwnTodoPage },
      },
    },
    async (request, reply) => sendPage(request, reply, await todos.listOwn(request.ctx, request.query)),
  );

  app.get(
    '/cards/:id/todos',
    {
      config: { access },
      schema: {
        operationId: 'listCardTodos',
        summary: 'What is to be done about a card',
        tags,
        params: IdParams,
        querystring: TodoQuery,
        response: { 200: TodoPage },
      },
    },
    async (request, reply) => sendPage(request, reply, await todos.list(request.ctx, request.params.id, request.query)),
  );

  app.post(
    '/cards/:id/todos',
    {
      config: { access, idempotent: true },
      schema: {
        operationId: 'createCardTodo',
        summary: 'Give somebody something to do',
        tags,
        params: IdParams,
        body: TodoCreate,
        response: { 201: TodoView },
      },
    },
    async (request, reply) => {
      const { id: card } = request.params;
      const id = await todos.create(request.ctx, card, request.body);
      return send(request, reply.header('location', `/api/v1/cards/${card}/todos/${id}`), card, id, 201);
    },
  );

  app.get(
    '/cards/:id/todos/:tid',
    {
      config: { access },
      schema: { operationId: 'getCardTodo', summary: 'A to-do', tags, params: TodoParams, response: { 200: TodoView } },
    },
    async (request, reply) => send(request, reply, request.params.id, request.params.tid),
  );

  app.patch(
    '/cards/:id/todos/:tid',
    {
      config: { access, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateCardTodo',
        summary: 'Change a to-do',
        tags,
        params: TodoParams,
        body: TodoPatch,
        response: { 200: TodoView },
        description:
          'Without `todos.manage` the assignee opens and closes it; title and day of what one gave to oneself can be changed too.',
      },
    },
    async (request, reply) => {
      const { id, tid } = request.params;
      await todos.update(request.ctx, id, tid, request.body);
      return send(request, reply, id, tid);
    },
  );

  app.delete(
    '/cards/:id/todos/:tid',
    {
      config: { access, conditional: true },
      schema: {
        operationId: 'deleteCardTodo',
        summary: 'Delete a to-do',
        description: 'With `todos.manage`, or one that the caller gave to himself.',
        tags,
        params: TodoParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await todos.remove(request.ctx, request.params.id, request.params.tid);
      return sendNothing(reply);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { todos: TodoService } }>;
