import { IdParams, type ModuleRoutes } from '@lintel/sdk';
import { APPLIERS, READERS } from '../permissions.js';
import type { CmdbSyncServices } from '../services.js';
import type { Settings } from '../settings.js';
import { RecordPage, RecordQuery, RecordView, Resolve } from './schemas.js';

const tags = ['cmdbsync'];

/** Records of runs and decisions about them. */
export const recordRoutes: ModuleRoutes<CmdbSyncServices, Settings> = async (app, { services, host }) => {
  app.get(
    '/runs/:id/records',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listCmdbsyncRecords',
        summary: 'What a run found to be done',
        description:
          'Unchanged records are only counted. Records about cards hidden from the caller are missing, and costs that the caller may not see are withheld.',
        tags,
        params: IdParams,
        querystring: RecordQuery,
        response: { 200: RecordPage },
      },
    },
    async (request, reply) =>
      host.http.sendPage(request, reply, await services.records.list(request.ctx, request.params.id, request.query)),
  );

  app.get(
    '/records/:id',
    {
      config: { access: READERS },
      schema: {
        operationId: 'getCmdbsyncRecord',
        summary: 'A record of a run',
        tags,
        params: IdParams,
        response: { 200: RecordView },
      },
    },
    async (request) => services.records.get(request.ctx, request.params.id),
  );

  app.post(
    '/records/:id/resolve',
    {
      config: { access: APPLIERS, idempotent: true },
      schema: {
        operationId: 'resolveCmdbsyncRecord',
        summary: 'Decide about a record that waits',
        description:
          'A job applies the decision as the service account of the mapping. A value of the other system that is not taken is not offered again until it changes there.',
        tags,
        params: IdParams,
        body: Resolve,
        response: { 200: RecordView },
      },
    },
    async (request) => services.records.resolve(request.ctx, request.params.id, request.body),
  );
};
