import multipart from '@fastify/multipart';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FileStore } from '../../foundation/files/index.js';
import type { ImportFormats } from './formats.js';
import type { ImportService } from './service.js';
import { dropBody } from '../../foundation/http/body-stream.js';
import { IdParams, NoContent } from '../../foundation/http/schemas.js';
import { sendNothing, sendPage, sendResource } from '../../foundation/http/respond.js';
import { pageOf } from '../../foundation/http/memory-page.js';
import {
  FormatPage,
  FormatQuery,
  ImportPage,
  ImportQuery,
  ImportView,
  RowPage,
  RowQuery,
  UploadBody,
  UploadQuery,
} from './schemas.js';
import { FORM_LIMITS, MAX_FORM, receive, UPLOAD_LIMIT } from './parse/upload.js';

interface Services {
  imports: ImportService;
  importFormats: ImportFormats;
  files: FileStore;
}

const tags = ['imports'];
const access = { permission: 'cards.import' };

function sendImport(request: FastifyRequest, reply: FastifyReply, body: ImportView, status = 200) {
  const { state, progress } = body;
  return sendResource(request, reply, { status, version: body.version, derived: [state, progress], body });
}

/** Only the upload: a file is not JSON, and is stored while it arrives. */
const upload = (async (app, { services }) => {
  app.removeAllContentTypeParsers();
  await app.register(multipart, { limits: FORM_LIMITS });
  // The handler reads the body.
  app.addContentTypeParser('*', (_request: FastifyRequest, _payload: unknown, done: (error: null) => void) =>
    done(null),
  );
  const { validatorCompiler } = app;

  app.post(
    '',
    {
      config: { access, idempotent: true, streamsBody: true },
      bodyLimit: UPLOAD_LIMIT,
      validatorCompiler: (route) => (route.httpPart === 'body' ? () => true : validatorCompiler!(route)),
      schema: {
        operationId: 'createImport',
        summary: 'Upload a file to import',
        tags,
        querystring: UploadQuery,
        body: UploadBody as never,
        response: { 202: ImportView },
        description:
          'CSV, NDJSON, ArchiMate exchange XML or what a module reads (`GET /imports/formats`), up to 100 MiB, as the field `file` of a form or as the body itself. It is read in the background; nothing changes before it is applied.',
      },
    },
    async (request, reply) => {
      const received = await services.imports.uploads
        .run(request.ctx.actor!.id, () => receive(request, services, request.query))
        .catch(async (error: unknown) => {
          await dropBody(request, reply, UPLOAD_LIMIT + MAX_FORM);
          throw error;
        });
      const view = await services.imports.create(request.ctx, received);
      return sendImport(request, reply.header('location', `/api/v1/imports/${view.id}`), view, 202);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: Services }>;

export default (async (app, { services }) => {
  const { imports, importFormats } = services;
  await app.register(upload, { services });

  app.get(
    '',
    {
      config: { access },
      schema: {
        operationId: 'listImports',
        summary: 'Imports, the latest first',
        tags,
        querystring: ImportQuery,
        response: { 200: ImportPage },
      },
    },
    async (request, reply) => sendPage(request, reply, await imports.list(request.query)),
  );

  app.get(
    '/formats',
    {
      config: { access },
      schema: {
        operationId: 'listImportFormats',
        summary: 'What an import may be made of',
        tags,
        querystring: FormatQuery,
        response: { 200: FormatPage },
        description: 'The formats of the core, and those of the modules that are on.',
      },
    },
    async (request, reply) =>
      sendPage(request, reply, pageOf(importFormats.list(), 'id', 'id', request.query, 'import formats')),
  );

  app.get(
    '/:id',
    {
      config: { access },
      schema: {
        operationId: 'getImport',
        summary: 'An import and how far it is',
        tags,
        params: IdParams,
        response: { 200: ImportView },
      },
    },
    async (request, reply) => sendImport(request, reply, await imports.get(request.params.id)),
  );

  app.get(
    '/:id/rows',
    {
      config: { access },
      schema: {
        operationId: 'listImportRows',
        summary: 'What becomes of each row, as a diff',
        tags,
        params: IdParams,
        querystring: RowQuery,
        response: { 200: RowPage },
      },
    },
    async (request, reply) =>
      sendPage(request, reply, await imports.rows(request.ctx, request.params.id, request.query)),
  );

  app.post(
    '/:id/apply',
    {
      config: { access, idempotent: true, conditional: true },
      schema: {
        operationId: 'applyImport',
        summary: 'Write the rows in the background',
        tags,
        params: IdParams,
        response: { 202: ImportView },
        description:
          'As the caller, and with the rights of the caller. The import of another user takes all rights that its rows need: to see, create or edit cards of each type, to see costs that are set, and to see and manage relations.',
      },
    },
    async (request, reply) => sendImport(request, reply, await imports.apply(request.ctx, request.params.id), 202),
  );

  app.delete(
    '/:id',
    {
      config: { access, conditional: true },
      schema: {
        operationId: 'deleteImport',
        summary: 'Remove an import, or stop one that is being applied',
        tags,
        params: IdParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await imports.remove(request.ctx, request.params.id);
      return sendNothing(reply);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: Services }>;
