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
      module: Type.String({ description: 'Id of the module the section is of.' }),
      title: Type.String(),
      value: Type.Unknown({ description: 'As the module describes it; null where it could not be loaded.' }),
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
        summary: 'What modules say of a card',
        tags: ['cards'],
        params: IdParams,
        querystring: SectionQuery,
        response: { 200: SectionPage },
        description:
          'Of the modules that are on, and of what the caller may see. A section that cannot be loaded says so; the others are not harmed.',
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
