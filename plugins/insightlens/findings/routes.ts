import { IdParams, type ModuleRoutes } from '@lintel/sdk';
import { MANAGERS, READERS } from '../permissions.js';
import type { InsightLensServices } from '../services.js';
import type { Settings } from '../settings.js';
import { FindingMove, FindingPage, FindingQuery, FindingView } from './schemas.js';

const tags = ['insightlens'];

/** Findings of all analyses: list, get, decide. */
export const findingRoutes: ModuleRoutes<InsightLensServices, Settings> = async (app, { services, host }) => {
  const { http } = host;
  const { findings } = services;

  app.get(
    '/findings',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listInsightFindings',
        summary: 'Findings of the current run of each analysis',
        description:
          'Those whose cards are all active and visible to the caller, together with what they were concluded from: costs, relations, stakeholders.',
        tags,
        querystring: FindingQuery,
        response: { 200: FindingPage },
      },
    },
    async (request, reply) => http.sendPage(request, reply, await findings.list(request.ctx, request.query)),
  );

  app.get(
    '/findings/:id',
    {
      config: { access: READERS },
      schema: {
        operationId: 'getInsightFinding',
        summary: 'A finding, by the latest run that has found it',
        tags,
        params: IdParams,
        response: { 200: FindingView },
      },
    },
    async (request, reply) => {
      const finding = await findings.get(request.ctx, request.params.id);
      return http.sendResource(request, reply, { version: finding.version, derived: finding, body: finding });
    },
  );

  app.post(
    '/findings/:id/transition',
    {
      config: { access: MANAGERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'transitionInsightFinding',
        summary: 'Put a finding in another state',
        description: 'The state is kept when the analysis runs again, also after cards were renamed.',
        tags,
        params: IdParams,
        body: FindingMove,
        response: { 200: FindingView },
      },
    },
    async (request, reply) => {
      const finding = await findings.move(request.ctx, request.params.id, request.body);
      return http.sendResource(request, reply, { version: finding.version, derived: finding, body: finding });
    },
  );
};
