import type { ModuleServices, RequestContext } from '@lintel/sdk';
import type { FastifyInstance } from 'fastify';
import { requireActiveInitiative, type Host } from '../basics.js';
import { lockPlan } from './repository.js';

/** By request, the initiative whose plan its transactions lock. */
const locked = new WeakMap<RequestContext, string>();

/**
 * The services of the host for resources of plans: a transaction of a request that `lockPlans` has seen locks the plan first. Resources
 * lock their row before they call `prepare`; were the plan locked only there, two requests could wait for each other.
 */
export function lockingHost(host: Host): ModuleServices {
  const run: Host['transactions']['run'] = async (ctx, work) =>
    host.transactions.run(ctx, async (uow) => {
      const cardId = locked.get(ctx);
      if (cardId !== undefined) await lockPlan(uow, cardId);
      return work(uow);
    });
  return Object.create(host, { transactions: { value: { run } } }) as ModuleServices;
}

/** Makes the writes of a scope below an initiative lock its plan, and refuses those of archived initiatives. */
export function lockPlans(scope: FastifyInstance, host: Host): void {
  scope.addHook('preHandler', async (request) => {
    if (request.method === 'GET') return;
    const { card_id } = request.params as { card_id: string };
    locked.set(request.ctx, (await requireActiveInitiative(host, request.ctx, card_id)).id);
  });
}
