import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RoleService } from './role-service.js';
import { pageOf } from '../../foundation/http/memory-page.js';
import { sendPage, sendResource } from '../../foundation/http/respond.js';
import { viewRole } from './role-service.js';
import {
  PermissionPage,
  PermissionQuery,
  RoleAction,
  RoleCreate,
  RolePage,
  RoleParams,
  RolePatch,
  RoleQuery,
  RoleView,
} from './schemas.js';

const tags = ['roles'];
const access = { permission: 'roles.manage' };
const params = RoleParams;

export default (async (app, { services: { roles } }) => {
  async function send(request: FastifyRequest, reply: FastifyReply, key: string, status = 200) {
    const role = await roles.get(key);
    return sendResource(request, reply, { status, version: role.version, body: viewRole(role) });
  }

  app.get(
    '',
    {
      config: { access },
      schema: { operationId: 'listRoles', summary: 'Roles', tags, querystring: RoleQuery, response: { 200: RolePage } },
    },
    async (request, reply) => sendPage(request, reply, await roles.list(request.query)),
  );

  app.get(
    '/permissions',
    {
      config: { access },
      schema: {
        operationId: 'listPermissions',
        summary: 'All permissions',
        description: 'Of the core and of every installed module.',
        tags,
        querystring: PermissionQuery,
        response: { 200: PermissionPage },
      },
    },
    async (request, reply) => {
      const { scope, owner } = request.query;
      const items = roles
        .permissions()
        .filter((p) => (scope === undefined || p.scope === scope) && (owner === undefined || p.owner === owner));
      return sendPage(
        request,
        reply,
        pageOf(items, 'key', 'key', request.query, `permissions ${scope ?? ''} ${owner ?? ''}`),
      );
    },
  );

  app.post(
    '',
    {
      config: { access, sessionOnly: true, idempotent: true },
      schema: {
        operationId: 'createRole',
        summary: 'Create a role',
        description: 'A caller can include only permissions that the caller has.',
        tags,
        body: RoleCreate,
        response: { 201: RoleView },
      },
    },
    async (request, reply) => {
      const { key } = await roles.create(request.ctx, request.body);
      return send(request, reply.header('location', `/api/v1/roles/${key}`), key, 201);
    },
  );

  app.get(
    '/:key',
    {
      config: { access },
      schema: { operationId: 'getRole', summary: 'A role', tags, params, response: { 200: RoleView } },
    },
    async (request, reply) => send(request, reply, request.params.key),
  );

  app.patch(
    '/:key',
    {
      config: { access, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateRole',
        summary: 'Change a role',
        description:
          'Takes effect for all users with the role, on every node within a second. An API token gets `session_required` for changes of `permissions`, `types` and `is_default`.',
        tags,
        params,
        body: RolePatch,
        response: { 200: RoleView },
      },
    },
    async (request, reply) => {
      await roles.update(request.ctx, request.params.key, request.body);
      return send(request, reply, request.params.key);
    },
  );

  for (const [act, summary] of [
    ['archive', 'Archive a role, so that it cannot be assigned any more'],
    ['restore', 'Restore an archived role'],
  ] as const) {
    app.post(
      `/:key/${act}`,
      {
        config: { access, sessionOnly: act === 'restore', idempotent: true, conditional: true },
        schema: { operationId: `${act}Role`, summary, tags, params, body: RoleAction, response: { 200: RoleView } },
      },
      async (request, reply) => {
        await roles[act](request.ctx, request.params.key);
        return send(request, reply, request.params.key);
      },
    );
  }
}) satisfies FastifyPluginAsyncTypebox<{ services: { roles: RoleService } }>;
