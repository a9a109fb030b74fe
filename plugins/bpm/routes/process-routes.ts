import type { ModuleRoutes } from '@lintel/sdk';
import { TrendView } from '../assessments/resource.js';
import { trend } from '../assessments/trend.js';
import { READERS } from '../permissions.js';
import { ProcessPage, ProcessQuery, ProcessView } from '../processes/schemas.js';
import type { BpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { ProcessParams } from '../versions/schemas.js';

const tags = ['bpm'];

/** Processes as a tree, and everything about one of them. */
export const processRoutes: ModuleRoutes<BpmServices, Settings> = async (app, { services, host }) => {
  const { http } = host;
  app.get(
    '/processes',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listBpmProcesses',
        summary: 'Processes with the state of their flows',
        tags,
        querystring: ProcessQuery,
        response: { 200: ProcessPage },
        description: 'A tree: each item has its parent, its depth and its path; `parent_id` lists one level.',
      },
    },
    async (request, reply) => http.sendPage(request, reply, await services.processes.list(request.ctx, request.query)),
  );

  app.get(
    '/processes/:card_id',
    {
      config: { access: READERS },
      schema: {
        operationId: 'getBpmProcess',
        summary: 'A process with its flows, elements and assessments',
        tags,
        params: ProcessParams,
        response: { 200: ProcessView },
      },
    },
    async (request) => services.processes.get(request.ctx, request.params.card_id),
  );

  app.get(
    '/processes/:card_id/assessments/trend',
    {
      config: { access: READERS },
      schema: {
        operationId: 'getBpmAssessmentTrend',
        summary: 'How the assessments of a process have changed',
        tags,
        params: ProcessParams,
        response: { 200: TrendView },
      },
    },
    async (request) => trend(host, request.ctx, request.params.card_id),
  );
};
