import { IdParams, type ModuleRoutes } from '@lintel/sdk';
import { MANAGERS, READERS } from '../permissions.js';
import type { InsightLensServices } from '../services.js';
import type { Settings } from '../settings.js';
import {
  BulkMoves,
  BulkMovesView,
  CompliancePage,
  ComplianceView,
  ListQuery,
  Promoted,
  Promotion,
  RegulationParams,
  RulePage,
} from './schemas.js';

const tags = ['insightlens'];

/** Rules, compliance with regulations, and decisions about several findings. */
export const securityRoutes: ModuleRoutes<InsightLensServices, Settings> = async (app, { services, host }) => {
  const { http } = host;
  const { compliance, bulkTransitions, promotion } = services;

  app.get(
    '/rules',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listInsightRules',
        summary: 'The rules of the analysis of security and compliance',
        description: 'As the settings of the module change them.',
        tags,
        querystring: ListQuery,
        response: { 200: RulePage },
      },
    },
    async (request, reply) =>
      http.sendPage(
        request,
        reply,
        http.pageOf(await compliance.rules(request.ctx), 'id', 'id', request.query, 'rules'),
      ),
  );

  app.get(
    '/compliance',
    {
      config: { access: READERS, costly: true },
      schema: {
        operationId: 'listInsightCompliance',
        summary: 'Regulations with the findings that speak against them',
        description:
          'Numbers of findings of the current run that the caller sees. `GET /insightlens/findings?rule=` lists those of a requirement.',
        tags,
        querystring: ListQuery,
        response: { 200: CompliancePage },
      },
    },
    async (request, reply) => {
      const all = await compliance.regulations(request.ctx);
      return http.sendPage(request, reply, http.pageOf(all, 'id', 'title', request.query, 'compliance'));
    },
  );

  app.get(
    '/compliance/:regulation',
    {
      config: { access: READERS, costly: true },
      schema: {
        operationId: 'getInsightCompliance',
        summary: 'The requirements of a regulation with their findings',
        tags,
        params: RegulationParams,
        response: { 200: ComplianceView },
      },
    },
    async (request, reply) => {
      const body = await compliance.regulation(request.ctx, request.params.regulation);
      return http.sendResource(request, reply, { version: 1, derived: body, body });
    },
  );

  app.post(
    '/findings/bulk-transition',
    {
      config: { access: MANAGERS, idempotent: true, bulk: true },
      schema: {
        operationId: 'transitionInsightFindings',
        summary: 'Put several findings in another state',
        description: 'In one transaction, each by the rules of a single transition.',
        tags,
        body: BulkMoves,
        response: { 200: BulkMovesView },
      },
    },
    async (request) => (await bulkTransitions.run(request)) as never,
  );

  app.post(
    '/findings/:id/promote',
    {
      config: { access: MANAGERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'promoteInsightFinding',
        summary: 'Make a risk or a draft decision of a finding',
        description:
          'With the rights of the caller in the module risks or adr, about the cards of the finding, in one transaction. A finding of the analysis of security that becomes a risk is `risk_tracked`.',
        tags,
        params: IdParams,
        body: Promotion,
        response: { 200: Promoted },
      },
    },
    async (request, reply) => {
      const body = await promotion.promote(request.ctx, request.params.id, request.body);
      return http.sendResource(request, reply, { version: body.version, body });
    },
  );
};
