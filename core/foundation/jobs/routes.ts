import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JobService } from './service.js';
import { pageOf } from '../http/memory-page.js';
import { IdParams } from '../http/schemas.js';
import { sendPage, sendResource } from '../http/respond.js';
import {
  JobDetail,
  JobPage,
  JobQuery,
  JobSummaryPage,
  JobSummaryQuery,
  RetriedMany,
  RetryMany,
  RetryQuery,
} from './schemas.js';

const tags = ['jobs'];
const access = { permission: 'jobs.manage' };
const params = IdParams;

const send = (request: FastifyRequest, reply: FastifyReply, body: JobDetail) =>
  sendResource(request, reply, { version: body.version, derived: [body.progress, body.has_handler], body });

/** Routes for background jobs of the core and of modules. */
export default (async (app, { services: { jobService } }) => {
  app.get(
    '',
    {
      config: { access },
      schema: {
        operationId: 'listJobs',
        summary: 'Jobs, the latest first',
        tags,
        querystring: JobQuery,
        response: { 200: JobPage },
      },
    },
    async (request, reply) => sendPage(request, reply, await jobService.list(request.query)),
  );

  app.get(
    '/summary',
    {
      config: { access },
      schema: {
        operationId: 'summariseJobs',
        summary: 'Number of queued, running and failed jobs by type',
        tags,
        querystring: JobSummaryQuery,
        response: { 200: JobSummaryPage },
        description:
          'Includes every type with a handler and every type that has jobs. Done and cancelled jobs are not counted.',
      },
    },
    async (request, reply) =>
      sendPage(request, reply, pageOf(await jobService.summary(), 'type', 'type', request.query, 'job summary')),
  );

  app.post(
    '/retry',
    {
      config: { access, idempotent: true },
      schema: {
        operationId: 'retryJobs',
        summary: 'Retry failed or cancelled jobs',
        tags,
        querystring: RetryQuery,
        body: RetryMany,
        response: { 200: RetriedMany },
        description:
          'Jobs of one type or of all types, at most 1,000, in the order in which they ended. Each gets its full number of attempts.',
      },
    },
    async (request) => await jobService.retryMany(request.ctx, request.body),
  );

  app.get(
    '/:id',
    {
      config: { access },
      schema: { operationId: 'getJob', summary: 'A job with its progress', tags, params, response: { 200: JobDetail } },
    },
    async (request, reply) => send(request, reply, await jobService.get(request.params.id)),
  );

  app.post(
    '/:id/cancel',
    {
      config: { access, idempotent: true, conditional: true },
      schema: {
        operationId: 'cancelJob',
        summary: 'Cancel a queued or running job',
        tags,
        params,
        response: { 200: JobDetail },
        description: 'The node that runs it aborts it within a second. What it has already written remains.',
      },
    },
    async (request, reply) => send(request, reply, await jobService.cancel(request.ctx, request.params.id)),
  );

  app.post(
    '/:id/retry',
    {
      config: { access, idempotent: true, conditional: true },
      schema: {
        operationId: 'retryJob',
        summary: 'Retry a failed or cancelled job',
        tags,
        params,
        response: { 200: JobDetail },
        description: 'The job gets its full number of attempts.',
      },
    },
    async (request, reply) => send(request, reply, await jobService.retry(request.ctx, request.params.id)),
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { jobService: JobService } }>;
