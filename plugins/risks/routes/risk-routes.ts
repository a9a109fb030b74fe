import { answerBulk, IdParams, NoContent, type ModuleRoutes } from '@lintel/sdk';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { VIEW, WRITERS } from '../permissions.js';
import { BulkBody, BulkQuery, BulkView } from '../register/bulk-schemas.js';
import {
  CardRiskQuery,
  HistoryPage,
  HistoryQuery,
  RiskCreate,
  RiskPage,
  RiskPatch,
  RiskQuery,
  RiskView,
  TransitionBody,
} from '../register/schemas.js';
import type { RiskService } from '../register/service.js';
import type { Settings } from '../settings.js';

const tags = ['risks'];
const params = IdParams;

/** The register itself. */
export const riskRoutes: ModuleRoutes<RiskService, Settings> = async (app, { services: risks, host: { http } }) => {
  async function send(request: FastifyRequest, reply: FastifyReply, id: string, status = 200) {
    if (status === 201) reply.header('location', `/api/v1/risks/${id}`);
    return http.sendResource(request, reply, { status, ...(await risks.resource(request.ctx, id)) });
  }

  app.get(
    '',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'listRisks',
        summary: 'The risk register',
        tags,
        querystring: RiskQuery,
        response: { 200: RiskPage },
      },
    },
    async (request, reply) => http.sendPage(request, reply, await risks.list(request.ctx, request.query)),
  );

  app.post(
    '',
    {
      config: { access: WRITERS, idempotent: true },
      schema: {
        operationId: 'createRisk',
        summary: 'Enter a risk',
        tags,
        body: RiskCreate,
        response: { 201: RiskView },
      },
    },
    async (request, reply) => send(request, reply, await risks.create(request.ctx, request.body), 201),
  );

  app.post(
    '/bulk',
    {
      config: { access: WRITERS, idempotent: true, bulk: true },
      schema: {
        operationId: 'bulkRisks',
        summary: 'Up to 10,000 operations on risks in one transaction',
        tags,
        querystring: BulkQuery,
        body: BulkBody,
        response: { 200: BulkView },
      },
    },
    async (request) => answerBulk(request, (operations, mode) => risks.bulk(request.ctx, { operations, mode })),
  );

  app.get(
    '/:id',
    {
      config: { access: { permission: VIEW } },
      schema: { operationId: 'getRisk', summary: 'A risk', tags, params, response: { 200: RiskView } },
    },
    async (request, reply) => send(request, reply, request.params.id),
  );

  app.patch(
    '/:id',
    {
      config: { access: WRITERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateRisk',
        summary: 'Change a risk',
        tags,
        params,
        body: RiskPatch,
        response: { 200: RiskView },
      },
    },
    async (request, reply) => {
      await risks.update(request.ctx, request.params.id, request.body);
      return send(request, reply, request.params.id);
    },
  );

  app.delete(
    '/:id',
    {
      config: { access: WRITERS, conditional: true },
      schema: { operationId: 'deleteRisk', summary: 'Delete a risk', tags, params, response: NoContent },
    },
    async (request, reply) => {
      await risks.remove(request.ctx, request.params.id);
      return http.sendNothing(reply);
    },
  );

  app.post(
    '/:id/transition',
    {
      config: { access: WRITERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'moveRisk',
        summary: 'Move a risk to another status',
        tags,
        params,
        body: TransitionBody,
        response: { 200: RiskView },
        description:
          'A move there is not answers 409 `risks_move_refused` with `allowed`. Accepting needs `risks.accept` as well, a rationale and the day the acceptance ends; on that day the risk returns to in_progress.',
      },
    },
    async (request, reply) => {
      await risks.transition(request.ctx, request.params.id, request.body);
      return send(request, reply, request.params.id);
    },
  );

  app.get(
    '/:id/history',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'getRiskHistory',
        summary: 'Who changed a risk, and what',
        tags,
        params,
        querystring: HistoryQuery,
        response: { 200: HistoryPage },
      },
    },
    async (request, reply) =>
      http.sendPage(
        request,
        reply,
        await risks.history(request.ctx, request.params.id, request.query as Record<string, never>),
      ),
  );
};

/** Below `/cards/{id}/risks`. */
export const cardRiskRoutes: ModuleRoutes<RiskService, Settings> = async (app, { services: risks, host: { http } }) => {
  app.get(
    '',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'listCardRisks',
        summary: 'Risks that concern a card',
        tags,
        params,
        querystring: CardRiskQuery,
        response: { 200: RiskPage },
      },
    },
    async (request, reply) =>
      http.sendPage(request, reply, await risks.ofCard(request.ctx, request.params.id, request.query)),
  );
};
