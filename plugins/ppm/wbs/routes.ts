import { NoContent, type ModuleRoutes } from '@lintel/sdk';
import { MANAGERS, READERS } from '../permissions.js';
import { HistoryPage, HistoryQuery } from '../plan/history.js';
import { PlanParams } from '../plan/schemas.js';
import type { PpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { wbs as resource } from './resource.js';
import { ItemParams, WbsCreate, WbsDelete, WbsMove, WbsPage, WbsPatch, WbsQuery } from './schemas.js';

const PATH = '/initiatives/:card_id/wbs';
const tags = ['ppm'];

/** The work breakdown of initiatives. */
export const wbsRoutes: ModuleRoutes<PpmServices, Settings> = async (app, { services, host: { http } }) => {
  const { wbs, moves } = services;
  app.get(
    PATH,
    {
      // A page is computed from the whole plan.
      config: { access: READERS, costly: 'memory' },
      schema: {
        operationId: 'listPpmWbsItems',
        summary: 'The work breakdown of an initiative, in the order of the tree',
        tags,
        params: PlanParams,
        querystring: WbsQuery,
        response: { 200: WbsPage },
        description: 'Filters apply to the values of the items themselves, not to those computed for summaries.',
      },
    },
    async (request, reply) =>
      http.sendPage(request, reply, await wbs.list(request.ctx, request.params.card_id, request.query)),
  );

  app.post(
    PATH,
    {
      config: { access: MANAGERS, idempotent: true },
      schema: {
        operationId: 'createPpmWbsItem',
        summary: 'Create an item of a work breakdown',
        tags,
        params: PlanParams,
        body: WbsCreate,
        response: { 201: resource.view },
      },
    },
    async (request, reply) => {
      const { card_id } = request.params;
      const { id, resource: item } = await wbs.create(request.ctx, card_id, request.body);
      reply.header('location', `${request.url.split('?')[0]}/${id}`);
      return http.sendResource(request, reply, { status: 201, ...item });
    },
  );

  app.get(
    `${PATH}/:id`,
    {
      config: { access: READERS },
      schema: {
        operationId: 'getPpmWbsItem',
        summary: 'An item of a work breakdown',
        tags,
        params: ItemParams,
        response: { 200: resource.view },
      },
    },
    async (request, reply) => {
      const { card_id, id } = request.params;
      return http.sendResource(request, reply, await wbs.resource(request.ctx, card_id, id));
    },
  );

  app.patch(
    `${PATH}/:id`,
    {
      config: { access: MANAGERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'updatePpmWbsItem',
        summary: 'Change an item of a work breakdown',
        tags,
        params: ItemParams,
        body: WbsPatch,
        response: { 200: resource.view },
        description: 'Dates, duration, completion and planned cost of an item with others below it cannot be set.',
      },
    },
    async (request, reply) => {
      const { card_id, id } = request.params;
      const written = await wbs.update(request.ctx, card_id, id, request.body);
      return http.sendResource(request, reply, written.resource);
    },
  );

  app.delete(
    `${PATH}/:id`,
    {
      config: { access: MANAGERS, conditional: true },
      schema: {
        operationId: 'deletePpmWbsItem',
        summary: 'Delete an item of a work breakdown',
        tags,
        params: ItemParams,
        querystring: WbsDelete,
        response: NoContent,
        description: 'Its dependencies are deleted; its tasks and costs stay without it.',
      },
    },
    async (request, reply) => {
      const { card_id, id } = request.params;
      await wbs.remove(request.ctx, card_id, id, request.query.strategy);
      return http.sendNothing(reply);
    },
  );

  app.post(
    `${PATH}/:id/move`,
    {
      config: { access: MANAGERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'movePpmWbsItem',
        summary: 'Move an item, with those below it, to another place of the work breakdown',
        tags,
        params: ItemParams,
        body: WbsMove,
        response: { 200: resource.view },
      },
    },
    async (request, reply) => {
      const { card_id, id } = request.params;
      const written = await moves.move(request.ctx, card_id, id, request.body);
      return http.sendResource(request, reply, written.resource);
    },
  );

  app.get(
    `${PATH}/:id/history`,
    {
      config: { access: READERS },
      schema: {
        operationId: 'getPpmWbsItemHistory',
        summary: 'History of an item of a work breakdown',
        tags,
        params: ItemParams,
        querystring: HistoryQuery,
        response: { 200: HistoryPage },
      },
    },
    async (request, reply) => {
      const { card_id, id } = request.params;
      return http.sendPage(request, reply, await wbs.history(request.ctx, card_id, id, request.query));
    },
  );
};
