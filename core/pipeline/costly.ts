import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { Semaphore } from '../foundation/http/semaphore.js';

/** Share of the node's database connections that costly requests may use, and the share of these per user. */
const CONNECTIONS_SHARE = 0.5;
const USER_SHARE = 0.5;
/** Maximum wait, in milliseconds; then 429 with Retry-After. */
const WAIT_MS = 10_000;

/** Queues costly requests, so that one user cannot take the database connections of all others. */
export default fp(
  async (app: FastifyInstance) => {
    const most = Math.max(1, Math.floor(app.services.config.databasePoolMax * CONNECTIONS_SHARE));
    const costly = new Semaphore({
      what: 'costly requests',
      most,
      each: Math.max(1, Math.floor(most * USER_SHARE)),
      waitMs: WAIT_MS,
    });
    app.addHook('preHandler', async (request, reply) => {
      if (request.is404 || request.routeOptions.config.costly !== true) return;
      const end = await costly.take(request.identity?.actor.id ?? '');
      if (reply.raw.destroyed || reply.raw.closed) end();
      else reply.raw.once('close', end);
    });
  },
  { name: 'costly', dependencies: ['context'] },
);
