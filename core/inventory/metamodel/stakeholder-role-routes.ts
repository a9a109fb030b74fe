import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StakeholderRoleService } from './stakeholder-role-service.js';
import { pageOf } from '../../foundation/http/memory-page.js';
import { NoContent, Page } from '../../foundation/http/schemas.js';
import { sendNothing, sendPage, sendResource } from '../../foundation/http/respond.js';
import type { RoleView as Role } from './stakeholder-role-service.js';
import { KeyParams, RoleCreate, RoleParams, RolePatch, RoleQuery } from './schemas.js';
import { RoleView } from './views.js';

const manage = { permission: 'metamodel.manage' };
const tags = ['metamodel'];

function sendRole(request: FastifyRequest, reply: FastifyReply, body: Role, status = 200) {
  return sendResource(request, reply, { status, version: body.version, body });
}

/** The stakeholder roles of a card type. */
export default (async (app, { services: { stakeholderRoles } }) => {
  app.get(
    '/types/:key/stakeholder-roles',
    {
      config: { access: 'authenticated' },
      schema: {
        operationId: 'listStakeholderRoles',
        summary: 'Stakeholder roles of a card type',
        tags,
        params: KeyParams,
        querystring: RoleQuery,
        response: { 200: Page(RoleView) },
      },
    },
    (request, reply) =>
      sendPage(
        request,
        reply,
        pageOf(stakeholderRoles.list(request.params.key), 'key', 'key', request.query, `roles ${request.params.key}`),
      ),
  );

  app.post(
    '/types/:key/stakeholder-roles',
    {
      config: { access: manage, idempotent: true },
      schema: {
        operationId: 'createStakeholderRole',
        summary: 'Add a stakeholder role to a card type',
        description: 'The type gets a new version. Nobody grants by it what they may not do.',
        tags,
        params: KeyParams,
        body: RoleCreate,
        response: { 201: RoleView },
      },
    },
    async (request, reply) => {
      const { key } = request.params;
      const role = await stakeholderRoles.create(request.ctx, key, request.body);
      return sendRole(
        request,
        reply.header('location', `/api/v1/metamodel/types/${key}/stakeholder-roles/${role.key}`),
        role,
        201,
      );
    },
  );

  app.get(
    '/types/:key/stakeholder-roles/:role',
    {
      config: { access: 'authenticated' },
      schema: {
        operationId: 'getStakeholderRole',
        summary: 'A stakeholder role of a card type',
        tags,
        params: RoleParams,
        response: { 200: RoleView },
      },
    },
    (request, reply) => sendRole(request, reply, stakeholderRoles.get(request.params.key, request.params.role)),
  );

  app.patch(
    '/types/:key/stakeholder-roles/:role',
    {
      config: { access: manage, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateStakeholderRole',
        summary: 'Change a stakeholder role by merge patch',
        description:
          'If-Match names the version of the type. Nobody grants by it, or takes away, what they may not do.',
        tags,
        params: RoleParams,
        body: RolePatch,
        response: { 200: RoleView },
      },
    },
    async (request, reply) =>
      sendRole(
        request,
        reply,
        await stakeholderRoles.update(request.ctx, request.params.key, request.params.role, request.body),
      ),
  );

  app.delete(
    '/types/:key/stakeholder-roles/:role',
    {
      config: { access: manage, conditional: true },
      schema: {
        operationId: 'deleteStakeholderRole',
        summary: 'Remove a stakeholder role nobody holds',
        tags,
        params: RoleParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await stakeholderRoles.remove(request.ctx, request.params.key, request.params.role);
      return sendNothing(reply);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { stakeholderRoles: StakeholderRoleService } }>;
