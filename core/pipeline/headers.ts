import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { STATIC_HEADERS } from '../foundation/http/edge.js';

/**
 * Sets the headers of every response, including errors and unknown paths, before any other hook can respond. Allows
 * browsers on the configured origins, compared exactly, to call the API; other origins get no CORS headers.
 */
export default fp(
  async (app: FastifyInstance) => {
    app.addHook('onRequest', (request, reply, done) => {
      reply.headers(STATIC_HEADERS).header('x-request-id', request.id);
      done();
    });

    const allowed = new Set(app.services.config.allowedOrigins);
    if (allowed.size === 0) return;
    // The preflight route belongs to the library; its hook responds before access is checked.
    app.addHook('onRoute', (route) => {
      if (route.url === '*' && route.method === 'OPTIONS') route.config = { ...route.config, access: 'public' };
    });
    await app.register(cors, {
      // False means no CORS headers and no preflight response.
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
      // The token is sent in a header, never in a cookie, so credentials mode is not needed.
      credentials: false,
      strictPreflight: false,
      maxAge: 600,
    });
  },
  { name: 'headers', dependencies: ['logging'] },
);
