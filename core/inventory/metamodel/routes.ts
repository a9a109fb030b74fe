import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CardTypeService } from './card-type-service.js';
import type { RelationTypeService } from './relation-type-service.js';
import type { MetamodelService } from './service.js';
import type { StakeholderRoleService } from './stakeholder-role-service.js';
import type { TagGroupService } from './tag-service.js';
import { pageOf } from '../../foundation/http/memory-page.js';
import { NoContent, Page } from '../../foundation/http/schemas.js';
import { sendNothing, sendPage, sendResource } from '../../foundation/http/respond.js';
import roleRoutes from './stakeholder-role-routes.js';
import {
  CardTypeCreate,
  CardTypePatch,
  KeyParams,
  MetamodelQuery,
  RelationTypeCreate,
  RelationTypePatch,
  RevisionQuery,
} from './schemas.js';
import tagRoutes from './tag-routes.js';
import { CardTypeView, RelationTypeView, RevisionPage, UsageView } from './views.js';

interface Services {
  metamodel: MetamodelService;
  cardTypes: CardTypeService;
  relationTypes: RelationTypeService;
  stakeholderRoles: StakeholderRoleService;
  tagGroups: TagGroupService;
}

const read = 'authenticated' as const;
const manage = { permission: 'metamodel.manage' };
const tags = ['metamodel'];
/** Maximum number of values of a body: some hundred fields with all their options. */
const TYPE_VALUES = 50_000;
const NO_POLICY = { four_eyes: false };
/** A card type or a relation type. */
interface Typed<D> {
  definition: D;
  updatedAt: string;
  version: number;
}

/** The schema of the response omits the policy of a relation type. */
const view = <D extends object>(t: Typed<D>) => ({
  approval_policy: NO_POLICY,
  ...t.definition,
  updated_at: t.updatedAt,
  version: t.version,
});
const all = <D extends object>(types: ReadonlyMap<string, Typed<D>>) => [...types.values()].map((type) => view(type));

function sendType<D extends object>(request: FastifyRequest, reply: FastifyReply, type: Typed<D>, status = 200) {
  return sendResource(request, reply, { status, version: type.version, body: view(type) });
}

