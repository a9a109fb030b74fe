import { IdParams, type ModuleRoutes } from '@lintel/sdk';
import { MANAGERS, READERS } from '../permissions.js';
import type { InsightLensServices } from '../services.js';
import type { Settings } from '../settings.js';
import { SupplierChange, SupplierPage, SupplierQuery, SupplierTree, SupplierView } from './schemas.js';

const tags = ['insightlens'];

/** Suppliers: list, tree, get, decide. */
export const supplierRoutes: ModuleRoutes<InsightLensServices, Settings> = async (app, { services, host }) => {
  const { http } = host;
  const { suppliers } = services;

  app.get(
    '/suppliers',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listInsightSuppliers',
        summary: 'Suppliers, by the names in the cards that the caller sees',
        description: 'A card that depends on several suppliers counts for each.',
        tags,
        querystring: SupplierQuery,
        response: { 200: SupplierPage },
      },
    },
    async (request, reply) => http.sendPage(request, reply, await suppliers.list(request.ctx, request.query)),
  );

  app.get(
    '/suppliers/tree',
    {
      config: { access: READERS },
      schema: {
        operationId: 'getInsightSupplierTree',
        summary: 'Suppliers below those to which they belong, and their concentration',
        tags,
        response: { 200: SupplierTree },
      },
    },
    async (request, reply) => {
      const tree = await suppliers.tree(request.ctx);
      return http.sendResource(request, reply, { version: 1, derived: tree, body: tree });
    },
  );

  app.get(
    '/suppliers/:id',
    {
      config: { access: READERS },
      schema: {
        operationId: 'getInsightSupplier',
        summary: 'A supplier: its names, what depends on it, and how replaceable it is',
        tags,
        params: IdParams,
        response: { 200: SupplierView },
      },
    },
    async (request, reply) => {
      const supplier = await suppliers.get(request.ctx, request.params.id);
      return http.sendResource(request, reply, { version: supplier.version, derived: supplier, body: supplier });
    },
  );

  app.patch(
    '/suppliers/:id',
    {
      config: { access: MANAGERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'changeInsightSupplier',
        summary: 'Confirm, rename, merge or split a supplier',
        description: 'The decision is kept when the analysis runs again, also after cards were renamed.',
        tags,
        params: IdParams,
        body: SupplierChange,
        response: { 200: SupplierView },
      },
    },
    async (request, reply) => {
      const supplier = await suppliers.change(request.ctx, request.params.id, request.body);
      return http.sendResource(request, reply, { version: supplier.version, derived: supplier, body: supplier });
    },
  );
};
