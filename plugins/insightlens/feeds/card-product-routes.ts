import { IdParams, NoContent, type ModuleRoutes } from '@lintel/sdk';
import { MANAGERS, READERS } from '../permissions.js';
import type { InsightLensServices } from '../services.js';
import type { Settings } from '../settings.js';
import { CardProduct, CardProductView, MatchPage, MatchQuery, UnmatchedQuery } from './schemas.js';

const tags = ['insightlens'];

/** Products of cards: what was found out, and decisions. */
export const cardProductRoutes: ModuleRoutes<InsightLensServices, Settings> = async (app, { services, host }) => {
  const { http } = host;
  const { cardProducts } = services;

  app.get(
    '/feeds/matched',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listInsightMatchedCards',
        summary: 'Cards with the products that the last analysis has found for them',
        tags,
        querystring: MatchQuery,
        response: { 200: MatchPage },
      },
    },
    async (request, reply) => http.sendPage(request, reply, await cardProducts.matched(request.ctx, request.query)),
  );

  app.get(
    '/feeds/unmatched',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listInsightUnmatchedCards',
        summary: 'Cards for which a feed could not be used, with the reasons',
        description:
          'Without a product of that name, with several, or with a version that is missing, less exact than the releases, or in no known form: nothing is guessed.',
        tags,
        querystring: UnmatchedQuery,
        response: { 200: MatchPage },
      },
    },
    async (request, reply) => http.sendPage(request, reply, await cardProducts.unmatched(request.ctx, request.query)),
  );

  app.get(
    '/card-products/:id',
    {
      config: { access: READERS },
      schema: {
        operationId: 'getInsightCardProduct',
        summary: 'What people have decided about the product of a card',
        tags,
        params: IdParams,
        response: { 200: CardProductView },
      },
    },
    async (request, reply) => {
      const found = await cardProducts.get(request.ctx, request.params.id);
      return http.sendResource(request, reply, { version: found.version, body: found });
    },
  );

  app.put(
    '/card-products/:id',
    {
      config: { access: MANAGERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'putInsightCardProduct',
        summary: 'Decide which product a card is',
        description:
          'It takes the place of what is found by name, from the next analysis on, and is kept when cards are renamed and feeds are replaced. Without any member the card is no product of the feeds.',
        tags,
        params: IdParams,
        body: CardProduct,
        response: { 200: CardProductView },
      },
    },
    async (request, reply) => {
      const found = await cardProducts.put(request.ctx, request.params.id, request.body);
      return http.sendResource(request, reply, { version: found.version, body: found });
    },
  );

  app.delete(
    '/card-products/:id',
    {
      config: { access: MANAGERS, conditional: true },
      schema: {
        operationId: 'deleteInsightCardProduct',
        summary: 'Find out the product of a card by its name again',
        tags,
        params: IdParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await cardProducts.remove(request.ctx, request.params.id);
      return http.sendNothing(reply);
    },
  );
};
