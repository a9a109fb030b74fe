import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { useCompilers } from '../foundation/http/compilers.js';
import { routeFaults } from '../foundation/http/schema-cost.js';
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
    // A schema that allows a body within its limits to make validation very slow is rejected, also for modules.
    app.addHook('onRoute', ({ method, url, schema = {} }) => {
      const faults = routeFaults(schema);
      if (faults.length > 0)
        throw new Error(`the schema of ${[method].flat().join()} ${url} is rejected: ${faults.join('; ')}`);
    });
    useCompilers(app, true);
  },
  { name: 'validation' },
);
