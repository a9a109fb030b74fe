import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { clientKey } from '../../auth/index.js';
import { problem } from '../../errors.js';

/**
 * Limits routes that say so, per client address. Nothing the caller sends but the connection itself (or what a
 * trusted proxy says of it) decides what is counted.
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export default fp(async (app: FastifyInstance) => {
  const { limiter } = app.services;
  app.addHook('onRequest', async (request, reply) => {
    const { config, url } = request.routeOptions;
    if (config.rateLimit === undefined || request.is404) return;
    const perMinute = 'setting' in config.rateLimit ? app.services.settings.current.rate_limits[config.rateLimit.setting] : config.rateLimit.perMinute;
    const { allowed, remaining, reset, window } = await limiter.hit(`${request.method} ${url ?? ''} ${clientKey(request.ip)}`, perMinute);
    const headers = { 'ratelimit-policy': `"address";q=${perMinute};w=${window}`, ratelimit: `"address";r=${remaining};t=${reset}` };
    if (!allowed) throw problem('rate_limited', { headers: { ...headers, 'retry-after': String(reset) } });
    reply.headers(headers);
  });
}, { name: 'limits', dependencies: ['errors', 'cors', 'health', 'metrics'] });
