import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { notAllowed } from './errors.js';

/**
 * A path that is a route without parameters is not a parameter value: `PATCH /cards/bulk` is a 405, not a card named
 * "bulk".
 */
export default fp(
  async (app: FastifyInstance) => {
    app.addHook('onRequest', (request, _reply, done) => {
      if (request.is404 || !request.routeOptions.url?.includes(':')) return done();
      const methods = app.literalMethods(request.url.split('?')[0]!);
      done(methods.length === 0 || methods.includes(request.method) ? undefined : notAllowed(methods));
    });
  },
  { name: 'methods', dependencies: ['errors', 'cors', 'health', 'metrics'] },
);
