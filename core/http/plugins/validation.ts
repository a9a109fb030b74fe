import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { useCompilers } from '../compilers.js';
import { Strict } from '../schemas.js';

const NO_QUERY = Strict({});

/** Strict bodies, strictly read query strings, all faults at once. */
export default fp(async (app: FastifyInstance) => {
  // A route that takes no query refuses every parameter, as all others refuse those they do not know.
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/api/v1/') && !route.schema?.querystring) route.schema = { ...route.schema, querystring: NO_QUERY };
  });
  useCompilers(app, 'needed');
}, { name: 'validation' });
