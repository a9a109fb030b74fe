import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Services } from '../container.js';
import { IdParams, Page } from '../http/schemas.js';
import { sendPageText, sendResource, sendStream } from '../http/respond.js';
import { CardQuery, ExportQuery } from './query-schemas.js';
import { CardView } from './schemas.js';

/** Reads of cards. */
export default (async (app, { services: { cardReads } }) => {
  const tags = ['cards'];

  app.get('', {
    config: { access: { permission: 'cards.view' } },
    schema: { operationId: 'listCards', summary: 'Cards, filtered, sorted, by page or cursor', tags, querystring: CardQuery, response: { 200: Page(CardView) } },
  }, async (request, reply) => sendPageText(request, reply, await cardReads.list(request.ctx, request.query)));

  app.get('/export', {
    config: { access: { permission: 'cards.export' } },
    schema: { operationId: 'exportCards', summary: 'All cards of the filters, streamed', tags, querystring: ExportQuery, response: { 200: { description: 'One card a line.', content: { 'application/x-ndjson': { schema: CardView } } } } },
  }, async (request, reply) => {
    const { format: _format, ...filters } = request.query;
    return sendStream(reply, 'application/x-ndjson; charset=utf-8', 'cards.ndjson', await cardReads.export(request.ctx, filters));
  });

  app.get('/:id', {
    config: { access: { permission: 'cards.view' } },
    schema: { operationId: 'getCard', summary: 'A card', tags, params: IdParams, response: { 200: CardView } },
  }, async (request, reply) => {
    const { json, version, derived } = await cardReads.get(request.ctx, request.params.id);
    return sendResource(request, reply, { version, body: json, derived });
  });
}) satisfies FastifyPluginAsyncTypebox<{ services: Services }>;
