import { IdParams, Strict, Uuid, type ModuleRoutes } from '@lintel/sdk';
import { APPLIERS, READERS } from '../permissions.js';
import type { CmdbSyncServices } from '../services.js';
import type { Settings } from '../settings.js';
import { ReportQuery, RunApply, RunPage, RunQuery, RunReport, RunStart, RunView } from './schemas.js';

const tags = ['cmdbsync'];

/** Runs: list, start, cancel, apply and report. */
export const runRoutes: ModuleRoutes<CmdbSyncServices, Settings> = async (app, { services, host }) => {
  const { http } = host;
  const { runs, reports } = services;

  app.get(
    '/runs',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listCmdbsyncRuns',
        summary: 'Runs, the latest first',
        tags,
        querystring: RunQuery,
        response: { 200: RunPage },
      },
    },
    async (request, reply) => http.sendPage(request, reply, await runs.list(request.query)),
  );

  app.post(
    '/mappings/:id/runs',
    {
      config: { access: APPLIERS, idempotent: true },
      schema: {
        operationId: 'startCmdbsyncRun',
        summary: 'Start a run of a mapping',
        description:
          'It runs as the service account of the mapping, with its rights. A mapping has one active run at a time; records of earlier runs that wait for a decision are given up, unless it is a dry run.',
        tags,
        params: IdParams,
        body: RunStart,
        response: { 201: RunView },
      },
    },
    async (request, reply) => {
      const run = await runs.start(request.ctx, request.params.id, request.body);
      reply.header('location', `/api/v1/cmdbsync/runs/${run.id}`);
      return http.sendResource(request, reply, { status: 201, version: run.version, derived: run, body: run });
    },
  );

  app.get(
    '/runs/:id',
    {
      config: { access: READERS },
      schema: {
        operationId: 'getCmdbsyncRun',
        summary: 'A run',
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
      config: { access: APPLIERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'cancelCmdbsyncRun',
        summary: 'End a run; what it has applied stays',
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

  app.post(
    '/runs/:id/apply',
    {
      config: { access: APPLIERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'applyCmdbsyncRun',
        summary: 'Apply records that wait',
        description: 'A job applies them as the service account of the mapping. Conflicts are decided one by one.',
        tags,
        params: IdParams,
        body: RunApply,
        response: { 200: RunView },
      },
    },
    async (request, reply) => {
      const run = await runs.apply(request.ctx, request.params.id, request.body as RunApply);
      return http.sendResource(request, reply, { version: run.version, derived: run, body: run });
    },
  );

  app.get(
    '/runs/:id/report',
    {
      config: { access: READERS, costly: true },
      schema: {
        operationId: 'getCmdbsyncRunReport',
        summary: 'The report of a run',
        description:
          'As CSV one line for each field of each record that the caller may see; of cards hidden from the caller only numbers are in the JSON.',
        tags,
        params: Strict({ id: Uuid() }),
        querystring: ReportQuery,
        response: {
          200: {
            description: 'The report.',
            content: {
              'application/json': { schema: RunReport },
              'text/csv': { schema: { type: 'string', contentMediaType: 'text/csv' } },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (request.query.format !== 'csv') return (await reports.json(request.ctx, id)) as never;
      return http.sendStream(
        reply,
        'text/csv; charset=utf-8',
        `cmdb-run-${id}.csv`,
        await reports.csv(request.ctx, id),
      ) as never;
    },
  );
};
