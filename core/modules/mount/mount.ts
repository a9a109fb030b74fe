import type { ModuleRoutes, RouteOptions } from '@lintel/sdk';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { fileURLToPath } from 'node:url';
import { useCompilers } from '../../foundation/http/compilers.js';
import { named } from '../../foundation/http/plugin-name.js';
import { within } from '../install/fault.js';
import type { InstalledModule } from '../installed.js';
import { routesOf } from './routes-folder.js';

const REGISTER_MS = 5_000;

/**
 * Registers a module's routes in a scope of their own: hooks, decorators and schemas it adds stay there.
 * @throws what the module throws, when it takes too long, or when a route is not its own to declare
 */
export async function mountModule(app: FastifyInstance, module: InstalledModule): Promise<void> {
  const { manifest, id, external } = module;
  if (!manifest) return;
  module.routes = [];
  module.services ??= manifest.services(module.host);
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
      manifest.cardRoutes.routes,
    );
}

async function registerScope(
  app: FastifyInstance,
  module: InstalledModule,
  prefix: string,
  routes: ModuleRoutes<unknown>,
): Promise<void> {
  const scope: FastifyPluginAsync = async (scoped) => {
    // A module has the SDK; what the core shares among its own plugins is not its business.
    Object.defineProperty(scoped, 'services', { value: undefined });
    watchRoutes(scoped, module, prefix);
    useCompilers(scoped, false);
    scoped.addHook('onRequest', async (request, reply) => {
      // It was on when the route was found, and may have been switched off while the caller was looked up.
      if (!module.isOn) {
        reply.callNotFound();
        return reply;
      }
      module.began(request);
      // Comes after a complete answer and after a broken connection alike; onResponse does not.
      reply.raw.once('close', () => module.ended(request));
    });
    const options: RouteOptions<unknown> = { services: module.services, host: module.host };
    await within(REGISTER_MS, 'the registration of its routes', async () => {
      await scoped.register(
        named(routes as FastifyPluginAsync<RouteOptions<unknown>>, `routes of ${module.id}`),
        options,
      );
    });
  };
  await app.register(named(scope, `scope of ${module.id}`), { prefix });
}

/** Marks each route as the module's, and refuses those that are not under its prefix or are there already. */
function watchRoutes(scoped: FastifyInstance, module: InstalledModule, prefix: string): void {
  scoped.addHook('onRoute', (route) => {
    if (route.url !== prefix && !route.url.startsWith(`${prefix}/`))
      throw new Error(`${route.url} is not under ${prefix}`);
    for (const method of [route.method].flat()) {
      // With the gate's constraint the router would take a second route for another one, and prefer it.
      if (scoped.hasRoute({ method, url: route.url })) throw new Error(`${method} ${route.url} is a path of the core`);
      if (method !== 'HEAD') module.routes.push({ method, path: route.url.replace(/:(\w+)/g, '{$1}') });
    }
    route.config = { ...route.config, module: module.id };
    route.schema = { ...route.schema, 'x-module': module.id };
    route.constraints = { ...route.constraints, module: module.id };
  });
}
