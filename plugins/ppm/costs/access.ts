import type { RequestContext } from '@lintel/sdk';
import type { FastifyInstance } from 'fastify';
import { requireInitiative, type Host } from '../basics.js';
import { lockPlans } from '../plan/locking.js';

/**
 * Requires that the caller may see the costs of an initiative.
 * @throws not_found if it does not exist for the caller; forbidden
 */
export async function requireAmounts(host: Host, ctx: RequestContext, cardId: string): Promise<void> {
  const { id } = await requireInitiative(host, ctx, cardId);
  if ((await host.cards.seesCosts(ctx, [id])).has(id)) return;
  // Names the permission to a caller who may see no costs at all.
  await host.inventory.read(ctx, {}, async (inventory) => inventory.demandCosts());
  throw amountsForbidden(host);
}

/** The refusal of amounts to a caller who may see those of other initiatives only. */
export const amountsForbidden = (host: Host) =>
  host.problem('forbidden', { detail: 'The right to see the costs of the initiative is required.' });

/** Makes all routes of a scope below an initiative require the right to see its costs, and its writes lock the plan. */
export function guardAmounts(scope: FastifyInstance, host: Host): void {
  scope.addHook('preHandler', async (request) => {
    const { card_id } = request.params as { card_id: string };
    await requireAmounts(host, request.ctx, card_id);
  });
  lockPlans(scope, host);
}
