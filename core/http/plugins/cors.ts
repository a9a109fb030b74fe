import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

const OPTIONS: FastifyCorsOptions = {
  origin: true,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: ['Authorization', 'Content-Type', 'Accept', 'If-Match', 'If-None-Match', 'Idempotency-Key', 'Last-Event-ID', 'X-Request-Id', 'Traceparent'],
  exposedHeaders: ['ETag', 'Link', 'Location', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id', 'Idempotent-Replayed'],
  // The token travels in a header, never in a cookie: no credentials mode.
  credentials: false,
  maxAge: 600,
};

/** Lets browsers on the configured origins, compared exactly, call the API; for all others there is no CORS at all. */
export default fp(async (app: FastifyInstance) => {
  const allowed = new Set(app.services.config.allowedOrigins);
  if (allowed.size === 0) return;
  // The preflight route is the library's own; the answer is given in its hook, before access is asked.
  app.addHook('onRoute', (route) => {
    if (route.url === '*' && route.method === 'OPTIONS') route.config = { ...route.config, access: 'public' };
  });
  await app.register(cors, {
    delegator: (request: FastifyRequest, done: (error: Error | null, options?: FastifyCorsOptions) => void) =>
      done(null, allowed.has(request.headers.origin ?? '') && !invalidPreflight(request) ? OPTIONS : { origin: false }),
  });
}, { name: 'cors', dependencies: ['headers', 'logging'] });

/** OPTIONS that is no preflight is a method no path has. */
const invalidPreflight = (request: FastifyRequest): boolean =>
  request.method === 'OPTIONS' && request.headers['access-control-request-method'] === undefined;
