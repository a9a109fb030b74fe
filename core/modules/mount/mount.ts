import type { ModuleRoutes, RouteOptions } from '@lintel/sdk';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify';
import { fileURLToPath } from 'node:url';
import { clientKey } from '../../foundation/http/client-address.js';
import { useCompilers } from '../../foundation/http/compilers.js';
import { named } from '../../foundation/http/plugin-name.js';
import { countRequest, type RateLimiter } from '../../identity/auth/index.js';
import { within } from '../install/fault.js';
import { inModule, type ModuleScope } from '../runtime/module-scope.js';
import type { InstalledModule } from '../installed.js';
import { routesOf } from './routes-folder.js';

const REGISTER_MS = 5_000;

/**
 * Registers a module's routes in an encapsulated scope: its hooks, decorators and schemas do not affect other routes.
 * @throws what the module throws, when it takes too long, or when a route is outside its prefix
 */
export async function mountModule(app: FastifyInstance, module: InstalledModule): Promise<void> {
  const { manifest, id, external } = module;
  if (!manifest) return;
  module.routes = [];
  module.services ??= inModule({ module }, () => manifest.services(module.host));
  const own = external ? `/api/v1/ext/${id}` : `/api/v1/${id}`;
  if (manifest.routes) await registerScope(app, module, own, manifest.routes);
  const { routesDir } = manifest;
  if (routesDir)
    await registerScope(
      app,
      module,
      own,
      (module.folderRoutes ??= await within(REGISTER_MS, 'the import of its routes', () =>
        routesOf(fileURLToPath(routesDir)),
      )),
    );
  if (manifest.cardRoutes)
    await registerScope(
      app,
      module,
      `/api/v1/cards/:id/${external ? `ext/${id}` : manifest.cardRoutes.segment}`,
      visibleCard(module, manifest.cardRoutes.routes),
    );
}

/** Routes below a card: for a card that the caller may not see, or that does not exist, they do not exist. */
const visibleCard =
  (module: InstalledModule, routes: ModuleRoutes<unknown>): ModuleRoutes<unknown> =>
  async (app, options) => {
    app.addHook('preHandler', async (request) => {
      await module.host.cards.get(request.ctx, (request.params as { id: string }).id);
    });
    await app.register(
      named(routes as FastifyPluginAsync<RouteOptions<unknown>>, `card routes of ${module.id}`),
      options,
    );
  };

async function registerScope(
  app: FastifyInstance,
  module: InstalledModule,
  prefix: string,
  routes: ModuleRoutes<unknown>,
): Promise<void> {
  const { limiter } = app.services;
  const scope: FastifyPluginAsync = async (scoped) => {
    // A module uses the SDK; the core's internal services are hidden from it.
    Object.defineProperty(scoped, 'services', { value: undefined });
    watchRoutes(scoped, module, prefix);
    useCompilers(scoped, !module.candidate.foreign);
    scoped.addHook('onRequest', (request, reply, done) => {
      // The module may have been disabled between routing and this hook, during authentication.
      if (!module.isOn) {
        reply.callNotFound();
        return;
      }
      module.began(request);
      // Emitted after a complete response and after a broken connection; onResponse is not.
      reply.raw.once('close', () => module.ended(request));
      inModule(scopeOf(module, reply), done);
    });
    limitAddresses(scoped, module, limiter);
    // Reading the body continues in the context of the connection.
    scoped.addHook('preValidation', (_request, reply, done) => {
      inModule(scopeOf(module, reply), done);
    });
    const options: RouteOptions<unknown> = { services: module.services, host: module.host };
    await within(REGISTER_MS, 'the registration of its routes', async () => {
      await inModule({ module }, () =>
        scoped.register(named(routes as FastifyPluginAsync<RouteOptions<unknown>>, `routes of ${module.id}`), options),
      );
    });
  };
  await app.register(named(scope, `scope of ${module.id}`), { prefix });
}

/** Limits the requests per client address to routes with `addressLimit`, by the setting of the module that it names. */
function limitAddresses(scoped: FastifyInstance, module: InstalledModule, limiter: RateLimiter): void {
  scoped.addHook('onRoute', ({ url, config }) => {
    const name = config?.addressLimit;
    if (name !== undefined && typeof module.settings.current[name] !== 'number')
      throw new Error(`${url} has the addressLimit ${name}, which is no setting that is a number`);
  });
  scoped.addHook('onRequest', async (request, reply) => {
    const { addressLimit: name } = request.routeOptions.config;
    const perMinute = name === undefined ? 0 : Number(module.settings.current[name]);
    if (name === undefined || perMinute <= 0) return;
    const key = `module ${module.id} ${name} ${clientKey(request.ip)}`;
    await countRequest(limiter, reply, { key, perMinute, by: 'address' });
  });
}

/** An uncaught error of the module fails the request: a response that has begun is broken off. */
const scopeOf = (module: InstalledModule, reply: FastifyReply): ModuleScope => ({
  module,
  fail: (error) => {
    if (!reply.sent) void reply.send(error);
    else if (!reply.raw.writableEnded) reply.raw.destroy();
  },
});

/** Marks each route with the module, and rejects routes outside its prefix and existing routes. */
function watchRoutes(scoped: FastifyInstance, module: InstalledModule, prefix: string): void {
  scoped.addHook('onRoute', (route) => {
    if (route.url !== prefix && !route.url.startsWith(`${prefix}/`))
      throw new Error(`${route.url} is not under ${prefix}`);
    for (const method of [route.method].flat()) {
      // Because of the constraint the router would accept a second route with the same path, and prefer it.
      if (scoped.hasRoute({ method, url: route.url })) throw new Error(`${method} ${route.url} is a path of the core`);
      if (method !== 'HEAD')
        module.routes.push({
          method,
          path: route.url.replace(/:(\w+)/g, '{$1}'),
          is_public: route.config?.access === 'public',
        });
    }
    route.config = { ...route.config, module: module.id };
    route.schema = { ...route.schema, 'x-module': module.id };
    route.constraints = { ...route.constraints, module: module.id };
  });
}
