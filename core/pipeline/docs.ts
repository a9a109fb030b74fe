import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

const PREFIX = '/api/docs';
/** The page runs its own scripts and connects only to this service. Some of its styles are inline. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The interactive documentation: in development only; otherwise the path is unknown. */
export default fp(
  async (app: FastifyInstance) => {
    if (app.services.config.environment !== 'development') return;
    app.addHook('onRoute', (route) => {
      if (route.url === PREFIX || route.url.startsWith(`${PREFIX}/`))
        route.config = { ...route.config, access: 'public' };
    });
    await app.register(swaggerUi, {
      routePrefix: PREFIX,
      staticCSP: POLICY,
      // The document as currently served: without disabled modules.
      transformSpecification: () => app.openapiDocument() as never,
      transformSpecificationClone: false,
      uiConfig: {
        docExpansion: 'none',
        persistAuthorization: true,
        displayRequestDuration: true,
        tagsSorter: 'alpha',
        filter: true,
      },
      theme: { title: 'Lintel API' },
    });
  },
  { name: 'docs', dependencies: ['openapi'] },
);
