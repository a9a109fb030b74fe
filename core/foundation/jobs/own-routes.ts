import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { JobStatus } from '@lintel/sdk';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IdParams } from '../http/schemas.js';
import { sendResource } from '../http/respond.js';
import type { JobService } from './service.js';

const tags = ['jobs'];
const params = IdParams;

const send = (request: FastifyRequest, reply: FastifyReply, body: JobStatus) =>
  sendResource(request, reply, { version: body.version, derived: body.progress, body });

/** Routes for the jobs that a user has queued. */
export default (async (app, { services: { jobService } }) => {
  app.get(
    '/:id',
    {
      config: { access: 'authenticated' },
      schema: {
        operationId: 'getOwnJob',
        summary: 'The status of a job that the caller queued',
        tags,
        params,
        response: { 200: JobStatus },
        description: 'Also for callers with `jobs.manage`. Any other job does not exist.',
      },
    },
    async (request, reply) => send(request, reply, await jobService.status(request.ctx, request.params.id)),
  );

  app.post(
    '/:id/cancel',
    {
      config: { access: 'authenticated', idempotent: true, conditional: true },
      schema: {
        operationId: 'cancelOwnJob',
        summary: 'Cancel a job that runs on behalf of the caller',
        tags,
        params,
        response: { 200: JobStatus },
        description:
          'Also any job, for callers with `jobs.manage`. The node that runs it aborts it within a second. What it has already written remains.',
      },
    },
    async (request, reply) => send(request, reply, await jobService.cancelOwn(request.ctx, request.params.id)),
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { jobService: JobService } }>;
