import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { useCompilers } from '../foundation/http/compilers.js';
import { routeFaults } from '../foundation/http/route-cost.js';
import { Strict } from '../foundation/http/schemas.js';

const NO_QUERY = Strict({});

/** Strict bodies, strictly read query strings, all faults at once. */
export default fp(
  async (app: FastifyInstance) => {
    // A route that takes no query refuses every parameter, as all others refuse those they do not know.
    app.addHook('onRoute', (route) => {
      if (route.url.startsWith('/api/v1/') && !route.schema?.querystring)
        route.schema = { ...route.schema, querystring: NO_QUERY };
    });
    // What a body within its limits could keep validation busy with is no schema for a service, a module's neither.
    app.addHook('onRoute', ({ method, url, schema = {} }) => {
      const faults = routeFaults(schema);
      if (faults.length > 0)
        throw new Error(`the schema of ${[method].flat().join()} ${url} is refused: ${faults.join('; ')}`);
    });
    useCompilers(app, true);
  },
  { name: 'validation' },
);
