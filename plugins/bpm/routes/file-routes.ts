import { FileResponse, FilesForm, type ModuleRoutes, type Problem } from '@lintel/sdk';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Host } from '../basics.js';
import { MAX_BYTES } from '../basics.js';
import { EDITORS, READERS } from '../permissions.js';
import type { BpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import {
  FILE_TYPES,
  FORM_LIMITS,
  FileBody,
  FileQuery,
  ProcessParams,
  VersionCreateBody,
  VersionParams,
  VersionView,
  type VersionCreate,
} from '../versions/schemas.js';
import type { VersionResource } from '../versions/views.js';

const tags = ['bpm'];
const PATH = '/processes/:card_id/flow/versions';
/** Opened as a document, the file cannot load or run anything; browsers save it. */
export const FILE_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};

type FileRequest = FastifyRequest<{ Params: { card_id: string; version_id: string } }>;

/** The name of a saved file, for Content-Disposition. */
export const attachment = (name: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)}`;

/** The name of a file in a form, which can have any characters, as text that can be stored. */
const fileNameOf = (name: string): string =>
  name
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed();

/** Makes the routes of a scope accept BPMN files as bodies, and validate other bodies as usual. */
export function takeFiles(app: FastifyInstance, host: Host): void {
  app.addContentTypeParser(FILE_TYPES, { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (request, body, done) => {
    const isPlain = ['', 'identity'].includes(request.headers['content-encoding'] ?? '');
    done(isPlain ? null : compressed(host), body);
  });
  const { validatorCompiler } = app;
  app.setValidatorCompiler((route) => {
    const check = validatorCompiler!(route);
    return route.httpPart === 'body' ? (value) => Buffer.isBuffer(value) || check(value) : check;
  });
}

const compressed = (host: Host): Problem => host.invalid({ field: '', reason: 'must not be compressed' });

/** The file that a request has as its body. @throws validation_failed without one */
export function fileOf(host: Host, { body }: FastifyRequest): Buffer {
  if (Buffer.isBuffer(body) && body.length > 0) return body;
  throw host.invalid({ field: '', reason: `must be a BPMN file, of the type ${FILE_TYPES.join(' or ')}` });
}

/** Creating versions, and the files of versions. */
export const fileRoutes: ModuleRoutes<BpmServices, Settings> = async (app, { services, host }) => {
  const { versions, content } = services;
  const { http } = host;
  takeFiles(app, host);

  async function created(request: FastifyRequest, reply: FastifyReply, cardId: string, version: VersionResource) {
    reply.header('location', `/api/v1/bpm/processes/${cardId}/flow/versions/${version.body.id}`);
    return http.sendResource(request, reply, { status: 201, ...version });
  }

  app.post(
    PATH,
    {
      config: { access: EDITORS, idempotent: true, costly: true },
      bodyLimit: MAX_BYTES,
      schema: {
        operationId: 'createBpmVersion',
        summary: 'Create a draft from nothing, a template, an earlier version or a file',
        tags,
        params: ProcessParams,
        querystring: FileQuery,
        body: VersionCreateBody as never,
        response: { 201: VersionView },
        description:
          'JSON names what the draft is made from; a BPMN file of up to 20 MiB is the body itself, and `title`, `comment` and `file_name` are then in the query. Links of elements are carried over by BPMN id from the version named, for a file from the published or otherwise the latest version.',
      },
    },
    async (request, reply) => {
      const { card_id } = request.params;
      const body: unknown = request.body;
      const version = Buffer.isBuffer(body)
        ? await versions.upload(request.ctx, card_id, fileOf(host, request), request.query)
        : await versions.create(request.ctx, card_id, body as VersionCreate);
      return created(request, reply, card_id, version);
    },
  );

  await app.register(async (scope) => {
    await http.takeForms(scope, FORM_LIMITS);
    scope.post(
      `${PATH}/upload`,
      {
        config: { access: EDITORS, idempotent: true, costly: true },
        bodyLimit: MAX_BYTES,
        schema: {
          operationId: 'uploadBpmVersion',
          summary: 'Create a draft from the file of a form',
          tags,
          params: ProcessParams,
          querystring: FileQuery,
          body: FilesForm('file', 'One BPMN file of up to 20 MiB.') as never,
          response: { 201: VersionView },
        },
      },
      async (request, reply) => {
        const { card_id } = request.params as { card_id: string };
        const [file] = await http.upload(request, reply, 'file', FORM_LIMITS);
        const query = request.query as { title?: string; comment?: string; file_name?: string };
        const file_name = query.file_name ?? fileNameOf(file!.name);
        const version = await versions.upload(request.ctx, card_id, file!.bytes, {
          ...query,
          ...(file_name !== '' && { file_name }),
        });
        return created(request, reply, card_id, version);
      },
    );
  });

  app.get(
    `${PATH}/:version_id.bpmn`,
    {
      config: { access: READERS },
      schema: {
        operationId: 'getBpmFile',
        summary: 'The file of a version, as it was uploaded',
        tags,
        params: VersionParams,
        response: { 200: FileResponse('application/xml', 'The bytes of the file, unchanged.') },
      },
    },
    async (request, reply) => {
      const { card_id, version_id } = (request as FileRequest).params;
      const { version, content_hash, file_id, file_name } = await versions.find(request.ctx, card_id, version_id);
      reply.headers({ ...FILE_HEADERS, 'content-disposition': attachment(file_name) });
      return http.sendBytes(request, reply, {
        version,
        derived: content_hash,
        type: 'application/xml',
        bytes: () => content.bytesOf(file_id),
      });
    },
  );

  app.put(
    `${PATH}/:version_id.bpmn`,
    {
      config: { access: EDITORS, conditional: true, costly: true },
      bodyLimit: MAX_BYTES,
      schema: {
        operationId: 'setBpmFile',
        summary: 'Replace the file of a draft',
        tags,
        params: VersionParams,
        body: FileBody as never,
        response: { 200: VersionView },
        description: 'Elements that both files have, by their BPMN ids, keep their links.',
      },
    },
    async (request, reply) => {
      const { card_id, version_id } = (request as FileRequest).params;
      const replaced = await versions.replace(request.ctx, card_id, version_id, fileOf(host, request));
      return http.sendResource(request, reply, replaced);
    },
  );
};
