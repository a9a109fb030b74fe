import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { CardReads } from './list/reads.js';
import { IdParams, Page } from '../../foundation/http/schemas.js';
import { sendPageText, sendResourceText } from '../../foundation/http/respond.js';
import {
  CardQuery,
  CardViewQuery,
  FacetQuery,
  FacetView,
  HierarchyQuery,
  HierarchyView,
  ListedCard,
} from './query-schemas.js';
import { CardView } from './schemas.js';

const ATTRIBUTES =
  'Attribute filters are query parameters as well: `attributes.<key>` (any of several comma-separated values), and with an operator in brackets `[ne]`, `[gt]`, `[gte]`, `[lt]`, `[lte]`, `[contains]`, `[empty]`, such as `attributes.numberOfUsers[gte]=100`. Dates of the life cycle are filtered by `lifecycle.<phase>` with `[gt]`, `[gte]`, `[lt]`, `[lte]`, `[empty]`, such as `lifecycle.endOfLife[lt]=2027-01-01`, and `lifecycle[empty]`.';

/** Read routes of cards. */
export default (async (app, { services: { cardReads } }) => {
  const tags = ['cards'];

  app.get(
    '',
    {
      config: { access: { permission: 'cards.view' } },
      schema: {
        operationId: 'listCards',
        summary: 'Cards, filtered, sorted, by page or cursor',
        tags,
        description: ATTRIBUTES,
        querystring: CardQuery,
        response: { 200: Page(ListedCard) },
      },
    },
    async (request, reply) => sendPageText(request, reply, await cardReads.list(request.ctx, request.query)),
  );

  app.get(
    '/facets',
    {
      config: { access: { permission: 'cards.view' }, costly: true },
      schema: {
        operationId: 'getCardFacets',
        summary: 'How many cards of the filters there are, by type, status, tag and select field',
        tags,
        description: ATTRIBUTES,
        querystring: FacetQuery,
        response: { 200: FacetView },
      },
    },
    (request) => cardReads.facets(request.ctx, request.query),
  );

  app.get(
    '/:id/hierarchy',
    {
      config: { access: { permission: 'cards.view' }, costly: true },
      schema: {
        operationId: 'getCardHierarchy',
        summary: 'The ancestors and descendants of a card',
        tags,
        params: IdParams,
        querystring: HierarchyQuery,
        response: { 200: HierarchyView },
      },
    },
    (request) => cardReads.hierarchy(request.ctx, request.params.id, request.query.depth ?? 1),
  );

  app.get(
    '/:id',
    {
      config: { access: { permission: 'cards.view' } },
      schema: {
        operationId: 'getCard',
        summary: 'A card',
        tags,
        params: IdParams,
        querystring: CardViewQuery,
        response: { 200: CardView },
      },
    },
    async (request, reply) => {
      const { bytes, version, derived } = await cardReads.expanded(request.ctx, request.params.id, request.query);
      return sendResourceText(request, reply, { version, body: bytes, derived });
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { cardReads: CardReads } }>;
