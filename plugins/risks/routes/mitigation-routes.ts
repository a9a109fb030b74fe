import { IdParams, NoContent, type ListParams, type ModuleRoutes } from '@lintel/sdk';
import {
  CompleteBody,
  MitigationCreate,
  MitigationPage,
  MitigationParams,
  MitigationPatch,
  MitigationQuery,
  OccurrencePage,
  OccurrenceParams,
  OccurrenceQuery,
  mitigations as resource,
} from '../mitigations/resource.js';
import type { MitigationService } from '../mitigations/service.js';
import { VIEW, WRITERS } from '../permissions.js';
import { HistoryPage, HistoryQuery } from '../register/schemas.js';
import type { Settings } from '../settings.js';

const tags = ['risks'];
const params = MitigationParams;

/** The mitigations of a risk; below `/risks/{id}/mitigations`. */
export const mitigationRoutes: ModuleRoutes<MitigationService, Settings> = async (
  app,
  { services: mitigations, host: { http } },
) => {
  app.get(
    '/:id/mitigations',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'listRiskMitigations',
        summary: 'The mitigations of a risk',
        tags,
        params: IdParams,
        querystring: MitigationQuery,
        response: { 200: MitigationPage },
      },
    },
    async (request, reply) =>
      http.sendPage(
        request,
        reply,
        await mitigations.list(request.ctx, request.params.id, request.query as ListParams & Record<string, unknown>),
      ),
  );

  app.post(
    '/:id/mitigations',
    {
      config: { access: WRITERS, idempotent: true },
      schema: {
        operationId: 'createRiskMitigation',
        summary: 'Plan a mitigation, once or recurring',
        tags,
        params: IdParams,
        body: MitigationCreate,
        response: { 201: resource.view },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { id: made, resource: mitigation } = await mitigations.create(request.ctx, id, request.body);
      reply.header('location', `/api/v1/risks/${id}/mitigations/${made}`);
      return http.sendResource(request, reply, { status: 201, ...mitigation });
    },
  );

  app.get(
    '/:id/mitigations/:mitigation_id',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'getRiskMitigation',
        summary: 'A mitigation',
        tags,
        params,
        response: { 200: resource.view },
      },
    },
    async (request, reply) =>
      http.sendResource(
        request,
        reply,
        await mitigations.resource(request.ctx, request.params.id, request.params.mitigation_id),
      ),
  );

  app.patch(
    '/:id/mitigations/:mitigation_id',
    {
      config: { access: WRITERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateRiskMitigation',
        summary: 'Change a mitigation',
        tags,
        params,
        body: MitigationPatch,
        response: { 200: resource.view },
        description:
          'A changed due date also applies to the open occurrence, and the series is counted from it. When the status becomes done or cancelled, the open occurrence ends; when the mitigation is reopened, a new one begins.',
      },
    },
    async (request, reply) => {
      const { id, mitigation_id } = request.params;
      const written = await mitigations.update(request.ctx, id, mitigation_id, request.body);
      return http.sendResource(request, reply, written.resource);
    },
  );

  app.delete(
    '/:id/mitigations/:mitigation_id',
    {
      config: { access: WRITERS, conditional: true },
      schema: {
        operationId: 'deleteRiskMitigation',
        summary: 'Delete a mitigation with its occurrences',
        tags,
        params,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await mitigations.remove(request.ctx, request.params.id, request.params.mitigation_id);
      return http.sendNothing(reply);
    },
  );

  app.get(
    '/:id/mitigations/:mitigation_id/history',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'getRiskMitigationHistory',
        summary: 'The history of a mitigation',
        tags,
        params,
        querystring: HistoryQuery,
        response: { 200: HistoryPage },
      },
    },
    async (request, reply) => {
      const { id, mitigation_id } = request.params;
      const page = await mitigations.history(request.ctx, id, mitigation_id, request.query as ListParams);
      return http.sendPage(request, reply, {
        ...page,
        items: page.items.map((entry) => ({ ...entry, comment: null, rationale: null })),
      });
    },
  );

  app.get(
    '/:id/mitigations/:mitigation_id/occurrences',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'listRiskOccurrences',
        summary: 'The occurrences of a mitigation, past and open',
        tags,
        params,
        querystring: OccurrenceQuery,
        response: { 200: OccurrencePage },
      },
    },
    async (request, reply) =>
      http.sendPage(
        request,
        reply,
        await mitigations.occurrences(request.ctx, request.params.id, request.params.mitigation_id, request.query),
      ),
  );

  app.post(
    '/:id/mitigations/:mitigation_id/occurrences/:occurrence_id/complete',
    {
      config: { access: WRITERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'completeRiskOccurrence',
        summary: 'End an occurrence; the next of the series begins',
        tags,
        params: OccurrenceParams,
        body: CompleteBody,
        response: { 200: resource.view },
        description:
          'If-Match is the version of the mitigation. Where nothing recurs, or the series is over, the mitigation is done.',
      },
    },
    async (request, reply) => {
      const { id, mitigation_id, occurrence_id } = request.params;
      const written = await mitigations.complete(request.ctx, id, mitigation_id, occurrence_id, request.body);
      return http.sendResource(request, reply, written.resource);
    },
  );
};
