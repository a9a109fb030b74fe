import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { withEventBudget } from '../foundation/db/event-budget.js';
import { clientKey } from '../foundation/http/client-address.js';
import { whereNeeded } from '../foundation/http/hooks.js';
import { countRequest } from '../identity/auth/index.js';
import { Semaphore } from '../foundation/semaphore.js';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Share of the node's database connections that costly requests may use, and the share of these per user. */
const CONNECTIONS_SHARE = 0.5;
const USER_SHARE = 0.5;
/** Requests that need much memory which are processed at a time on a node, and of each user. */
const LARGE = { most: 4, each: 1 };
/** Maximum wait of a costly request, in milliseconds; then 429 with Retry-After. */
const WAIT_MS = 10_000;

/** Limits how many requests are processed, per client address and per user. */
export default fp(
  async (app: FastifyInstance) => {
    limitRates(app);
    queueLarge(app);
    queueCostly(app);
    limitWrites(app);
  },
  { name: 'limits', dependencies: ['access', 'context', 'places'] },
);

/**
 * Rate limits for routes that declare one, per client address or per user. The address is that of the connection, or
 * the one reported by a trusted proxy; no other header is used.
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
function limitRates(app: FastifyInstance): void {
  const { limiter, settings } = app.services;
  const isLimited = (request: FastifyRequest): boolean =>
    request.routeOptions.config.rateLimit !== undefined && !request.is404;
  const count = whereNeeded(isLimited, async (request, reply) => {
    const { config, url } = request.routeOptions;
    const limit = config.rateLimit!;
    const perMinute = 'setting' in limit ? settings.current.rate_limits[limit.setting] : limit.perMinute;
    const user = limit.by === 'user' ? request.identity?.actor.id : undefined;
    const key = `${request.method} ${url ?? ''} ${user ?? clientKey(request.ip)}`;
    await countRequest(limiter, reply, { key, perMinute, by: user === undefined ? 'address' : 'user' });
  });
  app.addHook('onRequest', count);
}

/** Queues requests that need much memory, before they hold a place among the costly ones. */
function queueLarge(app: FastifyInstance): void {
  const large = new Semaphore({ what: 'requests with large results', ...LARGE, waitMs: WAIT_MS });
  const isLarge = (request: FastifyRequest): boolean =>
    request.routeOptions.config.costly === 'memory' && !request.is404;
  const take = whereNeeded(isLarge, async (request) => {
    request.holdUntilReady(await large.take(request.use.load.user, request.use));
  });
  app.addHook('preHandler', take);
}

/** Queues costly requests, so that one user cannot take the database connections of all others. */
function queueCostly(app: FastifyInstance): void {
  const most = Math.max(1, Math.floor(app.services.config.databasePoolMax * CONNECTIONS_SHARE));
  const costly = new Semaphore({
    what: 'costly requests',
    most,
    each: Math.max(1, Math.floor(most * USER_SHARE)),
    waitMs: WAIT_MS,
  });
  const isCostly = (request: FastifyRequest): boolean => Boolean(request.routeOptions.config.costly) && !request.is404;
  const take = whereNeeded(isCostly, async (request) => {
    request.holdUntilReady(await costly.take(request.use.load.user, request.use));
  });
  app.addHook('preHandler', take);
}

/** Limits the writes of a user if the workspace setting is set; sessions can still be started and ended. */
function limitWrites(app: FastifyInstance): void {
  const isCounted = ({ is404, method, identity, routeOptions }: FastifyRequest): boolean =>
    !READS.has(method) && !is404 && identity !== null && routeOptions.config.whenFull !== true;
  const spend = whereNeeded(isCounted, async (request, reply) => {
    const { writeLimits } = app.services;
    const [user, cost] = [request.identity!.actor.id, costOf(request)];
    const headers = await writeLimits.spend(user, cost);
    if (!headers) return;
    reply.headers(headers);
    request.ctx = withEventBudget(request.ctx, writeLimits.budgetOf(user, cost));
  });
  app.addHook('preHandler', spend);
}

/** The number of writes of a call: the number of operations of a bulk request, else 1. */
function costOf({ body }: FastifyRequest): number {
  const { operations } = (body ?? {}) as { operations?: unknown };
  return Array.isArray(operations) ? Math.max(1, operations.length) : 1;
}
