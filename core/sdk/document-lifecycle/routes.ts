import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access.js';
import type { ModuleRoutes } from '../module.js';
import { IdParams, Nullable } from '../schemas.js';
import { Reject, RequestSignatures, RevisionPage, RevisionQuery, Sign } from './schemas.js';
import type { DocumentLifecycleService } from './service.js';
import type { DocumentLifecycleSpec } from './spec.js';

const params = IdParams;

/** The routes of the lifecycle, to be registered in addition to the module's routes of `/{id}`. */
export function lifecycleRoutes<Settings>(
  spec: DocumentLifecycleSpec<Settings>,
): ModuleRoutes<DocumentLifecycleService<Settings>, Settings> {
  const { operation, label, permissions, cardPermission, view } = spec;
  const tags = [spec.tag];
  const manages: Access =
    cardPermission === undefined
      ? { permission: permissions.manage }
      : { permission: permissions.manage, anyCard: cardPermission };
  const signs: Access = { permission: permissions.sign };
  const changing = (access: Access) => ({ access, idempotent: true, conditional: true });

  return async (app, { services: lifecycle, host: { http } }) => {
    async function send(request: FastifyRequest, reply: FastifyReply, id: string, status = 200) {
      const document = await lifecycle.get(request.ctx, id);
      if (status === 201) reply.header('location', `${app.prefix}/${id}`);
      return http.sendResource(request, reply, { status, ...document });
    }

    app.post(
      '/:id/request-signatures',
      {
        config: changing(manages),
        schema: {
          operationId: `request${operation}Signatures`,
          summary: `Have a draft signed: ${label}`,
          tags,
          params,
          body: RequestSignatures,
          response: { 200: view },
          description:
            'Freezes the content: it cannot be changed while it is in review, and every signature covers its hash.',
        },
      },
      async (request, reply) => {
        await lifecycle.requestSignatures(request.ctx, request.params.id, request.body);
        return send(request, reply, request.params.id);
      },
    );

    app.post(
      '/:id/sign',
      {
        config: changing(signs),
        schema: {
          operationId: `sign${operation}`,
          summary: `Sign: ${label}`,
          tags,
          params,
          body: Nullable(Sign),
          response: { 200: view },
          description:
            'Once per signatory. The last signature puts the document in force and supersedes the revision before it.',
        },
      },
      async (request, reply) => {
        // The body is optional.
        await lifecycle.sign(request.ctx, request.params.id, request.body ?? {});
        return send(request, reply, request.params.id);
      },
    );

    app.post(
      '/:id/reject',
      {
        config: changing(signs),
        schema: {
          operationId: `reject${operation}`,
          summary: `Send back to draft, with a reason: ${label}`,
          tags,
          params,
          body: Reject,
          response: { 200: view },
        },
      },
      async (request, reply) => {
        await lifecycle.reject(request.ctx, request.params.id, request.body);
        return send(request, reply, request.params.id);
      },
    );

    app.post(
      '/:id/recall',
      {
        config: changing(manages),
        schema: {
          operationId: `recall${operation}`,
          summary: `Take back from review: ${label}`,
          tags,
          params,
          response: { 200: view },
        },
      },
      async (request, reply) => {
        await lifecycle.recall(request.ctx, request.params.id);
        return send(request, reply, request.params.id);
      },
    );

    app.post(
      '/:id/revise',
      {
        config: changing(manages),
        schema: {
          operationId: `revise${operation}`,
          summary: `Begin the next revision: ${label}`,
          tags,
          params,
          response: { 201: view },
        },
      },
      async (request, reply) => send(request, reply, await lifecycle.revise(request.ctx, request.params.id), 201),
    );

    app.get(
      '/:id/revisions',
      {
        config: { access: { permission: permissions.view } },
        schema: {
          operationId: `list${operation}Revisions`,
          summary: `Revisions: ${label}`,
          tags,
          params,
          querystring: RevisionQuery,
          response: { 200: RevisionPage },
        },
      },
      async (request, reply) =>
        http.sendPage(request, reply, await lifecycle.revisions(request.params.id, request.query)),
    );
  };
}
