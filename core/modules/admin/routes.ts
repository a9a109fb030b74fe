import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HostServices } from '../services.js';
import { problem } from '../../foundation/errors.js';
import { pageOf } from '../../foundation/http/memory-page.js';
import { NoContent } from '../../foundation/http/schemas.js';
import { sendNothing, sendPage, sendResource } from '../../foundation/http/respond.js';
import {
  InstallBody,
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
        summary: 'Scan for installed modules',
        tags,
        response: { 200: RescanView },
        description:
          'Loads new and updated modules without a restart, on every node: the current app keeps serving until a new one has been built.',
      },
    },
    async (request) => modules.rescan(request.ctx),
  );

  app.post(
    '/install',
    {
      config: { access: { permission: 'modules.manage' }, sessionOnly: true },
      schema: {
        operationId: 'installModule',
        summary: 'Install a package as a module',
        tags,
        body: InstallBody,
        response: { 200: RescanView },
        description:
          'The package must lie where the service finds modules. Every node loads it, now and at each start, until its data is deleted.',
      },
    },
    async (request) => modules.installPackage(request.ctx, request.body.package),
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
        summary: 'Enable or disable a module, or change its settings',
        tags,
        params,
        body: ModulePatch,
        response: { 200: ModuleView },
        description:
          'Takes effect on all nodes within a second, without a restart. While a module is disabled, its paths are unknown, its jobs and subscriptions are paused and its data is kept. Enabling a module may give its permissions to roles, for which an API token gets `session_required`.',
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
        summary: 'Positions of the subscriptions of a module',
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
        summary: 'Parked events of the subscriptions of a module',
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
        summary: 'Retry a parked event',
        tags,
        params: ParkedParams,
        response: NoContent,
        description: 'Executed by the node that runs the subscription. If it fails again, it remains parked.',
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
        summary: 'Delete the data of a module',
        tags,
        params,
        querystring: RemoveQuery,
        response: NoContent,
        description:
          'Permanently deletes its tables, settings, secrets, files and permissions. The module must be disabled; it remains installed, as when it was first found. `confirm` repeats its id, and `If-Match` contains its version.',
      },
    },
    async (request, reply) => {
      await modules.remove(request.ctx, request.params.id, request.query.confirm);
      return sendNothing(reply);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: HostServices }>;
