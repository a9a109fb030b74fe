import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What a call counts for: a bulk call as much as it has operations. */
function costOf({ body }: FastifyRequest): number {
  const { operations } = (body ?? {}) as { operations?: unknown };
  return Array.isArray(operations) ? Math.max(1, operations.length) : 1;
}

/** Limits what a user writes, where the workspace says so; sessions can be begun and ended all the same. */
export default fp(
  async (app: FastifyInstance) => {
    app.addHook('preHandler', async (request, reply) => {
      if (
        request.is404 ||
        READS.has(request.method) ||
        !request.identity ||
        request.routeOptions.config.whenFull === true
      )
        return;
      const headers = await app.services.writeLimits.spend(request.identity.actor.id, costOf(request));
      if (headers) reply.headers(headers);
    });
  },
  { name: 'write-limits', dependencies: ['context'] },
);
