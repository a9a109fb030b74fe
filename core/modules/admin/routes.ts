import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HostServices } from '../services.js';
import { problem } from '../../foundation/errors.js';
import { pageOf } from '../../foundation/http/memory-page.js';
import { NoContent } from '../../foundation/http/schemas.js';
import { sendNothing, sendPage, sendResource } from '../../foundation/http/respond.js';
import {
  ModulePage,
  ModuleParams,
  ModulePatch,
  ModuleQuery,
  ModuleView,
  ParkedPage,
  ParkedParams,
  ParkedQuery,
  RemoveQuery,
  RescanView,
  SubscriptionPage,
  SubscriptionQuery,
} from './schemas.js';
import { viewModule } from './view.js';

const tags = ['modules'];
const params = ModuleParams;

/** The modules of this installation, from memory. */
export default (async (app, { services: { modules, subscriptions, visibility } }) => {
  const views = () => {
    const all = modules.list();
    return all.map((m) => viewModule(m, all));
  };
  function send(request: FastifyRequest, reply: FastifyReply, id: string) {
    const view = views().find((m) => m.id === id);
    if (!view) throw problem('not_found');
    // The view also changes with the module's files and its activation, without a new version of its row.
    return sendResource(request, reply, { version: view.version, derived: view, body: view });
  }

  app.get(
    '',
    {
      config: { access: { permission: 'settings.manage' } },
      schema: {
        operationId: 'listModules',
        summary: 'Modules',
        tags,
        querystring: ModuleQuery,
        response: { 200: ModulePage },
      },
    },
    async (request, reply) => {
      const states = request.query.state?.split(',');
      return sendPage(
        request,
        reply,
        pageOf(
          views().filter((m) => !states || states.includes(m.state)),
          'id',
          'id',
          request.query,
          `modules ${request.query.state ?? ''}`,
        ),
      );
    },
  );

  app.post(
    '/rescan',
    {
      config: { access: { permission: 'modules.manage' } },
      schema: {
        operationId: 'rescanModules',
        summary: 'Look for modules that were installed since',
        tags,
        response: { 200: RescanView },
        description:
          'Loads what is new or updated without a restart, on every node: the service goes on as it is until another one is built that can take its place.',
      },
    },
    async (request) => modules.rescan(request.ctx),
  );

  app.get(
    '/:id',
    {
      config: { access: { permission: 'settings.manage' } },
      schema: { operationId: 'getModule', summary: 'A module', tags, params, response: { 200: ModuleView } },
    },
    async (request, reply) => send(request, reply, request.params.id),
  );

  app.patch(
    '/:id',
    {
      config: { access: { permission: 'modules.manage' }, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateModule',
        summary: 'Switch a module or change its settings',
        tags,
        params,
        body: ModulePatch,
        response: { 200: ModuleView },
        description:
          'On all nodes within a second, without a restart. While a module is off its paths are unknown, its jobs and subscriptions stand still and its data stays.',
      },
    },
    async (request, reply) => {
      await modules.update(request.ctx, request.params.id, request.body);
      return send(request, reply, request.params.id);
    },
  );

  app.get(
    '/:id/subscriptions',
    {
      config: { access: { permission: 'settings.manage' } },
      schema: {
        operationId: 'listModuleSubscriptions',
        summary: 'How far the subscriptions of a module are',
        tags,
        params,
        querystring: SubscriptionQuery,
        response: { 200: SubscriptionPage },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (!modules.get(id)) throw problem('not_found');
      return sendPage(
        request,
        reply,
        pageOf(await subscriptions.of(id), 'name', 'name', request.query, `subscriptions ${id}`),
      );
    },
  );

  app.get(
    '/:id/parked-events',
    {
      config: { access: { permission: 'settings.manage' } },
      schema: {
        operationId: 'listParkedEvents',
        summary: 'Events the subscriptions of a module have given up on',
        tags,
        params,
        querystring: ParkedQuery,
        response: { 200: ParkedPage },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (!modules.get(id)) throw problem('not_found');
      const page = await subscriptions.parked(id, request.query, visibility.scope(request.identity!));
      const items = page.items.map((event) => ({ ...event, parked_at: event.parked_at.toISOString() }));
      return sendPage(request, reply, { ...page, items });
    },
  );

  app.post(
    '/:id/parked-events/:subscription/:position/retry',
    {
      config: { access: { permission: 'modules.manage' } },
      schema: {
        operationId: 'retryParkedEvent',
        summary: 'Have a parked event tried once more',
        tags,
        params: ParkedParams,
        response: NoContent,
        description: 'By whichever node runs the subscription. Where it fails again it stays parked.',
      },
    },
    async (request, reply) => {
      await modules.retryParked(request.ctx, request.params);
      return sendNothing(reply);
    },
  );

  app.delete(
    '/:id',
    {
      config: { access: { permission: 'modules.manage' }, conditional: 'required' },
      schema: {
        operationId: 'removeModule',
        summary: 'Remove what a module has stored',
        tags,
        params,
        querystring: RemoveQuery,
        response: NoContent,
        description:
          'Its tables, settings, secrets, files and permissions, for good. The module must be off; it stays installed, as when it was first found. `confirm` repeats its id, and `If-Match` names the version that was looked at.',
      },
    },
    async (request, reply) => {
      await modules.remove(request.ctx, request.params.id, request.query.confirm);
      return sendNothing(reply);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: HostServices }>;
