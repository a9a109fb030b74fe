import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access.js';
import type { ModuleRoutes } from '../module.js';
import { fileRoutes } from './file-routes.js';
import { answerBulk, type BulkCall } from '../bulk.js';
import { NoContent, Strict, Uuid } from '../schemas.js';
import type { ListParams } from '../services.js';
import type { ResourceBulkOperation } from './bulk-operations.js';
import type { ResourceSchemas } from './schemas.js';
import type { ResourceScope } from './results.js';
import type { ResourceCore } from './service.js';
import type { AnySpec, Values } from './spec.js';

/** A path parameter with the value of a field: below a card, `{ param: 'card_id', field: 'card_id' }`. */
export interface Below {
  param: string;
  field: string;
  /** Part of operation ids, if the same resource has other routes: `Card` gives `listCardNotes`. */
  place: string;
  /** Only the list and POST, because `/{id}` belongs to other routes. */
  listOnly?: boolean;
  /** Only the list, for resources that are linked with several cards. */
  readOnly?: boolean;
}

type Request = FastifyRequest<{ Params: Record<string, string> }>;

/** The access rule of a write: below a card by its stakeholder roles, otherwise by those of any card, and the service checks the actual ones. */
function accessOf({ card, links }: AnySpec, permission: string, below: Below | undefined): Access {
  if (links?.permission !== undefined) return { permission, anyCard: links.permission };
  if (!card) return { permission };
  if (below?.field === card.field) return { permission, card: below.param, cardPermission: card.permission };
  return { permission, anyCard: card.permission };
}

/** The routes of a resource, to be registered under its prefix. */
export function resourceRoutes(
  spec: AnySpec,
  schemas: ResourceSchemas,
  below?: Below,
): ModuleRoutes<{ core: ResourceCore }> {
  const tags = [spec.tag];
  // Not parameters, because the path has their value: the field, or the filter by a linked card.
  const fixed = below ? [below.field, ...(below.readOnly ? ['card_id'] : [])] : [];
  const place = below?.place ?? '';
  const [one, many] = [`${place}${spec.operation}`, `${place}${spec.operations ?? `${spec.operation}s`}`];
  const { view, manage, remove = manage } = spec.permissions;
  const parent = below ? { [below.param]: Uuid() } : {};
  const here = below ? { params: Strict(parent) } : {};
  const params = Strict({ ...parent, id: Uuid() });
  const scopeOf = (request: Request): ResourceScope =>
    below ? { [below.field]: request.params[below.param]!.toLowerCase() } : {};

  return async (app, { services: { core }, host: { http } }) => {
    if (!below) core.path = app.prefix;
    const create = async (request: Request, reply: FastifyReply) => {
      const values = request.body as Values;
      const { id, resource } = await core.write(request.ctx, { op: 'create', values }, scopeOf(request));
      const path = core.path ?? (below?.listOnly ? undefined : request.url.split('?')[0]);
      if (path !== undefined) reply.header('location', `${path}/${id}`);
      return http.sendResource(request, reply, { status: 201, ...resource });
    };

    app.get(
      '',
      {
        config: { access: { permission: view } },
        schema: {
          operationId: `list${many}`,
          summary: `List ${spec.labels}`,
          tags,
          ...here,
          querystring: schemas.query(...fixed),
          response: { 200: schemas.Page },
        },
      },
      async (request, reply) =>
        http.sendPage(
          request,
          reply,
          await core.list(request.ctx, request.query as ListParams & Values, scopeOf(request as Request)),
        ),
    );

    if (below?.readOnly) return;

    app.post(
      '',
      {
        config: { access: accessOf(spec, manage, below), idempotent: true },
        schema: {
          operationId: `create${one}`,
          summary: `Create ${spec.label}`,
          tags,
          ...here,
          body: schemas.create(...fixed),
          response: { 201: schemas.View },
        },
      },
      async (request, reply) => create(request as Request, reply),
    );
    if (below?.listOnly) return;

    if (spec.bulk) {
      const { body, query, view: answer } = schemas.bulk(...fixed);
      app.post(
        '/bulk',
        {
          config: { access: accessOf(spec, manage, below), idempotent: true, bulk: true },
          schema: {
            operationId: `bulk${many}`,
            summary: `Up to 10,000 operations on ${spec.labels} in one transaction`,
            tags,
            ...here,
            querystring: query,
            body,
            response: { 200: answer },
          },
        },
        async (request) =>
          answerBulk(request as unknown as BulkCall<ResourceBulkOperation>, (operations, mode) =>
            core.bulk(request.ctx, operations, mode, scopeOf(request as Request)),
          ),
      );
    }

    app.get(
      '/:id',
      {
        config: { access: { permission: view } },
        schema: {
          operationId: `get${one}`,
          summary: `Read ${spec.label}`,
          tags,
          params,
          response: { 200: schemas.View },
        },
      },
      async (request, reply) =>
        http.sendResource(
          request,
          reply,
          await core.resource(request.ctx, request.params.id as string, scopeOf(request as Request)),
        ),
    );

    app.patch(
      '/:id',
      {
        config: { access: accessOf(spec, manage, below), idempotent: true, conditional: true },
        schema: {
          operationId: `update${one}`,
          summary: `Change ${spec.label}`,
          tags,
          params,
          body: schemas.patch(...fixed),
          response: { 200: schemas.View },
        },
      },
      async (request, reply) => {
        const { id } = request.params as { id: string };
        const values = request.body as Values;
        const { resource } = await core.write(request.ctx, { op: 'update', id, values }, scopeOf(request as Request));
        return http.sendResource(request, reply, resource);
      },
    );

    app.delete(
      '/:id',
      {
        config: { access: accessOf(spec, remove, below), conditional: true },
        schema: { operationId: `delete${one}`, summary: `Delete ${spec.label}`, tags, params, response: NoContent },
      },
      async (request, reply) => {
        await core.remove(request.ctx, request.params.id as string, scopeOf(request as Request));
        return http.sendNothing(reply);
      },
    );

    if (schemas.transition) {
      app.post(
        '/:id/transition',
        {
          config: { access: accessOf(spec, manage, below), idempotent: true, conditional: true },
          schema: {
            operationId: `move${one}`,
            summary: `Move ${spec.label} to another state`,
            tags,
            params,
            body: schemas.transition,
            response: { 200: schemas.View },
            ...(spec.transitions?.description !== undefined && { description: spec.transitions.description }),
          },
        },
        async (request, reply) => {
          const { to, ...body } = request.body as Values & { to: string };
          const operation = { op: 'transition', id: request.params.id as string, to, body } as const;
          const { resource } = await core.write(request.ctx, operation, scopeOf(request as Request));
          return http.sendResource(request, reply, resource);
        },
      );
    }

    if (spec.files) {
      const access = { read: { permission: view }, write: accessOf(spec, manage, below) };
      await app.register(fileRoutes({ spec, files: spec.files, one, params, access, scopeOf }), { core, http });
    }

    app.get(
      '/:id/history',
      {
        config: { access: { permission: view } },
        schema: {
          operationId: `get${one}History`,
          summary: `History of ${spec.label}`,
          tags,
          params,
          querystring: schemas.HistoryQuery,
          response: { 200: schemas.HistoryPage },
        },
      },
      async (request, reply) =>
        http.sendPage(
          request,
          reply,
          await core.history(
            request.ctx,
            request.params.id as string,
            request.query as ListParams,
            scopeOf(request as Request),
          ),
        ),
    );
  };
}
