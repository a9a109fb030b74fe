import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TagGroupService } from './tag-service.js';
import { pageOf } from '../../foundation/http/memory-page.js';
import { IdParams, NoContent } from '../../foundation/http/schemas.js';
import { sendNothing, sendPage, sendResource } from '../../foundation/http/respond.js';
import {
  TagCreate,
  TagGroupCreate,
  TagGroupPage,
  TagGroupPatch,
  TagGroupQuery,
  TagGroupView,
  TagPage,
  TagParams,
  TagPatch,
  TagQuery,
  TagView,
} from './tag-schemas.js';
import type { Tag } from './types.js';

const read = 'authenticated' as const;
const manage = { permission: 'tags.manage' };
const tags = ['metamodel'];

/** The version is that of the group; the tags included are covered by the derived part of the ETag. */
function sendGroup(request: FastifyRequest, reply: FastifyReply, body: TagGroupView, status = 200) {
  return sendResource(request, reply, {
    status,
    version: body.version,
    body,
    derived: body.tags.length > 0 ? body.tags.map((t) => [t.id, t.version]) : undefined,
  });
}

function sendTag(request: FastifyRequest, reply: FastifyReply, body: Tag, status = 200) {
  return sendResource(request, reply, { status, version: body.version, body });
}

/** Tag groups and tags. */
export default (async (app, { services: { tagGroups } }) => {
  app.get(
    '/tag-groups',
    {
      config: { access: read },
      schema: {
        operationId: 'listTagGroups',
        summary: 'Tag groups with their tags',
        tags,
        querystring: TagGroupQuery,
        response: { 200: TagGroupPage },
      },
    },
    (request, reply) => sendPage(request, reply, pageOf(tagGroups.list(), 'id', 'name', request.query, 'tag groups')),
  );

  app.post(
    '/tag-groups',
    {
      config: { access: manage, idempotent: true },
      schema: {
        operationId: 'createTagGroup',
        summary: 'Make a tag group',
        tags,
        body: TagGroupCreate,
        response: { 201: TagGroupView },
      },
    },
    async (request, reply) => {
      const { id, view } = await tagGroups.create(request.ctx, request.body);
      return sendGroup(
        request,
        reply.header('location', `/api/v1/metamodel/tag-groups/${id}`),
        view ?? tagGroups.get(id),
        201,
      );
    },
  );

  app.get(
    '/tag-groups/:id',
    {
      config: { access: read },
      schema: {
        operationId: 'getTagGroup',
        summary: 'A tag group with its tags',
        tags,
        params: IdParams,
        response: { 200: TagGroupView },
      },
    },
    (request, reply) => sendGroup(request, reply, tagGroups.get(request.params.id)),
  );

  app.patch(
    '/tag-groups/:id',
    {
      config: { access: manage, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateTagGroup',
        summary: 'Change a tag group by merge patch',
        description: 'What cards have cannot be ruled out: 409 `in_use` with `counts`.',
        tags,
        params: IdParams,
        body: TagGroupPatch,
        response: { 200: TagGroupView },
      },
    },
    async (request, reply) => {
      const { id, view } = await tagGroups.update(request.ctx, request.params.id, request.body);
      return sendGroup(request, reply, view ?? tagGroups.get(id));
    },
  );

  app.delete(
    '/tag-groups/:id',
    {
      config: { access: manage, conditional: true },
      schema: {
        operationId: 'deleteTagGroup',
        summary: 'Delete a tag group whose tags no card has',
        tags,
        params: IdParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await tagGroups.remove(request.ctx, request.params.id);
      return sendNothing(reply);
    },
  );

  app.get(
    '/tag-groups/:id/tags',
    {
      config: { access: read },
      schema: {
        operationId: 'listTags',
        summary: 'Tags of a group',
        tags,
        params: IdParams,
        querystring: TagQuery,
        response: { 200: TagPage },
      },
    },
    (request, reply) =>
      sendPage(
        request,
        reply,
        pageOf(tagGroups.get(request.params.id).tags, 'id', 'name', request.query, request.params.id),
      ),
  );

  app.post(
    '/tag-groups/:id/tags',
    {
      config: { access: manage, idempotent: true },
      schema: {
        operationId: 'createTag',
        summary: 'Add a tag to a group',
        tags,
        params: IdParams,
        body: TagCreate,
        response: { 201: TagView },
      },
    },
    async (request, reply) => {
      const groupId = request.params.id;
      const { id, view } = await tagGroups.createTag(request.ctx, groupId, request.body);
      return sendTag(
        request,
        reply.header('location', `/api/v1/metamodel/tag-groups/${groupId}/tags/${id}`),
        view ?? tagGroups.getTag(groupId, id),
        201,
      );
    },
  );

  app.get(
    '/tag-groups/:id/tags/:tag_id',
    {
      config: { access: read },
      schema: { operationId: 'getTag', summary: 'A tag', tags, params: TagParams, response: { 200: TagView } },
    },
    (request, reply) => sendTag(request, reply, tagGroups.getTag(request.params.id, request.params.tag_id)),
  );

  app.patch(
    '/tag-groups/:id/tags/:tag_id',
    {
      config: { access: manage, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateTag',
        summary: 'Change a tag by merge patch',
        tags,
        params: TagParams,
        body: TagPatch,
        response: { 200: TagView },
      },
    },
    async (request, reply) => {
      const { id: groupId, tag_id: tagId } = request.params;
      const { view } = await tagGroups.updateTag(request.ctx, groupId, tagId, request.body);
      return sendTag(request, reply, view ?? tagGroups.getTag(groupId, tagId));
    },
  );

  app.delete(
    '/tag-groups/:id/tags/:tag_id',
    {
      config: { access: manage, conditional: true },
      schema: {
        operationId: 'deleteTag',
        summary: 'Delete a tag no card has',
        tags,
        params: TagParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await tagGroups.removeTag(request.ctx, request.params.id, request.params.tag_id);
      return sendNothing(reply);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { tagGroups: TagGroupService } }>;
