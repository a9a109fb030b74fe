import type { FastifyReply, FastifyRequest } from 'fastify';
import { FileResponse, FilesForm, IdParams, Strict, Type, Uuid, type ModuleRoutes } from '@lintel/sdk';
import { DRAWIO_TYPE, type NamedFile } from '../file-service.js';
import { MANAGE, VIEW, WRITERS } from '../permissions.js';
import {
  DiagramView,
  DrawingFacts,
  DrawingQuery,
  FileQuery,
  VersionPage,
  VersionParams,
  VersionQuery,
  VersionView,
} from '../schemas.js';
import type { DiagramsServices } from '../services.js';
import { MOST_BYTES, type Settings } from '../settings.js';

const tags = ['diagrams'];
const params = IdParams;
const access = { permission: VIEW };
const ONE_FILE = { files: 1, bytes: MOST_BYTES };
const MANY_FILES = { files: 20, bytes: 20 * 1024 * 1024 };
/** Opened as a document, a drawing cannot load or run anything. */
const DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups";
const DRAWINGS = { svg: 'image/svg+xml', png: 'image/png' } as const;

/** Separate scopes, because they accept forms instead of JSON. */
const uploadRoutes: ModuleRoutes<DiagramsServices, Settings> = async (app, { services, host: { http } }) => {
  await http.takeForms(app, MANY_FILES);
  app.put(
    '/:id.drawio',
    {
      config: { access: WRITERS, conditional: true, costly: true },
      bodyLimit: ONE_FILE.bytes,
      schema: {
        operationId: 'replaceDiagramFile',
        summary: 'Replace the file of a diagram',
        description:
          'The new content is a new version. Shapes of cards that the caller does not see are kept as they are.',
        tags,
        params,
        body: FilesForm('files', 'One draw.io file.') as never,
        response: { 200: DiagramView },
      },
    },
    async (request, reply) => {
      const [file] = await http.upload(request, reply, 'files', ONE_FILE);
      const { id } = request.params;
      const row = await services.saving.replaceFile(request.ctx, id, file!.bytes);
      return http.sendResource(request, reply, await services.diagrams.written(request.ctx, id, row));
    },
  );

  app.post(
    '/import',
    {
      config: { access: { permission: MANAGE }, idempotent: true, costly: true },
      bodyLimit: MANY_FILES.bytes,
      schema: {
        operationId: 'importDiagrams',
        summary: 'Create diagrams from draw.io files',
        description:
          'Up to 20 files, each a diagram with the name of the file; all or none. Shapes without references to cards can be matched afterwards.',
        tags,
        querystring: Strict({ group_id: Type.Optional(Uuid({ description: 'The group of the new diagrams.' })) }),
        body: FilesForm('files', 'draw.io files.') as never,
        response: {
          200: Type.Object(
            {
              diagrams: Type.Array(Type.Object({ file: Type.String(), id: Uuid(), name: Type.String() }), {
                description: 'In the order of the files.',
              }),
            },
            {
              examples: [
                {
                  diagrams: [{ file: 'billing.drawio', id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b', name: 'billing' }],
                },
              ],
            },
          ),
        },
      },
    },
    async (request, reply) => ({
      diagrams: await services.imports.create(
        request.ctx,
        await http.upload(request, reply, 'files', MANY_FILES),
        request.query.group_id ?? null,
      ),
    }),
  );
};

/** The content of diagrams and of their versions. */
export const fileRoutes: ModuleRoutes<DiagramsServices, Settings> = async (app, { services, host }) => {
  const { http } = host;
  const { files, saving } = services;
  const send = (request: FastifyRequest, reply: FastifyReply, { name, ...file }: NamedFile) => {
    const isDrawing = file.type !== DRAWIO_TYPE;
    const disposition = isDrawing ? 'inline' : 'attachment';
    reply.header('content-disposition', `${disposition}; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`);
    if (isDrawing) reply.header('content-security-policy', DRAWING_POLICY);
    return http.sendBytes(request, reply, file);
  };
  const drawioResponse = { 200: FileResponse(DRAWIO_TYPE, 'The draw.io file.') };

  app.get(
    '/:id.drawio',
    {
      config: { access, costly: true },
      schema: {
        operationId: 'getDiagramFile',
        summary: 'The draw.io file of a diagram',
        description:
          'Shapes whose label was the name of their card have its current name, and the current colour of its type where they had its colour; archived cards are dashed. Cards that the caller does not see are masked, with ids (`hidden-…`) by which they are recognised when the file is saved.',
        tags,
        params,
        querystring: FileQuery,
        response: drawioResponse,
      },
    },
    async (request, reply) => send(request, reply, await files.drawio(request.ctx, request.params.id, request.query)),
  );

  for (const [as, type] of Object.entries(DRAWINGS) as ['svg' | 'png', string][])
    app.get(
      `/:id.${as}`,
      {
        config: { access, costly: true },
        schema: {
          operationId: `getDiagram${as === 'svg' ? 'Svg' : 'Png'}`,
          summary: `A page of a diagram as ${as.toUpperCase()}`,
          tags,
          params,
          querystring: DrawingQuery,
          response: { 200: FileResponse(type, 'The drawing.') },
        },
      },
      async (request, reply) =>
        send(request, reply, await files.drawing(request.ctx, request.params.id, as, request.query)),
    );

  app.get(
    '/:id/drawing',
    {
      config: { access, costly: true },
      schema: {
        operationId: 'getDiagramDrawing',
        summary: 'The size of a drawing, and the shapes that are not drawable',
        tags,
        params,
        querystring: DrawingQuery,
        response: { 200: DrawingFacts },
      },
    },
    async (request) => files.facts(request.ctx, request.params.id, request.query),
  );

  app.get(
    '/:id/versions',
    {
      config: { access },
      schema: {
        operationId: 'listDiagramVersions',
        summary: 'The versions of the content of a diagram',
        tags,
        params,
        querystring: VersionQuery,
        response: { 200: VersionPage },
      },
    },
    async (request, reply) => http.sendPage(request, reply, await files.versions(request.params.id, request.query)),
  );

  app.get(
    '/:id/versions/:number',
    {
      config: { access },
      schema: {
        operationId: 'getDiagramVersion',
        summary: 'A version, and what was removed from its file',
        tags,
        params: VersionParams,
        response: { 200: VersionView },
      },
    },
    async (request, reply) => {
      const body = await files.version(request.ctx, request.params.id, request.params.number);
      return http.sendResource(request, reply, { version: body.number, derived: [body.pages, body.removed], body });
    },
  );

  app.get(
    '/:id/versions/:number.drawio',
    {
      config: { access, costly: true },
      schema: {
        operationId: 'getDiagramVersionFile',
        summary: 'The draw.io file of a version, as the caller sees it now',
        tags,
        params: VersionParams,
        querystring: FileQuery,
        response: drawioResponse,
      },
    },
    async (request, reply) => {
      const { id, number } = request.params;
      return send(request, reply, await files.drawio(request.ctx, id, request.query, number));
    },
  );

  app.get(
    '/:id/versions/:number.svg',
    {
      config: { access, costly: true },
      schema: {
        operationId: 'getDiagramVersionSvg',
        summary: 'A page of a version as SVG',
        tags,
        params: VersionParams,
        querystring: DrawingQuery,
        response: { 200: FileResponse(DRAWINGS.svg, 'The drawing.') },
      },
    },
    async (request, reply) => {
      const { id, number } = request.params;
      return send(request, reply, await files.drawing(request.ctx, id, 'svg', request.query, number));
    },
  );

  app.post(
    '/:id/versions/:number/restore',
    {
      config: { access: WRITERS, idempotent: true, conditional: true, costly: true },
      schema: {
        operationId: 'restoreDiagramVersion',
        summary: 'Make the content of a version the current one again, as a new version',
        tags,
        params: VersionParams,
        response: { 200: DiagramView },
      },
    },
    async (request, reply) => {
      const { id, number } = request.params;
      const row = await saving.restore(request.ctx, id, number);
      return http.sendResource(request, reply, await services.diagrams.written(request.ctx, id, row));
    },
  );

  await app.register(uploadRoutes, { services, host });
};
