import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Type } from 'typebox';
import { isSameSecret } from '../foundation/digest.js';
import { problem } from '../foundation/errors.js';
import { isFromLoopback } from '../foundation/http/client-address.js';
import type { InstalledModule } from '../modules/index.js';

/** Whether the caller may read the metrics: with the token, or from this machine without a proxy. */
function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token !== undefined && given !== undefined && isSameSecret(given, token)) return true;
  return isFromLoopback(request.socket.remoteAddress, request.headers);
}

/** Counts every request and serves the metrics to Prometheus. */
export default fp(
  (async (app) => {
    const {
      config,
      db,
      continuity,
      storage,
      streams,
      events,
      impact,
      limiter,
      metrics,
      modules,
      subscriptions,
      jobService,
      reads,
    } = app.services;
    metrics.gauge({
      name: 'lintel_database_connections',
      help: 'Open connections of the pool.',
      read: () => db.pool.totalCount,
    });
    metrics.gauge({
      name: 'lintel_database_connections_idle',
      help: 'Idle connections of the pool.',
      read: () => db.pool.idleCount,
    });
    metrics.gauge({
      name: 'lintel_database_waiting',
      help: 'Requests that wait for a connection.',
      read: () => db.pool.waitingCount,
    });
    metrics.gauge({
      name: 'lintel_storage_free_bytes',
      help: 'Free disk space of the embedded database; NaN for an external server.',
      read: () => storage.freeBytes,
    });
    metrics.gauge({
      name: 'lintel_storage_full',
      help: 'Whether writes are refused because of low disk space: 1 or 0.',
      read: () => Number(storage.isFull),
    });
    metrics.gauge({ name: 'lintel_event_streams', help: 'Open event streams.', read: () => streams.size });
    metrics.gauge({
      name: 'lintel_impact_graph_relations',
      help: 'Relations in memory for impact analysis; 0 if the database is used.',
      read: () => impact.held,
    });
    metrics.gauge({
      name: 'lintel_event_head',
      help: 'Position of the latest event this node has seen.',
      read: () => events.head,
    });
    metrics.gauge({
      name: 'lintel_log_epoch',
      help: 'Increases when writes may have been lost, such as by a failover or a restore of the database.',
      read: () => continuity.epoch,
    });
    metrics.gauge({
      name: 'lintel_database_changes',
      help: 'How often this node has read everything again, because another server continued the database.',
      read: () => continuity.generation,
    });
    metrics.together(
      [
        {
          name: 'lintel_event_outbox_rows',
          help: 'Events without a position yet, of all nodes; not counted beyond 100000.',
        },
        {
          name: 'lintel_event_outbox_age_seconds',
          help: 'Age of the oldest event without a position; 0 if there is none.',
        },
      ],
      async () => {
        const { rows, ageSeconds } = await events.waiting();
        return [rows, ageSeconds];
      },
    );
    metrics.tables(
      [
        {
          name: 'lintel_subscription_behind',
          help: 'Events not yet delivered to a subscription of a module or of the core.',
          labels: ['module', 'subscription'],
        },
      ],
      async () => [
        (await subscriptions.lags()).map(({ module, name, behind }) => ({ module, subscription: name, value: behind })),
      ],
    );
    metrics.tables(
      [
        {
          name: 'lintel_jobs',
          help: 'Queued, running and failed jobs of a type, of all nodes.',
          labels: ['type', 'state'],
        },
        {
          name: 'lintel_jobs_due_age_seconds',
          help: 'Waiting time of the oldest due job of a type; 0 if none is due.',
          labels: ['type'],
        },
      ],
      async () => {
        const figures = await jobService.figures();
        const states = ['queued', 'running', 'failed'] as const;
        return [
          figures.flatMap((of) => states.map((state) => ({ type: of.type, state, value: of[state] }))),
          figures.map(({ type, waited }) => ({ type, value: waited })),
        ];
      },
    );
    if (reads.hasReplica) {
      metrics.together(
        [
          {
            name: 'lintel_replica_up',
            help: 'Whether the replica is available and follows this database: 1 or 0.',
          },
          { name: 'lintel_replica_lag_bytes', help: 'Bytes of WAL that the replica has not replayed.' },
        ],
        () => reads.measure(),
      );
    }
    if (config.redisUrl !== undefined)
      metrics.gauge({
        name: 'lintel_redis_up',
        help: 'Whether Redis, and not the database, counts for the rate limits: 1 or 0.',
        read: () => Number(limiter.isShared),
      });
    const each = (holds: (module: InstalledModule) => boolean) => () =>
      modules.list().map((module) => [module.id, Number(holds(module))] as const);
    metrics.gauges({
      name: 'lintel_module_enabled',
      help: 'Whether a module is enabled: 1 or 0.',
      label: 'module',
      read: each(({ stored }) => stored?.enabled === true),
    });
    metrics.gauges({
      name: 'lintel_module_failed',
      help: 'Whether a module cannot run on this node: 1 or 0.',
      label: 'module',
      read: each(({ fault }) => fault !== undefined),
    });

    app.addHook('onRequest', (request, reply, done) => {
      const began = performance.now();
      reply.raw.once('close', () => {
        const isStream = String(reply.raw.getHeader('content-type')).startsWith('text/event-stream');
        const route = request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched');
        metrics.observe(
          request.method,
          route,
          reply.raw.statusCode,
          isStream ? undefined : (performance.now() - began) / 1000,
          request.is404 ? undefined : request.routeOptions.config.module,
        );
      });
      done();
    });

    app.get(
      '/api/metrics',
      {
        config: { access: 'public' },
        schema: {
          operationId: 'getMetrics',
          summary: 'Metrics for Prometheus',
          tags: ['platform'],
          produces: ['text/plain'],
          description:
            'For callers on this machine, and for those with METRICS_TOKEN as bearer token; 403 for all others.',
          response: { 200: Type.String() },
        },
      },
      async (request, reply) => {
        if (!mayRead(request, config.metricsToken))
          throw problem('forbidden', { detail: 'The metrics token is required.' });
        return reply
          .type(metrics.contentType)
          .serializer(String)
          .send(await metrics.text());
      },
    );
  }) satisfies FastifyPluginAsyncTypebox,
  { name: 'metrics', dependencies: ['headers', 'errors', 'openapi'] },
);
