import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { UserService } from './service.js';
import { IdParams } from '../../foundation/http/schemas.js';
import { sendPage, sendResource } from '../../foundation/http/respond.js';
import {
  DirectoryPage,
  DirectoryQuery,
  UnlockBody,
  UserCreate,
  UserPage,
  UserPatch,
  UserQuery,
  UserView,
} from './schemas.js';
import { viewUser } from './views.js';

const tags = ['users'];
const access = { permission: 'users.manage' };
const params = IdParams;

export default (async (app, { services: { users } }) => {
  async function send(request: FastifyRequest, reply: FastifyReply, id: string, status = 200): Promise<UserView> {
    const body = viewUser(await users.get(id));
    // A log-in does not change the version.
    return sendResource(request, reply, {
      status,
      version: body.version,
      derived: body.last_login_at ?? undefined,
      body,
    });
  }

  app.get(
    '',
    {
      config: { access },
      schema: { operationId: 'listUsers', summary: 'Users', tags, querystring: UserQuery, response: { 200: UserPage } },
    },
    async (request, reply) => sendPage(request, reply, await users.list(request.query)),
  );

  app.get(
    '/directory',
    {
      config: { access: 'authenticated' },
      schema: {
        operationId: 'listUserDirectory',
        summary: 'Active users by name',
        description: 'For every user, to select people.',
        tags,
        querystring: DirectoryQuery,
        response: { 200: DirectoryPage },
      },
    },
    async (request, reply) => sendPage(request, reply, await users.directory(request.query)),
  );

  app.post(
    '',
    {
      config: { access, sessionOnly: true, idempotent: true },
      schema: {
        operationId: 'createUser',
        summary: 'Create a user',
        description: 'Without a password the account cannot log in until one is set.',
        tags,
        body: UserCreate,
        response: { 201: UserView },
      },
    },
    async (request, reply) => {
      const id = await users.create(request.ctx, request.body);
      reply.header('location', `/api/v1/users/${id}`);
      return send(request, reply, id, 201);
    },
  );

  app.get(
    '/:id',
    {
      config: { access },
      schema: { operationId: 'getUser', summary: 'A user', tags, params, response: { 200: UserView } },
    },
    async (request, reply) => send(request, reply, request.params.id),
  );

  app.patch(
    '/:id',
    {
      config: { access, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateUser',
        summary: 'Change a user',
        description:
          'Deactivation and a new password end the sessions of the user. Activation and a new password also unlock. An API token gets `session_required` for changes of `role`, `email` and `password`, and for activation.',
        tags,
        params,
        body: UserPatch,
        response: { 200: UserView },
      },
    },
    async (request, reply) => {
      await users.update(request.ctx, request.params.id, request.body);
      return send(request, reply, request.params.id);
    },
  );

  app.post(
    '/:id/unlock',
    {
      config: { access, idempotent: true },
      schema: {
        operationId: 'unlockUser',
        summary: 'Unlock a user',
        description:
          'Clears the failed log-ins of the account, so that log-ins are no longer refused (`login_limits`).',
        tags,
        params,
        body: UnlockBody,
        response: { 204: Type.Null({ description: 'Unlocked.' }) },
      },
    },
    async (request, reply) => {
      await users.unlock(request.ctx, request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/:id',
    {
      config: { access, conditional: true },
      schema: {
        operationId: 'deleteUser',
        summary: 'Delete a user',
        tags,
        params,
        response: { 204: Type.Null({ description: 'Deleted.' }) },
      },
    },
    async (request, reply) => {
      await users.remove(request.ctx, request.params.id);
      return reply.code(204).send(null);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { users: UserService } }>;
