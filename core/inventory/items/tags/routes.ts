import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { CardTagService } from './service.js';
import { IdParams } from '../../../foundation/http/schemas.js';
import { sendPage } from '../../../foundation/http/respond.js';
import { CardTagPage, CardTagQuery, CardTags } from './schemas.js';

/** Routes below `/cards`. */
export default (async (app, { services: { cardTags } }) => {
  const tags = ['cards'];

  app.get(
    '/:id/tags',
    {
      config: { access: { permission: 'cards.view' } },
      schema: {
        operationId: 'listCardTags',
        summary: 'Tags of a card',
        tags,
        params: IdParams,
        querystring: CardTagQuery,
        response: { 200: CardTagPage },
      },
    },
    async (request, reply) =>
      sendPage(request, reply, await cardTags.list(request.ctx, request.params.id, request.query)),
  );

  app.put(
    '/:id/tags',
    {
      config: { access: { permission: 'cards.edit', card: 'id', cardPermission: 'card.edit' }, conditional: true },
      schema: {
        operationId: 'replaceCardTags',
        summary: 'Make these the tags of a card',
        tags,
        params: IdParams,
        body: CardTags,
        response: { 200: CardTagPage },
        description:
          'Neither the version of the card nor its approval changes; its score does. `If-Match` names the version of the card.',
      },
    },
    async (request, reply) => {
      await cardTags.replace(request.ctx, request.params.id, request.body.tag_ids);
      return sendPage(request, reply, await cardTags.list(request.ctx, request.params.id, {}));
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { cardTags: CardTagService } }>;
