import { FileResponse, IdParams, Type, type ModuleRoutes } from '@lintel/sdk';
import type { AdrExportService } from './export-service.js';
import { FORM_LIMITS, ImportBody, ImportQuery, ImportResult } from './import-schemas.js';
import type { AdrImportService } from './import-service.js';
import { MANAGE, VIEW } from './permissions.js';
import { AdrFilters } from './schemas.js';
import type { Settings } from './settings.js';

const tags = ['adr'];
interface MarkdownServices {
  imports: AdrImportService;
  exports: AdrExportService;
}

/** A separate scope, because it accepts multipart forms instead of JSON. */
const uploadRoutes: ModuleRoutes<Pick<MarkdownServices, 'imports'>, Settings> = async (
  app,
  { services: { imports }, host: { http } },
) => {
  await http.takeForms(app, FORM_LIMITS);
  app.post(
    '/import',
    {
      config: { access: { permission: MANAGE }, idempotent: true },
      bodyLimit: FORM_LIMITS.bytes,
      schema: {
        operationId: 'importAdrs',
        summary: 'Import architecture decision records in Markdown',
        tags,
        querystring: ImportQuery,
        body: ImportBody as never,
        response: { 200: ImportResult },
        description:
          'Files in the form of MADR, of any generation, or as Nygard has them, and ZIP archives of such; up to 1,000 files, 20 MiB and 1 MiB each. A file that was imported before is known by its path and its content.',
      },
    },
    async (request, reply) => {
      const files = await http.upload(request, reply, 'files', FORM_LIMITS);
      return await imports.import(request.ctx, files, request.query);
    },
  );
};

/** Import and export of architecture decisions as Markdown files. */
export const markdownRoutes: ModuleRoutes<MarkdownServices, Settings> = async (
  app,
  { services: { imports, exports }, host },
) => {
  const { http } = host;
  app.get(
    '/:id.md',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'getAdrMarkdown',
        summary: 'An architecture decision as Markdown',
        tags,
        params: IdParams,
        description:
          'In the format of MADR; an imported decision is returned as its file, edited where the decision was changed after the import.',
        response: {
          200: {
            description: 'The record.',
            content: {
              'text/markdown': {
                schema: Type.String({
                  examples: ['# Use PostgreSQL\n\n## Context and Problem Statement\n\nOrders need transactions.\n'],
                }),
              },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { name, ...file } = await exports.markdown(request.params.id);
      reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`);
      return http.sendBytes(request, reply, file);
    },
  );

  app.get(
    '/export.zip',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'exportAdrs',
        summary: 'Architecture decisions as an archive of Markdown files',
        tags,
        querystring: AdrFilters,
        description: 'Each decision once: its revision in force, or else its latest.',
        response: {
          200: FileResponse('application/zip', 'The archive.'),
        },
      },
    },
    async (request, reply) =>
      http.sendStream(reply, 'application/zip', 'adr.zip', await exports.archive(request.ctx, request.query)),
  );

  await app.register(uploadRoutes, { services: { imports }, host });
};
