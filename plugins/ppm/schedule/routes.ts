import { Type, type ModuleRoutes, type ModuleServices } from '@lintel/sdk';
import { baselines } from '../baselines/resource.js';
import { BaselineParams, CompareQuery, CompareView } from '../baselines/schemas.js';
import { EarnedValueQuery, EarnedValueView } from '../earned-value/schemas.js';
import { GanttQuery, GanttView } from '../gantt/schemas.js';
import { LoadQuery, LoadView } from '../load/schemas.js';
import { READERS } from '../permissions.js';
import { lockPlans } from '../plan/locking.js';
import type { PpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { CardParams, ScheduleQuery, ScheduleView } from './schemas.js';

const tags = ['ppm'];
const PATH = '/initiatives/:card_id';
/** Of routes that hold a whole plan. */
const config = { access: READERS, costly: 'memory' as const };
/** Opened as a document, the image cannot load or run anything. */
const SVG_HEADERS = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" };

/** Schedules, Gantt charts, earned value, baselines and load of one initiative. */
export const scheduleRoutes: ModuleRoutes<PpmServices, Settings> = async (app, { services, host }) => {
  const { plans, schedule, gantt, earnedValue, comparison, load, baselines: ofBaselines } = services.schedules;
  const { http } = host;

  app.get(
    `${PATH}/schedule`,
    {
      config,
      schema: {
        operationId: 'getPpmSchedule',
        summary: 'The schedule of a plan: earliest and latest dates, floats and the critical path',
        tags,
        params: CardParams,
        querystring: ScheduleQuery,
        response: { 200: ScheduleView },
        description:
          'By the critical path method over working days, with dependencies of all types and lags. Predecessors take precedence over constraints; those that cannot be met are among the conflicts.',
      },
    },
    async (request) => schedule.get(request.ctx, request.params.card_id, request.query),
  );

  app.get(
    `${PATH}/gantt`,
    {
      config,
      schema: {
        operationId: 'getPpmGantt',
        summary: 'The Gantt chart of a plan, as data or drawn',
        tags,
        params: CardParams,
        querystring: GanttQuery,
        response: {
          200: {
            description: 'The rows and dependencies, or the drawing.',
            content: {
              'application/json': { schema: GanttView },
              'image/svg+xml': { schema: Type.String({ examples: ['<svg xmlns="http://www.w3.org/2000/svg"/>'] }) },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { card_id } = request.params;
      if (request.query.format !== 'svg') return await gantt.get(request.ctx, card_id, request.query);
      const picture = await gantt.draw(request.ctx, card_id, request.query);
      return http.sendBytes(request, reply.headers(SVG_HEADERS), { ...picture, type: 'image/svg+xml; charset=utf-8' });
    },
  );

  app.get(
    `${PATH}/earned-value`,
    {
      config,
      schema: {
        operationId: 'getPpmEarnedValue',
        summary: 'Earned value of a plan on a date',
        tags,
        params: CardParams,
        querystring: EarnedValueQuery,
        response: { 200: EarnedValueView },
        description:
          'For callers who may see the costs of the initiative. It is computed from the planned costs of items: `basis` is `none` for a plan without them, and indices and estimates are null, also if the initiative has budget lines, whose sum is `budget`.',
      },
    },
    async (request) => earnedValue.get(request.ctx, request.params.card_id, request.query),
  );

  app.get(
    `${PATH}/resource-load`,
    {
      config,
      schema: {
        operationId: 'getPpmResourceLoad',
        summary: 'The work of persons by week',
        tags,
        params: CardParams,
        querystring: LoadQuery,
        response: { 200: LoadView },
        description:
          'The effort of tasks with an assignee, spread evenly over the working days from their start to their due date; where they have none, from those of their item. Tasks without an effort are counted, and have no hours.',
      },
    },
    async (request) => load.ofInitiative(request.ctx, request.params.card_id, request.query),
  );

  await app.register(async (scope) => {
    lockPlans(scope, host);
    scope.addHook('onRoute', (route) => {
      if (route.method === 'POST') route.config = { ...route.config, costly: config.costly };
    });
    scope.addHook('preHandler', async (request) => {
      const { card_id } = request.params as { card_id: string };
      if (request.method === 'POST') await plans.readCardStart(request.ctx, card_id.toLowerCase());
    });
    await scope.register(baselines.below('card_id'), {
      prefix: `${PATH}/baselines`,
      services: ofBaselines,
      host: host as unknown as ModuleServices,
    });
  });

  app.get(
    `${PATH}/baselines/:id/compare`,
    {
      config,
      schema: {
        operationId: 'comparePpmBaseline',
        summary: 'What has become different since a baseline',
        tags,
        params: BaselineParams,
        querystring: CompareQuery,
        response: { 200: CompareView },
      },
    },
    async (request) => comparison.compare(request.ctx, request.params.card_id, request.params.id, request.query),
  );
};
