import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { HostServices } from '../services.js';
import { pageOf } from '../../foundation/http/memory-page.js';
import { sendPage } from '../../foundation/http/respond.js';
import { IdParams, Nullable, Page, PageQuery, SortBy, Strict } from '../../foundation/http/schemas.js';

const SectionPage = Page(
  Type.Object(
    {
      id: Type.String({ description: 'The module’s id and the section’s key within it.' }),
      module: Type.String({ description: 'Id of the module that provides the section.' }),
      title: Type.String(),
      value: Type.Unknown({ description: 'Described by the module; null if it could not be loaded.' }),
      error: Nullable(Type.Literal('unavailable')),
    },
    {
      examples: [
        { id: 'adr.decisions', module: 'adr', title: 'Decisions', value: { open: 1, signed: 3 }, error: null },
      ],
    },
  ),
);
const SectionQuery = Strict({ ...PageQuery, sort_by: SortBy('id', 'title') });

/** Sections that modules add to a card. */
export default (async (app, { services: { cardSections } }) => {
  app.get(
    '/:id/sections',
    {
      config: { access: { permission: 'cards.view' } },
      schema: {
        operationId: 'listCardSections',
        summary: 'Sections that modules add to a card',
        tags: ['cards'],
        params: IdParams,
        querystring: SectionQuery,
        response: { 200: SectionPage },
        description:
          'Sections of the enabled modules that the caller may see. A section that cannot be loaded is marked as unavailable and does not affect the others.',
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      return sendPage(
        request,
        reply,
        pageOf(await cardSections.of(request.ctx, id), 'id', 'id', request.query, `sections ${id}`),
      );
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: HostServices }>;
