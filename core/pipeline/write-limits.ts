import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The cost of a call: the number of operations of a bulk request, else 1. */
function costOf({ body }: FastifyRequest): number {
  const { operations } = (body ?? {}) as { operations?: unknown };
  return Array.isArray(operations) ? Math.max(1, operations.length) : 1;
}

/** Limits the writes of a user if the workspace setting is set; sessions can still be started and ended. */
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
