import { FileResponse, IdParams, Strict, Type, Uuid, type ModuleRoutes } from '@lintel/sdk';
import type { Comparison } from '../comparison/service.js';
import { DiffQuery, SoawDiff } from '../comparison/schemas.js';
import type { Host } from '../basics.js';
import { documents } from '../documents/resource.js';
import { TYPES, type DocumentFiles } from '../files/service.js';
import { VIEW, WRITERS } from '../permissions.js';
import type { RenditionKind } from '../rendering/renderings.js';
import { checkSections } from '../sections/checks.js';
import { sectionsOfDocument } from '../sections/known.js';
import { SECTION_KEY, SectionBody, type Section, type StoredSection } from '../sections/schema.js';
import type { SectionService } from '../sections/service.js';
import type { Settings } from '../settings.js';
import { withHiddenFilters } from '../tables/filters.js';
import { SoawTables } from '../tables/schemas.js';

export interface DocumentServices {
  documents: ReturnType<typeof documents.service>;
  sections: SectionService;
  files: DocumentFiles;
  comparison: Comparison;
}

const tags = ['soaw'];
const SectionParams = Strict({ id: Uuid(), key: Type.String({ maxLength: 50, pattern: SECTION_KEY }) });

/**
 * The routes of a resource whose bodies have sections, which are checked before the transaction.
 * @param storedOf the sections that a document or template has; undefined if it does not exist
 */
export function withSections(
  routes: ModuleRoutes<never, Settings>,
  storedOf: (host: Host, id: string) => Promise<StoredSection[] | undefined>,
): ModuleRoutes<unknown, Settings> {
  return async (app, { services, host }) => {
    app.addHook('preHandler', async (request) => {
      const body = request.body as { sections?: Section[] } | null | undefined;
      if (!body?.sections) return;
      await checkSections(host, request.ctx, body.sections);
      const { id } = request.params as { id?: string };
      const known = id === undefined ? undefined : await storedOf(host, id);
      if (known) body.sections = withHiddenFilters(known, body.sections);
    });
    await app.register(routes, { services: services as never, host });
  };
}

/** Documents, their sections, live tables, files and differences. */
export const documentRoutes: ModuleRoutes<DocumentServices, Settings> = async (app, { services, host }) => {
  const { http } = host;
  await app.register(withSections(documents.routes as never, sectionsOfDocument), {
    services: services.documents,
    host,
  });

  app.put(
    '/:id/sections/:key',
    {
      config: { access: WRITERS, conditional: true },
      schema: {
        operationId: 'setSoawSection',
        summary: 'Set a section of a draft, adding it at the end if it has none of this key',
        tags,
        params: SectionParams,
        body: SectionBody,
        response: { 200: documents.view },
      },
    },
    async (request, reply) => {
      const { id, key } = request.params;
      const { resource } = await services.sections.put(request.ctx, id, key, request.body);
      return http.sendResource(request, reply, resource) as never;
    },
  );

  app.get(
    '/:id/tables',
    {
      config: { access: { permission: VIEW }, costly: true },
      schema: {
        operationId: 'getSoawTables',
        summary: 'The live tables of a statement of architecture work',
        description:
          'Of a draft as they are now; otherwise as they were when signatures were requested. In both cases as the caller may see them: rows about hidden cards are missing, and amounts are withheld, with limits and sums over the rows that are shown. Tables whose frozen rows depend on what the caller may not see have none.',
        tags,
        params: IdParams,
        response: { 200: SoawTables },
      },
    },
    async (request, reply) => {
      const { state, shown, tables, extent } = await services.files.tables(request.ctx, request.params.id);
      const body = {
        frozen: state.frozen !== null,
        computed_at: shown.at,
        currency: shown.currency,
        nonce: extent.is_whole ? (state.frozen?.nonce ?? null) : null,
        tables,
      };
      // Computed now: the time of a draft would make every answer a new one.
      const derived = { ...body, computed_at: state.frozen && shown.at };
      return http.sendResource(request, reply, { version: state.version, derived, body });
    },
  );

  app.get(
    '/:id/diff',
    {
      config: { access: { permission: VIEW }, costly: true },
      schema: {
        operationId: 'getSoawDiff',
        summary: 'What has changed between two revisions',
        tags,
        params: IdParams,
        querystring: DiffQuery,
        response: { 200: SoawDiff },
      },
    },
    async (request) => await services.comparison.diff(request.ctx, request.params.id, request.query.with),
  );

  const file = (kind: RenditionKind, operationId: string, format: string): void => {
    app.get(
      `/:id.${kind}`,
      {
        config: { access: { permission: VIEW }, costly: true },
        schema: {
          operationId,
          summary: `A statement of architecture work as ${format}`,
          description:
            'A signed document is returned as it was stored after the last signature, to callers who may not see costs in a version without amounts. What else the caller may not see is withheld.',
          tags,
          params: IdParams,
          response: { 200: FileResponse(TYPES[kind].split(';')[0]!, 'The document.') },
        },
      },
      async (request, reply) => {
        const { name, ...bytes } = await services.files.file(request.ctx, request.params.id, kind);
        reply.header('content-disposition', `attachment; filename="${name}"`);
        return http.sendBytes(request, reply, bytes);
      },
    );
  };
  file('docx', 'getSoawDocx', 'a Word document');
  file('md', 'getSoawMarkdown', 'Markdown');
  file('html', 'getSoawHtml', 'HTML');
};
