import { OneOf, Strict, Type, Uuid, type ModuleRoutes, type ModuleServices } from '@lintel/sdk';
import { requireActiveInitiative } from '../basics.js';
import { MANAGERS } from '../permissions.js';
import type { PpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { risks } from './resource.js';

/** Categories of the register of the module of risks. */
const CATEGORIES = [
  'security',
  'compliance',
  'operational',
  'technology',
  'financial',
  'reputational',
  'strategic',
] as const;
const PromoteBody = Strict(
  { category: Type.Optional(OneOf(CATEGORIES, { default: 'operational', description: 'In the register.' })) },
  { examples: [{ category: 'operational' }] },
);

/** Risks of initiatives. */
export const riskRoutes: ModuleRoutes<PpmServices, Settings> = async (app, { services, host }) => {
  app.addHook('preHandler', async (request) => {
    const { card_id } = request.params as { card_id: string };
    if (request.method !== 'GET') await requireActiveInitiative(host, request.ctx, card_id);
  });
  await app.register(risks.below('card_id'), {
    prefix: '/initiatives/:card_id/risks',
    services: services.risks,
    host: host as unknown as ModuleServices,
  });

  app.post(
    '/initiatives/:card_id/risks/:id/promote',
    {
      config: { access: MANAGERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'promotePpmRisk',
        summary: 'Create a risk of an initiative in the risk register',
        tags: ['ppm'],
        description:
          'Probabilities and impacts 1 and 2 become low, 3 medium, 4 high, 5 very_high and critical. Requires the right to create risks there.',
        params: Strict({ card_id: Uuid(), id: Uuid() }),
        body: PromoteBody,
        response: { 200: risks.view },
      },
    },
    async (request, reply) => {
      const { card_id, id } = request.params;
      const { category = 'operational' } = request.body;
      const { resource } = await services.promotion.promote(request.ctx, card_id, id, category);
      return host.http.sendResource(request, reply, resource) as never;
    },
  );
};
