import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../container.js';
import { problem } from '../errors.js';
import { pageOf } from '../http/memory-page.js';
import { sendPage, sendResource, type Sent } from '../http/respond.js';
import { ModulePage, ModuleParams, ModulePatch, ModuleQuery, ModuleView } from './schemas.js';
import { viewModule } from './view.js';

const tags = ['modules'];
const params = ModuleParams;

/** The modules of this installation, in memory on every node. */
export default (async (app, { services: { modules } }) => {
  const views = () => { const all = modules.list(); return all.map((m) => viewModule(m, all)); };
  function send(request: FastifyRequest, reply: FastifyReply, id: string): Sent {
    const view = views().find((m) => m.id === id);
    if (!view) throw problem('not_found');
    // What a module is changes with its files and its start too, without its row moving.
    return sendResource(request, reply, { version: view.version, derived: view, body: view });
  }

  app.get('', {
    config: { access: { permission: 'settings.manage' } },
    schema: { operationId: 'listModules', summary: 'Modules', tags, querystring: ModuleQuery, response: { 200: ModulePage } },
  }, async (request, reply) => {
    const states = request.query.state?.split(',');
    return sendPage(request, reply, pageOf(views().filter((m) => !states || states.includes(m.state)), 'id', 'id', request.query, `modules ${request.query.state ?? ''}`));
  });

  app.get('/:id', {
    config: { access: { permission: 'settings.manage' } },
    schema: { operationId: 'getModule', summary: 'A module', tags, params, response: { 200: ModuleView } },
  }, async (request, reply) => send(request, reply, request.params.id));

  app.patch('/:id', {
    config: { access: { permission: 'modules.manage' }, idempotent: true, conditional: true },
    schema: {
      operationId: 'updateModule', summary: 'Switch a module or change its settings', tags, params, body: ModulePatch, response: { 200: ModuleView },
      description: 'On all nodes within a second, without a restart. While a module is off its paths are unknown, its jobs and subscriptions stand still and its data stays.',
    },
  }, async (request, reply) => {
    await modules.update(request.ctx, request.params.id, request.body);
    return send(request, reply, request.params.id);
  });
}) satisfies FastifyPluginAsyncTypebox<{ services: Services }>;
