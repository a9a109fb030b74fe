import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { useCompilers } from '../foundation/http/compilers.js';
import { Strict } from '../foundation/http/schemas.js';

const NO_QUERY = Strict({});

/** Strict bodies, strictly parsed query strings, all errors reported together. */
export default fp(
  async (app: FastifyInstance) => {
    // A route without query schema rejects every parameter, as other routes reject unknown ones.
    app.addHook('onRoute', (route) => {
      if (route.url.startsWith('/api/v1/') && !route.schema?.querystring)
        route.schema = { ...route.schema, querystring: NO_QUERY };
    });
    useCompilers(app, true);
  },
  { name: 'validation' },
);
