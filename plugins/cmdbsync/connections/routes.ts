import { IdParams, Strict, type ModuleRoutes } from '@lintel/sdk';
import { MANAGERS, READERS } from '../permissions.js';
import type { CmdbSyncServices } from '../services.js';
import type { Settings } from '../settings.js';
import { connections } from './resource.js';
import { Connectors, FieldPage, FieldQuery, TablePage, TableParams, TableQuery, TestView } from './schemas.js';

const tags = ['cmdbsync'];

/** Connectors, connections, and what the other systems have. */
export const connectionRoutes: ModuleRoutes<CmdbSyncServices, Settings> = async (app, { services, host }) => {
  const { calls } = services;

  app.get(
    '/connectors',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listCmdbsyncConnectors',
        summary: 'Connectors, with the settings and secrets of their connections',
        tags,
        querystring: Strict({}),
        response: { 200: Connectors },
      },
    },
    async () => ({
      items: calls.connectors().map(({ key, title, description, module, config, secrets }) => ({
        key,
        title,
        description,
        module,
        config,
        secrets: Object.entries(secrets).map(([name, secret]) => ({
          name,
          description: secret.description,
          is_required: secret.isRequired === true,
        })),
      })),
    }),
  );

  await app.register(connections.routes, { prefix: '/connections', services: services.connections, host });

  app.post(
    '/connections/:id/test',
    {
      config: { access: MANAGERS, costly: true },
      schema: {
        operationId: 'testCmdbsyncConnection',
        summary: 'Test a connection and store the result',
        description: 'Takes at most 30 s. A test that fails has `ok` false and the reason.',
        tags,
        params: IdParams,
        response: { 200: TestView },
      },
    },
    async (request) => calls.test(request.ctx, request.params.id.toLowerCase()),
  );

  app.get(
    '/connections/:id/tables',
    {
      config: { access: READERS, costly: true },
      schema: {
        operationId: 'listCmdbsyncTables',
        summary: 'Tables of the other system, and what is mapped',
        tags,
        params: IdParams,
        querystring: TableQuery,
        response: { 200: TablePage },
      },
    },
    async (request, reply) =>
      host.http.sendPage(request, reply, await calls.tables(request.params.id.toLowerCase(), request.query)),
  );

  app.get(
    '/connections/:id/tables/:table/fields',
    {
      config: { access: READERS, costly: true },
      schema: {
        operationId: 'listCmdbsyncFields',
        summary: 'Fields of a table of the other system, and what is mapped',
        tags,
        params: TableParams,
        querystring: FieldQuery,
        response: { 200: FieldPage },
      },
    },
    async (request, reply) => {
      const { id, table } = request.params;
      return host.http.sendPage(request, reply, await calls.fields(id.toLowerCase(), table, request.query));
    },
  );
};
