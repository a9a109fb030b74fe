import { IdParams, type ModuleRoutes } from '@lintel/sdk';
import { MANAGERS } from '../permissions.js';
import type { CmdbSyncServices } from '../services.js';
import type { Settings } from '../settings.js';
import { PreviewBody, PreviewView } from './preview-schemas.js';
import { mappings, prepareMappings } from './resource.js';

/** Mappings, and what they would read. */
export const mappingRoutes: ModuleRoutes<CmdbSyncServices, Settings> = async (app, { services, host }) => {
  await app.register(
    async (scope) => {
      scope.addHook('preHandler', async ({ method, ctx }) => {
        if (method === 'POST' || method === 'PATCH') await prepareMappings(host, ctx);
      });
      await scope.register(mappings.routes, { services: services.mappings, host });
    },
    { prefix: '/mappings' },
  );

  app.post(
    '/mappings/:id/preview',
    {
      config: { access: MANAGERS, costly: true },
      schema: {
        operationId: 'previewCmdbsyncMapping',
        summary: 'Read a few records of the other system by a mapping, without storing anything',
        description:
          'Takes at most 30 s. Values of cost fields, and the fields that they are read from, are left out for callers who may not see all costs.',
        tags: ['cmdbsync'],
        params: IdParams,
        body: PreviewBody,
        response: { 200: PreviewView },
      },
    },
    async (request) => services.previews.preview(request.ctx, request.params.id, request.body.limit),
  );
};
