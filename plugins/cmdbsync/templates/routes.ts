import { IdParams, Strict, type ModuleRoutes } from '@lintel/sdk';
import { MANAGERS, READERS } from '../permissions.js';
import type { CmdbSyncServices } from '../services.js';
import type { Settings } from '../settings.js';
import { CreatedMappings, FromTemplateBody, Templates } from './schemas.js';
import { TEMPLATES } from './service.js';

const tags = ['cmdbsync'];

/** Mappings that ship with the module. */
export const templateRoutes: ModuleRoutes<CmdbSyncServices, Settings> = async (app, { services }) => {
  app.get(
    '/templates',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listCmdbsyncTemplates',
        summary: 'Mappings that ship with the module, for the default metamodel',
        tags,
        querystring: Strict({}),
        response: { 200: Templates },
      },
    },
    async () => ({
      items: TEMPLATES.map(({ mappings, ...template }) => ({
        ...template,
        key: template.key as 'netbox' | 'servicenow',
        mappings: mappings.map(({ name, table, card_type }) => ({ name, table, card_type })),
      })),
    }),
  );

  app.post(
    '/connections/:id/mappings/from-template',
    {
      config: { access: MANAGERS, idempotent: true },
      schema: {
        operationId: 'createCmdbsyncMappingsFromTemplate',
        summary: 'Create all mappings of a template, or none',
        tags,
        params: IdParams,
        body: FromTemplateBody,
        response: { 201: CreatedMappings },
      },
    },
    async (request, reply) => {
      const ids = await services.templates.create(request.ctx, request.params.id.toLowerCase(), request.body);
      reply.code(201);
      return { ids };
    },
  );
};
