import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

/** Lets browsers on the configured origins, compared exactly, call the API; for all others there is no CORS at all. */
export default fp(
  async (app: FastifyInstance) => {
    const allowed = new Set(app.services.config.allowedOrigins);
    if (allowed.size === 0) return;
    // The preflight route is the library's own; the answer is given in its hook, before access is asked.
    app.addHook('onRoute', (route) => {
      if (route.url === '*' && route.method === 'OPTIONS') route.config = { ...route.config, access: 'public' };
    });
    await app.register(cors, {
      // False is no header and no preflight.
      origin: (origin, done) => done(null, origin !== undefined && allowed.has(origin) && origin),
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: [
        'Authorization',
        'Content-Type',
        'Accept',
        'If-Match',
        'If-None-Match',
        'Idempotency-Key',
        'Last-Event-ID',
        'X-Request-Id',
        'Traceparent',
      ],
      exposedHeaders: [
        'ETag',
        'Link',
        'Location',
        'Retry-After',
        'RateLimit',
        'RateLimit-Policy',
        'X-Request-Id',
        'Idempotent-Replayed',
      ],
      // The token travels in a header, never in a cookie: no credentials mode.
      credentials: false,
      strictPreflight: false,
      maxAge: 600,
    });
  },
  { name: 'cors', dependencies: ['headers', 'logging'] },
);
