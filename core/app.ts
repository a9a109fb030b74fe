import autoload from '@fastify/autoload';
import sensible from '@fastify/sensible';
import { setExtraFonts } from '@lintel/sdk/host';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/schema.js';
import { compose, type Services } from './container.js';
import type { DatabaseConnection } from './foundation/db/connection.js';
import { fontsOf } from './foundation/fonts.js';
import { LOG_OUTPUT } from './foundation/log-output.js';
import { migrateCore } from './foundation/db/migrate.js';
import { registerCoreJobs } from './jobs.js';
import { clientError, frameworkErrors } from './foundation/http/edge.js';
import { limitPipelining } from './foundation/http/pipelining.js';
import { parseQuery } from './foundation/http/query-text.js';
import { uuidv7 } from './foundation/ids.js';
import { nameAll } from './foundation/http/plugin-name.js';
import type { InstalledModule, ModuleHost } from './modules/index.js';
import { renewalOf } from './renewal.js';
import { registerRoutes } from './routes.js';
import './foundation/http/types.js';

interface AppDeps {
  config: Config;
  database: DatabaseConnection;
  /** Ends a start that waits until the database accepts writes. */
  signal?: AbortSignal;
}

declare module 'fastify' {
  interface FastifyInstance {
    services: Services;
    /** Whether a module is disabled on this node: its routes are then treated as unknown paths. */
    moduleOff(id: string): boolean;
  }
}

const HERE = path.dirname(fileURLToPath(import.meta.url));
const REQUEST_ID = /^[\x21-\x7e]{1,200}$/;

/**
 * Builds the whole service: no listening, no process environment. Server, tests and scripts use it.
 * @param onModules receives the host of modules before any module is loaded, to handle their errors
 * @returns an app that is ready; `close()` drains it
 * @throws when the database cannot be reached or migrated, or the signal ends the start
 */
export async function buildApp(
  { config, database, signal }: AppDeps,
  onModules?: (modules: ModuleHost) => void,
): Promise<FastifyInstance> {
  const { log } = server(config);
  setExtraFonts(await fontsOf(config.fontDir, (text) => log.warn(text)));
  await migrateCore(database, { log, ...(signal && { signal }) });
  const services = compose({ config, database, log });
  onModules?.(services.modules);
  try {
    await start(services);
    // An app that fails with a broken module is discarded: closing it must not stop the services that all apps share.
    const apps: { first?: FastifyInstance; serving?: FastifyInstance } = {};
    const discard = (app: FastifyInstance): void => void app.close().then(undefined, () => undefined);
    apps.first = await services.modules.build(services, {
      build: async (modules) => {
        const app = server(config, log);
        app.addHook('preClose', async () => {
          if (app !== apps.first) return;
          services.draining.refuse();
          services.largeBodies.close();
          services.largeBulks.close();
          services.streams.close();
          if (apps.serving !== app) await apps.serving?.close();
          // Closes the connections of responses that are still being sent, once these are complete.
          app.server.keepAliveTimeout = 1;
          await services.openRequests.sent(config.shutdownGraceSeconds * 1_000);
        });
        app.addHook('onClose', async () => {
          if (app === apps.first) await stop(services);
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
      swap: (app) => {
        const before = apps.serving;
        apps.serving = app;
        if (before && before !== apps.first) discard(before);
      },
    });
    apps.serving ??= apps.first;
    // The first app keeps the listening socket and passes requests to the current app, so that connections stay open.
    const handle = limitPipelining((req, res) => apps.serving!.routing(req, res), config.trustProxy);
    apps.first.server.removeAllListeners('request').on('request', handle);
    apps.first.server.on('connection', (socket) => services.openRequests.connected(socket));
    await run(services);
    return apps.first;
  } catch (error) {
    await stop(services);
    throw error;
  }
}

const unvalidated = (): never => {
  throw new Error('a route has a schema, but no plugin has set a validator compiler');
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
    // Maximum duration of an upload; `pipeline/body.ts` limits that of other bodies.
    requestTimeout: 900_000,
    // Node.js checks these timeouts at an interval; with its default of 30 s headers could take twice as long.
    http: { connectionsCheckingInterval: 5_000, headersTimeout: 30_000 },
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    trustProxy: config.trustProxy > 0 ? (_address, hop) => hop < config.trustProxy : false,
    // `pipeline/health.ts` responds instead, with a problem.
    return503OnClosing: false,
    frameworkErrors,
    clientErrorHandler: clientError,
    routerOptions: {
      maxParamLength: 500,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      caseSensitive: true,
      querystringParser: parseQuery,
    },
    // `pipeline/validation.ts` sets the validator of all routes, so that Fastify's own need not be loaded.
    schemaController: { compilersFactory: { buildValidator: () => unvalidated } },
  });
}

/** Registers plugins, routes and modules on an app. @throws what any of them throws */
async function assemble(app: FastifyInstance, services: Services, modules: readonly InstalledModule[]): Promise<void> {
  nameAll(app);
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

/** Starts the services that must be ready before a request is served. */
async function start({
  db,
  databaseWatch,
  continuity,
  storage,
  reads,
  notifier,
  revisions,
  secrets,
  tokenKeys,
  setupCode,
  limiter,
  settings,
  ssoSettings,
  permissions,
  metamodel,
  onceCosts,
  rbac,
}: Services): Promise<void> {
  await db.checkSession();
  await continuity.start();
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
  await ssoSettings.start();
  await permissions.start();
  await rbac.start();
}

/** Starts the background work, after the routes have been registered. */
async function run(services: Services): Promise<void> {
  const { sequencer, events, streams, jobs, cron, attributeIndexes } = services;
  registerCoreJobs(services);
  await events.start();
  services.continuity.begin(...renewalOf(services));
  // Before anything is written: versions may have to skip numbers.
  await services.eventGaps.settle();
  await services.revisions.refresh();
  streams.start();
  await sequencer.start();
  services.webhookDispatch.start();
  services.notificationFeed.start();
  await jobs.start();
  await attributeIndexes.start();
  cron.start();
}

/** Stops all services, those that use others first. */
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
  continuity,
  revisions,
  notifier,
  limiter,
  databaseWatch,
  statistics,
  storage,
  reads,
  db,
}: Services): Promise<void> {
  continuity.close();
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
