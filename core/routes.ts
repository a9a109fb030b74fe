import type { FastifyInstance } from 'fastify';
import authRoutes from './auth/routes.js';
import cardPermissionRoutes from './cards/permissions-routes.js';
import cardReadRoutes from './cards/read-routes.js';
import cardRoutes from './cards/routes.js';
import commentRoutes from './comments/routes.js';
import type { Services } from './container.js';
import documentRoutes from './documents/routes.js';
import eventRoutes from './events/routes.js';
import historyRoutes from './history/routes.js';
import exportRoutes from './exports/routes.js';
import impactRoutes from './impact/routes.js';
import importRoutes from './imports/routes.js';
import jobRoutes from './jobs/routes.js';
import metamodelRoutes from './metamodel/routes.js';
import moduleRoutes from './modules/routes.js';
import sectionRoutes from './modules/section-routes.js';
import roleRoutes from './rbac/routes.js';
import relationRoutes from './relations/routes.js';
import settingsRoutes from './settings/routes.js';
import cardTagRoutes from './tags/routes.js';
import todoRoutes from './todos/routes.js';
import userRoutes from './users/routes.js';

/** Every route of the core, by prefix; modules mount theirs behind their own gates. */
export async function registerRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const v1 = (prefix: string) => ({ prefix: `/api/v1${prefix}`, services });
  await app.register(authRoutes, v1('/auth'));
  await app.register(userRoutes, v1('/users'));
  await app.register(roleRoutes, v1('/roles'));
  await app.register(metamodelRoutes, v1('/metamodel'));
  await app.register(cardReadRoutes, v1('/cards'));
  await app.register(cardRoutes, v1('/cards'));
  await app.register(exportRoutes, v1('/cards'));
  await app.register(impactRoutes, v1('/cards'));
  for (const routes of [sectionRoutes, historyRoutes, cardPermissionRoutes, commentRoutes, documentRoutes, cardTagRoutes]) await app.register(routes, v1('/cards'));
  await app.register(todoRoutes, v1(''));
  await app.register(relationRoutes, v1('/relations'));
  await app.register(importRoutes, v1('/imports'));
  await app.register(eventRoutes, v1('/events'));
  await app.register(settingsRoutes, v1('/settings'));
  await app.register(moduleRoutes, v1('/settings/modules'));
  await app.register(jobRoutes, v1('/settings/jobs'));
}
