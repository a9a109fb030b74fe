import {
  ActorView,
  IdParams,
  NoContent,
  Nullable,
  Page,
  PageQuery,
  Strict,
  Timestamp,
  Type,
  type ModuleRoutes,
} from '@lintel/sdk';
import { VIEW, WRITERS } from '../permissions.js';
import {
  CardDiagramQuery,
  DiagramCreate,
  DiagramPage,
  DiagramPatch,
  DiagramQuery,
  DiagramView,
  ShapePage,
  ShapeQuery,
} from '../schemas.js';
import type { DiagramsServices } from '../services.js';
import { MOST_TEXT, type Settings } from '../settings.js';

const tags = ['diagrams'];
const params = IdParams;
/** A file as JSON text, in which characters may be escaped or have several bytes. */
const BODY_BYTES = 2 * MOST_TEXT;

const HistoryEntry = Type.Object(
  {
    version: Nullable(Type.Integer()),
    at: Timestamp(),
    type: Type.String(),
    actor: ActorView(),
    origin: Type.String(),
    changes: Type.Array(
      Type.Object({ field: Type.String(), old: Type.Optional(Type.Unknown()), new: Type.Optional(Type.Unknown()) }),
    ),
  },
  {
    examples: [
      {
        version: 2,
        at: '2026-01-15T10:00:00.000Z',
        type: 'diagrams.updated',
        actor: null,
        origin: 'api',
        changes: [{ field: 'content_version', old: 1, new: 2 }],
      },
    ],
  },
);

/** Diagrams, without their files. */
export const diagramRoutes: ModuleRoutes<DiagramsServices, Settings> = async (
  app,
  { services, host: { http, events } },
) => {
  const { diagrams, saving, files } = services;

  app.get(
    '',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'listDiagrams',
        summary: 'Diagrams',
        tags,
        querystring: DiagramQuery,
        response: { 200: DiagramPage },
      },
    },
    async (request, reply) => http.sendPage(request, reply, await diagrams.list(request.ctx, request.query)),
  );

  app.post(
    '',
    {
      config: { access: WRITERS, idempotent: true, costly: true },
      bodyLimit: BODY_BYTES,
      schema: {
        operationId: 'createDiagram',
        summary: 'Create a diagram',
        description: 'Without `content` it is one empty page.',
        tags,
        body: DiagramCreate,
        response: { 201: DiagramView },
      },
    },
    async (request, reply) => {
      const diagram = await diagrams.create(request.ctx, request.body);
      reply.header('location', `/api/v1/diagrams/${diagram.body.id}`);
      return http.sendResource(request, reply, { status: 201, ...diagram });
    },
  );

  app.get(
    '/:id',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'getDiagram',
        summary: 'A diagram with its cards',
        tags,
        params,
        response: { 200: DiagramView },
      },
    },
    async (request, reply) =>
      http.sendResource(request, reply, await diagrams.resource(request.ctx, request.params.id)),
  );

  app.patch(
    '/:id',
    {
      config: { access: WRITERS, idempotent: true, conditional: true, costly: true },
      bodyLimit: BODY_BYTES,
      schema: {
        operationId: 'updateDiagram',
        summary: 'Change a diagram',
        description:
          'Other `content` is a new version. Shapes of cards that the caller does not see are kept as they are.',
        tags,
        params,
        body: DiagramPatch,
        response: { 200: DiagramView },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const row = await saving.update(request.ctx, id, request.body);
      return http.sendResource(request, reply, await diagrams.written(request.ctx, id, row));
    },
  );

  app.delete(
    '/:id',
    {
      config: { access: WRITERS, conditional: true },
      schema: {
        operationId: 'deleteDiagram',
        summary: 'Delete a diagram with all its versions',
        tags,
        params,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await diagrams.remove(request.ctx, request.params.id);
      return http.sendNothing(reply);
    },
  );

  app.get(
    '/:id/cards',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'listDiagramShapes',
        summary: 'The shapes of a diagram that are of cards',
        tags,
        params,
        querystring: ShapeQuery,
        response: { 200: ShapePage },
      },
    },
    async (request, reply) =>
      http.sendPage(request, reply, await files.shapes(request.ctx, request.params.id, request.query)),
  );

  app.get(
    '/:id/history',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'getDiagramHistory',
        summary: 'The changes of a diagram, the latest first',
        tags,
        params,
        querystring: Strict(PageQuery),
        response: { 200: Page(HistoryEntry) },
      },
    },
    async (request, reply) => {
      await diagrams.find(request.ctx, request.params.id);
      const page = await events.history({ kind: 'diagrams', id: request.params.id }, request.query, request.ctx);
      return http.sendPage(request, reply, {
        ...page,
        items: page.items.map(({ type, occurred_at, actor, origin, data }) => ({
          version: (data['version'] as number | undefined) ?? null,
          at: occurred_at,
          type,
          actor,
          origin,
          changes: (data['changes'] as { field: string }[] | undefined) ?? [],
        })),
      });
    },
  );

  for (const [method, operationId, summary, isFavourite] of [
    ['PUT', 'favourDiagram', 'Make a diagram a favourite of the caller', true],
    ['DELETE', 'disfavourDiagram', 'Remove a diagram from the favourites of the caller', false],
  ] as const)
    app.route({
      method,
      url: '/:id/favourite',
      config: { access: { permission: VIEW } },
      schema: { operationId, summary, tags, params, response: NoContent },
      handler: async (request, reply) => {
        await diagrams.setFavourite(request.ctx, request.params.id, isFavourite);
        return http.sendNothing(reply);
      },
    });
};

/** Routes below `/cards/{id}/diagrams`. */
export const cardRoutes: ModuleRoutes<DiagramsServices, Settings> = async (app, { services, host: { http } }) => {
  app.get(
    '',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'listCardDiagrams',
        summary: 'The diagrams that show a card or are linked with it',
        tags,
        params,
        querystring: CardDiagramQuery,
        response: { 200: DiagramPage },
      },
    },
    async (request, reply) =>
      http.sendPage(request, reply, await services.diagrams.ofCard(request.ctx, request.params.id, request.query)),
  );
};
