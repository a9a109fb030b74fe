import type { ModuleRoutes } from '@lintel/sdk';
import { MANAGERS, READERS } from '../permissions.js';
import type { PpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { PlanParams, PlanPatch, PlanView } from './schemas.js';

const tags = ['ppm'];

/** The start and the calendar of a plan. */
export const planRoutes: ModuleRoutes<PpmServices, Settings> = async (app, { services: { plans }, host: { http } }) => {
  app.get(
    '/initiatives/:card_id/plan',
    {
      config: { access: READERS },
      schema: {
        operationId: 'getPpmPlan',
        summary: 'The start and the calendar of a plan',
        tags,
        params: PlanParams,
        response: { 200: PlanView },
      },
    },
    async (request, reply) =>
      http.sendResource(request, reply, await plans.resource(request.ctx, request.params.card_id)),
  );

  app.patch(
    '/initiatives/:card_id/plan',
    {
      config: { access: MANAGERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'updatePpmPlan',
        summary: 'Set the start and the calendar of a plan',
        tags,
        params: PlanParams,
        body: PlanPatch,
        response: { 200: PlanView },
        description: 'A calendar is replaced as a whole.',
      },
    },
    async (request, reply) => {
      const plan = await plans.update(request.ctx, request.params.card_id, request.body);
      return http.sendResource(request, reply, plan);
    },
  );
};
