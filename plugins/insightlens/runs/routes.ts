import { IdParams, type ModuleRoutes } from '@lintel/sdk';
import { ANALYSES } from '../analyses/index.js';
import { MANAGERS, READERS } from '../permissions.js';
import type { InsightLensServices } from '../services.js';
import type { Settings } from '../settings.js';
import { RunPage, RunQuery, RunView } from './schemas.js';

const tags = ['insightlens'];

/** Runs of analyses: list, start and cancel. */
export const runRoutes: ModuleRoutes<InsightLensServices, Settings> = async (app, { services, host }) => {
  const { http } = host;
  const { runs } = services;

  for (const { kind, title } of ANALYSES)
    app.post(
      `/${kind}/analyse`,
      {
        config: { access: MANAGERS, idempotent: true },
        schema: {
          operationId: `analyse${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
          summary: `Run the analysis: ${title}`,
          description:
            'A job analyses the whole landscape; each reader is shown the findings whose cards this reader sees. An analysis has one active run at a time.',
          tags,
          response: { 201: RunView },
        },
      },
      async (request, reply) => {
        const run = await runs.start(request.ctx, kind);
        reply.header('location', `/api/v1/insightlens/runs/${run.id}`);
        return http.sendResource(request, reply, { status: 201, version: run.version, derived: run, body: run });
      },
    );

  app.get(
    '/runs',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listInsightRuns',
        summary: 'Runs of analyses, the latest first',
        tags,
        querystring: RunQuery,
        response: { 200: RunPage },
      },
    },
    async (request, reply) => http.sendPage(request, reply, await runs.list(request.query)),
  );

  app.get(
    '/runs/:id',
    {
      config: { access: READERS },
      schema: {
        operationId: 'getInsightRun',
        summary: 'A run of an analysis',
        description: 'Its findings are those of `GET /insightlens/findings?run_id=`.',
        tags,
        params: IdParams,
        response: { 200: RunView },
      },
    },
    async (request, reply) => {
      const run = await runs.get(request.params.id);
      return http.sendResource(request, reply, { version: run.version, derived: run, body: run });
    },
  );

  app.post(
    '/runs/:id/cancel',
    {
      config: { access: MANAGERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'cancelInsightRun',
        summary: 'End a run; the findings of the run before stay shown',
        tags,
        params: IdParams,
        response: { 200: RunView },
      },
    },
    async (request, reply) => {
      const run = await runs.cancel(request.ctx, request.params.id);
      return http.sendResource(request, reply, { version: run.version, derived: run, body: run });
    },
  );
};
