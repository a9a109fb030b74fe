import { NoContent, type ModuleRoutes } from '@lintel/sdk';
import { APPROVERS, EDITORS, READERS } from '../permissions.js';
import type { BpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { VersionHistoryPage, VersionHistoryQuery } from '../versions/history.js';
import {
  MoveBody,
  ProblemPage,
  ProblemQuery,
  ProcessParams,
  RejectBody,
  VersionPage,
  VersionParams,
  VersionPatch,
  VersionQuery,
  VersionView,
} from '../versions/schemas.js';

const tags = ['bpm'];
const PATH = '/processes/:card_id/flow/versions';

/** The versions of flows, and their moves between states. */
export const versionRoutes: ModuleRoutes<BpmServices, Settings> = async (app, { services, host: { http } }) => {
  const { versions, moves, history } = services;
  const params = VersionParams;
  app.get(
    PATH,
    {
      config: { access: READERS },
      schema: {
        operationId: 'listBpmVersions',
        summary: 'The versions of the flow of a process, the latest first',
        tags,
        params: ProcessParams,
        querystring: VersionQuery,
        response: { 200: VersionPage },
      },
    },
    async (request, reply) =>
      http.sendPage(request, reply, await versions.list(request.ctx, request.params.card_id, request.query)),
  );

  app.get(
    `${PATH}/:version_id`,
    {
      config: { access: READERS },
      schema: {
        operationId: 'getBpmVersion',
        summary: 'A version of a flow',
        tags,
        params,
        response: { 200: VersionView },
      },
    },
    async (request, reply) => {
      const { card_id, version_id } = request.params;
      return http.sendResource(request, reply, await versions.resource(request.ctx, card_id, version_id));
    },
  );

  app.patch(
    `${PATH}/:version_id`,
    {
      config: { access: EDITORS, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateBpmVersion',
        summary: 'Change the texts of a draft',
        tags,
        params,
        body: VersionPatch,
        response: { 200: VersionView },
        description: 'The file of a draft is replaced by `PUT …/{version_id}.bpmn`.',
      },
    },
    async (request, reply) => {
      const { card_id, version_id } = request.params;
      return http.sendResource(request, reply, await versions.update(request.ctx, card_id, version_id, request.body));
    },
  );

  app.delete(
    `${PATH}/:version_id`,
    {
      config: { access: EDITORS, conditional: true },
      schema: { operationId: 'deleteBpmVersion', summary: 'Delete a draft', tags, params, response: NoContent },
    },
    async (request, reply) => {
      await versions.remove(request.ctx, request.params.card_id, request.params.version_id);
      return http.sendNothing(reply);
    },
  );

  app.get(
    `${PATH}/:version_id/problems`,
    {
      config: { access: READERS },
      schema: {
        operationId: 'listBpmProblems',
        summary: 'The problems of a flow, with line and element',
        tags,
        params,
        querystring: ProblemQuery,
        response: { 200: ProblemPage },
      },
    },
    async (request, reply) => {
      const { card_id, version_id } = request.params;
      return http.sendPage(request, reply, await versions.problems(request.ctx, card_id, version_id, request.query));
    },
  );

  app.get(
    `${PATH}/:version_id/history`,
    {
      config: { access: READERS },
      schema: {
        operationId: 'getBpmVersionHistory',
        summary: 'The changes of a version of a flow, the latest first',
        tags,
        params,
        querystring: VersionHistoryQuery,
        response: { 200: VersionHistoryPage },
      },
    },
    async (request, reply) => {
      const { card_id, version_id } = request.params;
      return http.sendPage(request, reply, await history.list(request.ctx, card_id, version_id, request.query));
    },
  );

  for (const { action, operationId, summary, access } of MOVES)
    app.post(
      `${PATH}/:version_id/${action}`,
      {
        config: { access, idempotent: true, conditional: true },
        schema: { operationId, summary, tags, params, body: MoveBody, response: { 200: VersionView } },
      },
      async (request, reply) => {
        const { card_id, version_id } = request.params;
        const moved = await moves[action](request.ctx, card_id, version_id, request.body?.comment ?? null);
        return http.sendResource(request, reply, moved);
      },
    );

  app.post(
    `${PATH}/:version_id/reject`,
    {
      config: { access: APPROVERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'rejectBpmVersion',
        summary: 'Make a submitted version a draft again, with a reason',
        tags,
        params,
        body: RejectBody,
        response: { 200: VersionView },
      },
    },
    async (request, reply) => {
      const { card_id, version_id } = request.params;
      const rejected = await moves.reject(request.ctx, card_id, version_id, request.body.reason);
      return http.sendResource(request, reply, rejected);
    },
  );
};

const MOVES = [
  { action: 'submit', operationId: 'submitBpmVersion', summary: 'Submit a draft for approval', access: EDITORS },
  { action: 'withdraw', operationId: 'withdrawBpmVersion', summary: 'Take a submitted version back', access: EDITORS },
  { action: 'approve', operationId: 'approveBpmVersion', summary: 'Publish a submitted version', access: APPROVERS },
] as const;
