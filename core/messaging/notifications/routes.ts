import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NotificationPreferences } from './preferences-service.js';
import type { NotificationService } from './service.js';
import { IdParams, Nullable } from '../../foundation/http/schemas.js';
import { sendPage, sendResource } from '../../foundation/http/respond.js';
import {
  NotificationPage,
  NotificationQuery,
  NotificationView,
  PreferencesPatch,
  PreferencesView,
  ReadAll,
  ReadCount,
  UnreadCount,
} from './schemas.js';

const tags = ['notifications'];
const access = { permission: 'notifications.own' };
const params = IdParams;

/** The caller's own notifications. */
export default (async (app, { services: { notifications, notificationPreferences: preferences } }) => {
  async function send(request: FastifyRequest, reply: FastifyReply, id: string) {
    const body = await notifications.get(request.ctx, id);
    // Titles contain labels of the metamodel and of modules, which change without the version.
    return sendResource(request, reply, { version: body.version, derived: body.title, body });
  }
  async function sendPreferences(request: FastifyRequest, reply: FastifyReply) {
    const body = await preferences.read(request.ctx);
    // The kinds change when modules are enabled or disabled.
    return sendResource(request, reply, { version: body.version, derived: body.kinds, body });
  }

  app.get(
    '',
    {
      config: { access },
      schema: {
        operationId: 'listNotifications',
        summary: 'What the caller was told, the latest first',
        tags,
        querystring: NotificationQuery,
        response: { 200: NotificationPage },
        description: 'Without what is about something the caller may not see any more.',
      },
    },
    async (request, reply) => sendPage(request, reply, await notifications.list(request.ctx, request.query)),
  );

  app.get(
    '/unread-count',
    {
      config: { access },
      schema: {
        operationId: 'countUnreadNotifications',
        summary: 'How many are unread',
        tags,
        response: { 200: UnreadCount },
        description:
          'The events `notification.created`, `.updated`, `.read` and `.all_read`, which only the receiver gets, tell when it moves.',
      },
    },
    async (request) => ({ unread: await notifications.unread(request.ctx) }),
  );

  app.post(
    '/read-all',
    {
      config: { access, idempotent: true },
      schema: {
        operationId: 'readAllNotifications',
        summary: 'Mark all as read',
        tags,
        body: Nullable(ReadAll),
        response: { 200: ReadCount },
      },
    },
    async (request) => ({ count: await notifications.readAll(request.ctx, request.body ?? {}) }),
  );

  app.get(
    '/preferences',
    {
      config: { access },
      schema: {
        operationId: 'getNotificationPreferences',
        summary: 'What the caller is told, and how',
        tags,
        response: { 200: PreferencesView },
      },
    },
    sendPreferences,
  );

  app.patch(
    '/preferences',
    {
      config: { access, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateNotificationPreferences',
        summary: 'Choose what to be told, and how',
        tags,
        body: PreferencesPatch,
        response: { 200: PreferencesView },
      },
    },
    async (request, reply) => {
      await preferences.update(request.ctx, request.body);
      return sendPreferences(request, reply);
    },
  );

  app.get(
    '/:id',
    {
      config: { access },
      schema: {
        operationId: 'getNotification',
        summary: 'A notification',
        tags,
        params,
        response: { 200: NotificationView },
      },
    },
    async (request, reply) => send(request, reply, request.params.id),
  );

  app.post(
    '/:id/read',
    {
      config: { access, idempotent: true, conditional: true },
      schema: {
        operationId: 'readNotification',
        summary: 'Mark a notification as read',
        tags,
        params,
        response: { 200: NotificationView },
      },
    },
    async (request, reply) => {
      await notifications.read(request.ctx, request.params.id);
      return send(request, reply, request.params.id);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{
  services: { notifications: NotificationService; notificationPreferences: NotificationPreferences };
}>;
