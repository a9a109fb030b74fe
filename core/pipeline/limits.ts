import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { clientKey } from '../foundation/http/client-address.js';
import { problem } from '../foundation/errors.js';

/**
 * Rate limits for routes that declare one, per client address or per user. The address is that of the connection, or
 * the one reported by a trusted proxy; no other header is used.
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export default fp(
  async (app: FastifyInstance) => {
    const { limiter } = app.services;
    app.addHook('onRequest', async (request, reply) => {
      const { config, url } = request.routeOptions;
      if (config.rateLimit === undefined || request.is404) return;
      const perMinute =
        'setting' in config.rateLimit
          ? app.services.settings.current.rate_limits[config.rateLimit.setting]
          : config.rateLimit.perMinute;
      const user = config.rateLimit.by === 'user' ? request.identity?.actor.id : undefined;
      const { allowed, remaining, reset, window } = await limiter.hit(
        `${request.method} ${url ?? ''} ${user ?? clientKey(request.ip)}`,
        perMinute,
      );
      const name = user === undefined ? 'address' : 'user';
      const headers = {
        'ratelimit-policy': `"${name}";q=${perMinute};w=${window}`,
        ratelimit: `"${name}";r=${remaining};t=${reset}`,
      };
      if (!allowed) throw problem('rate_limited', { headers: { ...headers, 'retry-after': String(reset) } });
      reply.headers(headers);
    });
  },
  { name: 'limits', dependencies: ['errors', 'cors', 'health', 'metrics', 'access'] },
);
