import type { ListParams, ModuleRoutes, ModuleServices, ResourceService } from '@lintel/sdk';
import { MANAGERS, READERS } from '../permissions.js';
import { lockPlans } from '../plan/locking.js';
import type { PpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { findReceivers } from './notices.js';
import { tasks } from './resource.js';
import { MyTaskQuery, TaskMove, TaskPage, TaskParams } from './schemas.js';

const PATH = '/initiatives/:card_id/tasks';
const tags = ['ppm'];

/** Tasks of initiatives, and those of a user over all initiatives. */
export const taskRoutes: ModuleRoutes<PpmServices, Settings> = async (app, { services, host }) => {
  const { http } = host;
  const service = services.tasks as unknown as ResourceService;

  await app.register(async (scope) => {
    lockPlans(scope, host);
    scope.addHook('preHandler', async (request) => {
      const assignee = (request.body as { assignee_id?: unknown } | undefined)?.assignee_id;
      if (typeof assignee === 'string') await findReceivers(host, request.ctx);
    });
    await scope.register(tasks.below('card_id'), {
      prefix: PATH,
      services: services.tasks,
      host: host as unknown as ModuleServices,
    });
  });

  app.post(
    `${PATH}/:id/move`,
    {
      config: { access: MANAGERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'movePpmTask',
        summary: 'Move a task to another place of the board',
        tags,
        params: TaskParams,
        body: TaskMove,
        response: { 200: tasks.view },
      },
    },
    async (request, reply) => {
      const { card_id, id } = request.params;
      const { resource } = await services.taskMoves.move(request.ctx, card_id, id, request.body);
      return http.sendResource(request, reply, resource) as never;
    },
  );

  app.get(
    '/tasks',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listPpmTasksOfAll',
        summary: 'Tasks of all initiatives that the caller sees',
        tags,
        querystring: MyTaskQuery,
        response: { 200: TaskPage },
        description: '`assignee_id=me` lists those of the caller.',
      },
    },
    async (request, reply) => {
      const query = request.query as ListParams & { assignee_id?: string; card_id?: string };
      const { assignee_id, ...others } = query;
      const me = request.ctx.actor?.id ?? 'none';
      const assignees = assignee_id?.split(',').map((one) => (one === 'me' ? me : one));
      const filters = { ...others, sort_by: query.sort_by ?? 'due_date' };
      if (assignees) Object.assign(filters, { assignee_id: assignees.join(',') });
      return http.sendPage(request, reply, await service.list(request.ctx, filters)) as never;
    },
  );
};