/** The metamodel: readable for every user, changeable with permissions; reads are served from memory. */
export default (async (app, { services }) => {
  const { metamodel, cardTypes, relationTypes } = services;
  await app.register(roleRoutes, { services });
  await app.register(tagRoutes, { services });

  app.get(
    '/types',
    {
      config: { access: read },
      schema: {
        operationId: 'listCardTypes',
        summary: 'Card types',
        tags,
        querystring: MetamodelQuery,
        response: { 200: Page(CardTypeView) },
      },
    },
    (request, reply) =>
      sendPage(request, reply, pageOf(all(metamodel.current.types), 'key', 'sort_order', request.query, 'types')),
  );

  app.post(
    '/types',
    {
      config: { access: manage, idempotent: true, bodyValues: TYPE_VALUES },
      schema: {
        operationId: 'createCardType',
        summary: 'Create a card type',
        tags,
        body: CardTypeCreate,
        response: { 201: CardTypeView },
      },
    },
    async (request, reply) => {
      const { key, type } = await cardTypes.create(request.ctx, request.body);
      return sendType(
        request,
        reply.header('location', `/api/v1/metamodel/types/${key}`),
        type ?? cardTypes.get(key),
        201,
      );
    },
  );

  app.get(
    '/types/:key',
    {
      config: { access: read },
      schema: {
        operationId: 'getCardType',
        summary: 'A card type',
        tags,
        params: KeyParams,
        response: { 200: CardTypeView },
      },
    },
    (request, reply) => sendType(request, reply, cardTypes.get(request.params.key)),
  );

  app.patch(
    '/types/:key',
    {
      config: { access: manage, idempotent: true, conditional: true, bodyValues: TYPE_VALUES },
      schema: {
        operationId: 'updateCardType',
        summary: 'Change a card type by merge patch',
        description:
          'Values in use by cards cannot be removed: 409 `in_use` with `counts`. Changing what stakeholder roles grant, or making a cost field another kind, requires those permissions.',
        tags,
        params: KeyParams,
        body: CardTypePatch,
        response: { 200: CardTypeView },
      },
    },
    async (request, reply) => {
      const { key, type } = await cardTypes.update(request.ctx, request.params.key, request.body);
      return sendType(request, reply, type ?? cardTypes.get(key));
    },
  );

  app.delete(
    '/types/:key',
    {
      config: { access: manage, conditional: true },
      schema: {
        operationId: 'deleteCardType',
        summary: 'Delete an unused card type',
        tags,
        params: KeyParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await cardTypes.remove(request.ctx, request.params.key);
      return sendNothing(reply);
    },
  );

  app.get(
    '/types/:key/usage',
    {
      config: { access: { permission: 'cards.view' } },
      schema: {
        operationId: 'getCardTypeUsage',
        summary: 'Number of cards that use each part of a card type',
        tags,
        params: KeyParams,
        response: { 200: UsageView },
      },
    },
    async (request) => cardTypes.usage(request.ctx, request.params.key),
  );

  app.get(
    '/relation-types',
    {
      config: { access: read },
      schema: {
        operationId: 'listRelationTypes',
        summary: 'Relation types',
        tags,
        querystring: MetamodelQuery,
        response: { 200: Page(RelationTypeView) },
      },
    },
    (request, reply) =>
      sendPage(
        request,
        reply,
        pageOf(all(metamodel.current.relationTypes), 'key', 'sort_order', request.query, 'relation types'),
      ),
  );

  app.post(
    '/relation-types',
    {
      config: { access: manage, idempotent: true, bodyValues: TYPE_VALUES },
      schema: {
        operationId: 'createRelationType',
        summary: 'Create a relation type',
        tags,
        body: RelationTypeCreate,
        response: { 201: RelationTypeView },
      },
    },
    async (request, reply) => {
      const { key, type } = await relationTypes.create(request.ctx, request.body);
      return sendType(
        request,
        reply.header('location', `/api/v1/metamodel/relation-types/${key}`),
        type ?? relationTypes.get(key),
        201,
      );
    },
  );

  app.get(
    '/relation-types/:key',
    {
      config: { access: read },
      schema: {
        operationId: 'getRelationType',
        summary: 'A relation type',
        tags,
        params: KeyParams,
        response: { 200: RelationTypeView },
      },
    },
    (request, reply) => sendType(request, reply, relationTypes.get(request.params.key)),
  );

  app.patch(
    '/relation-types/:key',
    {
      config: { access: manage, idempotent: true, conditional: true, bodyValues: TYPE_VALUES },
      schema: {
        operationId: 'updateRelationType',
        summary: 'Change a relation type by merge patch',
        description: 'Values in use by relations cannot be removed: 409 `in_use` with `counts`.',
        tags,
        params: KeyParams,
        body: RelationTypePatch,
        response: { 200: RelationTypeView },
      },
    },
    async (request, reply) => {
      const { key, type } = await relationTypes.update(request.ctx, request.params.key, request.body);
      return sendType(request, reply, type ?? relationTypes.get(key));
    },
  );

  app.delete(
    '/relation-types/:key',
    {
      config: { access: manage, conditional: true },
      schema: {
        operationId: 'deleteRelationType',
        summary: 'Delete a relation type without relations',
        tags,
        params: KeyParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await relationTypes.remove(request.ctx, request.params.key);
      return sendNothing(reply);
    },
  );

  app.get(
    '/revisions',
    {
      config: { access: read },
      schema: {
        operationId: 'listMetamodelRevisions',
        summary: 'Changes of the metamodel, the latest first',
        tags,
        querystring: RevisionQuery,
        response: { 200: RevisionPage },
      },
    },
    async (request, reply) => sendPage(request, reply, await metamodel.listRevisions(request.query)),
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: Services }>;
