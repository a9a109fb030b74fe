import autoload from '@fastify/autoload';
import sensible from '@fastify/sensible';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/schema.js';
import { compose, type Services } from './container.js';
import type { DatabaseConnection } from './foundation/db/connection.js';
import { LOG_OUTPUT } from './foundation/log-output.js';
import { migrateCore } from './foundation/db/migrate.js';
import { registerCoreJobs } from './jobs.js';
import { clientError, frameworkErrors } from './foundation/http/edge.js';
import { uuidv7 } from './foundation/ids.js';
import type { InstalledModule } from './modules/index.js';
import { registerRoutes } from './routes.js';
import './foundation/http/types.js';

export interface AppDeps {
  config: Config;
  database: DatabaseConnection;
}

declare module 'fastify' {
  interface FastifyInstance {
    services: Services;
    /** Whether a module is switched off on this node; its routes then answer as unknown paths do. */
    moduleOff(id: string): boolean;
  }
}

const HERE = path.dirname(fileURLToPath(import.meta.url));
const REQUEST_ID = /^[\x21-\x7e]{1,200}$/;

/**
 * Builds the whole service: no listening, no process environment. Server, tests and scripts use it.
 * @returns an app that is ready; `close()` drains it
 * @throws when the database cannot be reached or migrated
 */
export async function buildApp({ config, database }: AppDeps): Promise<FastifyInstance> {
  const first = server(config);
  await migrateCore(database);
  const { services } = compose({ config, database, log: first.log });
  try {
    await start(services);
    // A broken module costs builds that are not kept: closing one of those must end nothing the others share.
    const kept: { app?: FastifyInstance; serving?: FastifyInstance } = {};
    const discard = (app: FastifyInstance): void => void app.close().then(undefined, () => undefined);
    kept.app = await services.modules.build(services, {
      build: async (modules) => {
        const app = server(config, first.log);
        app.addHook('preClose', async () => {
          if (app !== kept.app) return;
          services.draining.refuse();
          services.largeBodies.close();
          services.streams.close();
          if (kept.serving !== app) await kept.serving?.close();
          // What is still being sent then has its connection closed behind it, not kept.
          app.server.keepAliveTimeout = 1;
          await services.draining.sent(config.shutdownGraceSeconds * 1_000);
        });
        app.addHook('onClose', async () => {
          if (app === kept.app) await stop(services);
        });
        try {
          await assemble(app, services, modules);
          return app;
        } catch (error) {
          discard(app);
          throw error;
        }
      },
      discard,
      // The first app keeps the socket: no connection notices that others answer on it.
      swap: (app) => {
        const before = kept.serving;
        kept.serving = app;
        kept.app!.server.removeAllListeners('request').on('request', (req, res) => app.routing(req, res));
        if (before && before !== kept.app) discard(before);
      },
    });
    kept.serving = kept.app;
    await run(services);
    return kept.app;
  } catch (error) {
    await stop(services);
    throw error;
  }
}

const unvalidated = (): never => {
  throw new Error('a route has a schema, and the pipeline has brought no validator');
};

/** @param log the log of the service; a new one when absent */
function server(config: Config, log?: FastifyBaseLogger): FastifyInstance {
  return fastify({
    ...(log
      ? { loggerInstance: log }
      : {
          logger: {
            level: config.logLevel,
            stream: LOG_OUTPUT,
            redact: ['req.headers.authorization', 'req.headers.cookie'],
          },
        }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: (raw) => {
      const given = raw.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : uuidv7();
    },
    bodyLimit: 1_048_576,
    // The most an upload may take; what all other bodies may is watched by a plugin.
    requestTimeout: 900_000,
    // Node looks for requests past their time every so often; its default would let them have twice as much.
    http: { connectionsCheckingInterval: 5_000, headersTimeout: 30_000 },
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    trustProxy: config.trustProxy > 0 ? (_address, hop) => hop < config.trustProxy : false,
    // The health plugin answers so, as a problem like all others.
    return503OnClosing: false,
    frameworkErrors,
    clientErrorHandler: clientError,
    routerOptions: {
      maxParamLength: 500,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      caseSensitive: true,
    },
    // The pipeline brings the validator of all routes; Fastify's own would be loaded only to be replaced.
    schemaController: { compilersFactory: { buildValidator: () => unvalidated } },
  });
}

/** Puts plugins, routes and modules into a server. @throws what any of them throws */
async function assemble(app: FastifyInstance, services: Services, modules: readonly InstalledModule[]): Promise<void> {
  app.decorate('services', services);
  const mounted = new Map(modules.map((module) => [module.id, module]));
  app.decorate('moduleOff', (id: string) => mounted.get(id)?.isOn !== true);
  services.modules.gate(app);
  await app.register(sensible);
  await app.register(autoload, { dir: path.join(HERE, 'pipeline'), maxDepth: 1, forceESM: true, matchFilter: /\.js$/ });
  await registerRoutes(app, services);
  await services.modules.mount(app, modules);
  await app.ready();
}

/** What must be in memory before a request is served. */
async function start({
  db,
  databaseWatch,
  storage,
  reads,
  notifier,
  revisions,
  secrets,
  tokenKeys,
  setupCode,
  limiter,
  settings,
  permissions,
  metamodel,
  onceCosts,
  rbac,
}: Services): Promise<void> {
  await db.checkSession();
  databaseWatch.start();
  await storage.start();
  reads.start();
  await Promise.all([notifier.start(), revisions.start()]);
  await secrets.start();
  await tokenKeys.start();
  await setupCode.start();
  await limiter.start();
  await metamodel.start();
  // Event streams that continue during a database outage use it.
  await onceCosts.current();
  await settings.start();
  await permissions.start();
  await rbac.start();
}

/** What works on its own once routes are there. */
async function run(services: Services): Promise<void> {
  const { sequencer, events, streams, jobs, cron, attributeIndexes } = services;
  registerCoreJobs(services);
  await events.start();
  streams.start();
  await sequencer.start();
  services.webhookDispatch.start();
  services.notificationFeed.start();
  await jobs.start();
  await attributeIndexes.start();
  cron.start();
}

async function stop({
  webhookDispatch,
  notificationFeed,
  cron,
  jobs,
  cards,
  impact,
  streams,
  sequencer,
  events,
  modules,
  revisions,
  notifier,
  limiter,
  databaseWatch,
  statistics,
  storage,
  reads,
  db,
}: Services): Promise<void> {
  cron.close();
  cards.close();
  await impact.close();
  streams.close();
  await webhookDispatch.close();
  await notificationFeed.close();
  await modules.close();
  await jobs.close();
  await sequencer.close();
  await events.close();
  revisions.close();
  await notifier.close();
  limiter.close();
  storage.close();
  await statistics.close();
  await databaseWatch.close();
  await reads.close();
  await db.close();
}
