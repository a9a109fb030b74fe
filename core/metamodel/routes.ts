import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Services } from '../container.js';
import { problem } from '../errors.js';
import { pageOf } from '../http/memory-page.js';
import { Page } from '../http/schemas.js';
import { sendPage, sendResource } from '../http/respond.js';
import type { CardType, RelationType } from './metamodel.js';
import { CardTypeView, KeyParams, MetamodelQuery, RelationTypeView } from './schemas.js';

const view = (t: CardType | RelationType) => ({ ...t.definition, updated_at: t.updatedAt, version: t.version });

/** Reads of the metamodel, for any logged-in user; it is in memory, so these ask no database. */
export default (async (app, { services: { metamodel } }) => {
  const access = 'authenticated' as const;
  const tags = ['metamodel'];

  app.get('/types', {
    config: { access },
    schema: { operationId: 'listCardTypes', summary: 'Card types', tags, querystring: MetamodelQuery, response: { 200: Page(CardTypeView) } },
  }, (request, reply) => sendPage(request, reply, pageOf([...metamodel.current.types.values()].map(view), 'key', 'sort_order', request.query)));

  app.get('/types/:key', {
    config: { access },
    schema: { operationId: 'getCardType', summary: 'A card type', tags, params: KeyParams, response: { 200: CardTypeView } },
  }, (request, reply) => {
    const type = metamodel.current.types.get(request.params.key);
    if (!type) throw problem('not_found');
    return sendResource(request, reply, { version: type.version, body: view(type) });
  });

  app.get('/relation-types', {
    config: { access },
    schema: { operationId: 'listRelationTypes', summary: 'Relation types', tags, querystring: MetamodelQuery, response: { 200: Page(RelationTypeView) } },
  }, (request, reply) => sendPage(request, reply, pageOf([...metamodel.current.relationTypes.values()].map(view), 'key', 'sort_order', request.query)));

  app.get('/relation-types/:key', {
    config: { access },
    schema: { operationId: 'getRelationType', summary: 'A relation type', tags, params: KeyParams, response: { 200: RelationTypeView } },
  }, (request, reply) => {
    const type = metamodel.current.relationTypes.get(request.params.key);
    if (!type) throw problem('not_found');
    return sendResource(request, reply, { version: type.version, body: view(type) });
  });
}) satisfies FastifyPluginAsyncTypebox<{ services: Services }>;
