import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import authRoutes from './identity/auth/routes.js';
import cardPermissionRoutes from './inventory/cards/rights/permissions-routes.js';
import cardReadRoutes from './inventory/cards/read-routes.js';
import cardRoutes from './inventory/cards/routes.js';
import commentRoutes from './inventory/items/comments/routes.js';
import type { Services } from './container.js';
import { named } from './foundation/http/plugin-name.js';
import documentRoutes from './inventory/items/documents/routes.js';
import eventRoutes from './messaging/events/routes.js';
import historyRoutes from './inventory/history/routes.js';
import exportRoutes from './inventory/exports/routes.js';
import impactRoutes from './inventory/impact/routes.js';
import importRoutes from './inventory/imports/routes.js';
import ownJobRoutes from './foundation/jobs/own-routes.js';
import jobRoutes from './foundation/jobs/routes.js';
import scheduleRoutes from './foundation/jobs/schedule-routes.js';
import metamodelRoutes from './inventory/metamodel/routes.js';
import moduleRoutes from './modules/admin/routes.js';
import sectionRoutes from './modules/sections/section-routes.js';
import notificationRoutes from './messaging/notifications/routes.js';
import roleRoutes from './identity/rbac/routes.js';
import relationRoutes from './inventory/relations/routes.js';
import settingsRoutes from './settings/routes.js';
import cardTagRoutes from './inventory/items/tags/routes.js';
import todoRoutes from './inventory/items/todos/routes.js';
import userRoutes from './identity/users/routes.js';
import deliveryRoutes from './messaging/webhooks/delivery-routes.js';
import webhookRoutes from './messaging/webhooks/routes.js';

type Routes = FastifyPluginAsyncTypebox<{ services: Services }>;

/** Registers all routes of the core, by prefix; modules register theirs separately. */
export async function registerRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const v1 = (prefix: string) => ({ prefix: `/api/v1${prefix}`, services });
  const register = async (routes: Routes, options: ReturnType<typeof v1>): Promise<void> => {
    await app.register(named(routes, `routes of ${options.prefix}`), options);
  };
  await register(authRoutes, v1('/auth'));
  await register(userRoutes, v1('/users'));
  await register(roleRoutes, v1('/roles'));
  await register(metamodelRoutes, v1('/metamodel'));
  await register(cardReadRoutes, v1('/cards'));
  await register(cardRoutes, v1('/cards'));
  await register(exportRoutes, v1('/cards'));
  await register(impactRoutes, v1('/cards'));
  await register(sectionRoutes, v1('/cards'));
  await register(historyRoutes, v1('/cards'));
  await register(cardPermissionRoutes, v1('/cards'));
  await register(commentRoutes, v1('/cards'));
  await register(documentRoutes, v1('/cards'));
  await register(cardTagRoutes, v1('/cards'));
  await register(todoRoutes, v1(''));
  await register(relationRoutes, v1('/relations'));
  await register(importRoutes, v1('/imports'));
  await register(eventRoutes, v1('/events'));
  await register(webhookRoutes, v1('/webhooks'));
  await register(deliveryRoutes, v1('/webhooks'));
  await register(notificationRoutes, v1('/notifications'));
  await register(settingsRoutes, v1('/settings'));
  await register(moduleRoutes, v1('/settings/modules'));
  await register(jobRoutes, v1('/settings/jobs'));
  await register(scheduleRoutes, v1('/settings/jobs/schedules'));
  await register(ownJobRoutes, v1('/jobs'));
}
