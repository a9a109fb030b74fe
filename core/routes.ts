import type { FastifyInstance } from 'fastify';
import authRoutes from './auth/routes.js';
import cardReadRoutes from './cards/read-routes.js';
import cardRoutes from './cards/routes.js';
import type { Services } from './container.js';
import eventRoutes from './events/routes.js';
import metamodelRoutes from './metamodel/routes.js';
import moduleRoutes from './modules/routes.js';
import relationRoutes from './relations/routes.js';
import settingsRoutes from './settings/routes.js';
import userRoutes from './users/routes.js';

/** Every route of the core, by prefix; modules mount theirs behind their own gates. */
export async function registerRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const v1 = (prefix: string) => ({ prefix: `/api/v1${prefix}`, services });
  await app.register(authRoutes, v1('/auth'));
  await app.register(userRoutes, v1('/users'));
  await app.register(metamodelRoutes, v1('/metamodel'));
  await app.register(cardReadRoutes, v1('/cards'));
  await app.register(cardRoutes, v1('/cards'));
  await app.register(relationRoutes, v1('/relations'));
  await app.register(eventRoutes, v1('/events'));
  await app.register(settingsRoutes, v1('/settings'));
  await app.register(moduleRoutes, v1('/settings/modules'));
}
