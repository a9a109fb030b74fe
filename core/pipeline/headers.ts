import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { STATIC_HEADERS } from '../foundation/http/edge.js';

/** Sets the headers of every response, including errors and unknown paths, before any other hook can respond. */
export default fp(
  async (app: FastifyInstance) => {
    app.addHook('onRequest', (request, reply, done) => {
      reply.headers(STATIC_HEADERS).header('x-request-id', request.id);
      done();
    });
  },
  { name: 'headers' },
);
