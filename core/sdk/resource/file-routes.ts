import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { Type, type TObject } from 'typebox';
import type { Access } from '../access.js';
import { Page, PageQuery, SortBy } from '../page-parameters.js';
import { FilesForm, NoContent, Nullable, Strict, Timestamp, Uuid } from '../schemas.js';
import type { ListParams, ModuleServices } from '../services.js';
import { limitsOf } from './files.js';
import type { ResourceScope } from './results.js';
import type { ResourceCore } from './service.js';
import type { AnySpec, ResourceFileOptions } from './spec.js';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

const FileView = (operation: string) =>
  Type.Object(
    {
      id: Uuid(),
      name: Type.String(),
      type: Type.String({ description: 'Media type.' }),
      size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
      sha256: Type.String({ description: 'Hexadecimal.' }),
      created_by: Nullable(Uuid()),
      created_at: Timestamp(),
    },
    {
      'x-name': `${operation}File`,
      examples: [
        {
          id: ID,
          name: 'contract.pdf',
          type: 'application/pdf',
          size: 20_480,
          sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
          created_by: null,
          created_at: '2026-01-15T10:00:00.000Z',
        },
      ],
    },
  );

/** The resource whose files the routes serve. */
interface FileRouteOptions {
  spec: AnySpec;
  files: ResourceFileOptions;
  /** Part of operation ids: the resource, and its place in the path. */
  one: string;
  /** Path parameters of one resource. */
  params: TObject;
  access: { read: Access; write: Access };
  /** Values of fields in the path. */
  scopeOf(request: FastifyRequest): ResourceScope;
}

type Request = FastifyRequest<{ Params: { id: string; file_id: string } }>;

/** The routes of the files of a resource, below `/:id/files`. */
export function fileRoutes({
  spec,
  files,
  one,
  params,
  access,
  scopeOf,
}: FileRouteOptions): FastifyPluginAsync<{ core: ResourceCore; http: ModuleServices['http'] }> {
  const tags = [spec.tag];
  const View = FileView(spec.operation);
  const ofFile = Strict({ ...params.properties, file_id: Uuid() });
  const limits = limitsOf(files);
  return async (app, { core, http }) => {
    app.get(
      '/:id/files',
      {
        config: { access: access.read },
        schema: {
          operationId: `list${one}Files`,
          summary: `List the files of ${spec.label}`,
          tags,
          params,
          querystring: Strict({ ...PageQuery, sort_by: SortBy('created_at', 'name') }),
          response: { 200: Page(View) },
        },
      },
      async (request, reply) =>
        http.sendPage(
          request,
          reply,
          await core.listFiles(
            request.ctx,
            (request as Request).params.id,
            request.query as ListParams,
            scopeOf(request),
          ),
        ),
    );

    app.get(
      '/:id/files/:file_id',
      {
        config: { access: access.read },
        schema: {
          operationId: `get${one}File`,
          summary: `Download a file of ${spec.label}`,
          tags,
          params: ofFile,
          response: {
            200: {
              description: 'The file, with its media type.',
              content: Object.fromEntries(
                (files.types ?? ['*/*']).map((type) => [
                  type,
                  {
                    schema: Type.String({
                      contentMediaType: type === '*/*' ? 'application/octet-stream' : type,
                      examples: ['the bytes of the file'],
                    }),
                  },
                ]),
              ),
            },
          },
        },
      },
      async (request, reply) => {
        const { id, file_id: fileId } = (request as Request).params;
        const { file, bytes } = await core.openFile(request.ctx, id, fileId, scopeOf(request));
        return http.sendStream(reply, file.type, file.name, Readable.from(bytes));
      },
    );

    app.delete(
      '/:id/files/:file_id',
      {
        config: { access: access.write, conditional: true },
        schema: {
          operationId: `delete${one}File`,
          summary: `Remove a file of ${spec.label}`,
          tags,
          params: ofFile,
          response: NoContent,
        },
      },
      async (request, reply) => {
        const { id, file_id: fileId } = (request as Request).params;
        await core.removeFile(request.ctx, id, fileId, scopeOf(request));
        return http.sendNothing(reply);
      },
    );

    await app.register(async (scope: FastifyInstance) => {
      await http.takeForms(scope, limits);
      scope.post(
        '/:id/files',
        {
          config: { access: access.write, idempotent: true, costly: true },
          schema: {
            operationId: `add${one}Files`,
            summary: `Add files to ${spec.label}`,
            tags,
            params,
            body: FilesForm(
              'files',
              `Up to ${limits.bytes} bytes together${files.types ? `, ${files.types.join(' or ')}` : ''}.`,
            ),
            response: { 201: Type.Object({ items: Type.Array(View) }) },
          },
        },
        async (request, reply) => {
          const uploads = await http.upload(request, reply, 'files', limits);
          const items = await core.addFiles(request.ctx, (request as Request).params.id, uploads, scopeOf(request));
          return reply.code(201).send({ items });
        },
      );
    });
  };
}
