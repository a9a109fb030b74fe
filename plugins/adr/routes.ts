import {
  IdParams,
  NoContent,
  type DocumentLifecycleService,
  type ModuleRoutes,
  type ModuleServices,
} from '@lintel/sdk';
import type { AdrExportService } from './export-service.js';
import type { AdrImportService } from './import-service.js';
import { lifecycle } from './lifecycle.js';
import { markdownRoutes } from './markdown-routes.js';
import { DELETE, VIEW, WRITERS } from './permissions.js';
import { AdrCreate, AdrFilters, AdrGraph, AdrPage, AdrPatch, AdrQuery, AdrView, CardAdrQuery } from './schemas.js';
import type { AdrService } from './service.js';
import type { Settings } from './settings.js';

export interface AdrServices {
  host: ModuleServices<Settings>;
  adrs: AdrService;
  lifecycle: DocumentLifecycleService<Settings>;
  imports: AdrImportService;
  exports: AdrExportService;
}

const tags = ['adr'];
const params = IdParams;

export const routes: ModuleRoutes<AdrServices, Settings> = async (app, { services, host }) => {
  const { adrs } = services;
  const { http } = host;
  app.get(
    '',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'listAdrs',
        summary: 'Architecture decisions',
        tags,
        querystring: AdrQuery,
        response: { 200: AdrPage },
      },
    },
    async (request, reply) => http.sendPage(request, reply, await adrs.list(request.ctx, request.query)),
  );

  app.get(
    '/graph',
    {
      config: { access: { permission: VIEW }, costly: true },
      schema: {
        operationId: 'getAdrGraph',
        summary: 'Architecture decisions and how they follow from one another',
        tags,
        querystring: AdrFilters,
        response: { 200: AdrGraph },
      },
    },
    async (request) => adrs.graph(request.ctx, request.query),
  );

  app.post(
    '',
    {
      config: { access: WRITERS, idempotent: true },
      schema: {
        operationId: 'createAdr',
        summary: 'Begin an architecture decision',
        tags,
        body: AdrCreate,
        response: { 201: AdrView },
      },
    },
    async (request, reply) => {
      const adr = await adrs.create(request.ctx, request.body);
      reply.header('location', `/api/v1/adr/${adr.body.id}`);
      return http.sendResource(request, reply, { status: 201, ...adr });
    },
  );

  app.get(
    '/:id',
    {
      config: { access: { permission: VIEW } },
      schema: { operationId: 'getAdr', summary: 'An architecture decision', tags, params, response: { 200: AdrView } },
    },
    async (request, reply) => http.sendResource(request, reply, await adrs.resource(request.ctx, request.params.id)),
  );

  app.patch(
    '/:id',
    {
      config: { access: WRITERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateAdr',
        summary: 'Change a draft',
        tags,
        params,
        body: AdrPatch,
        response: { 200: AdrView },
      },
    },
    async (request, reply) =>
      http.sendResource(request, reply, await adrs.update(request.ctx, request.params.id, request.body)),
  );

  app.delete(
    '/:id',
    {
      config: { access: { permission: DELETE }, conditional: true },
      schema: { operationId: 'deleteAdr', summary: 'Delete a draft', tags, params, response: NoContent },
    },
    async (request, reply) => {
      await adrs.remove(request.ctx, request.params.id);
      return http.sendNothing(reply);
    },
  );

  await app.register(lifecycle.routes, { services: services.lifecycle, host });
  await app.register(markdownRoutes, { services, host });
};

/** Routes below `/cards/{id}/adrs`. */
export const cardRoutes: ModuleRoutes<AdrServices, Settings> = async (app, { services: { adrs }, host: { http } }) => {
  app.get(
    '',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'listCardAdrs',
        summary: 'Architecture decisions that concern a card',
        tags,
        params,
        querystring: CardAdrQuery,
        response: { 200: AdrPage },
      },
    },
    async (request, reply) =>
      http.sendPage(request, reply, await adrs.ofCard(request.ctx, request.params.id, request.query)),
  );
};
