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
        summary: 'How many jobs of each type wait, run or have failed',
        tags,
        querystring: JobSummaryQuery,
        response: { 200: JobSummaryPage },
        description:
          'Every type the service takes, and every type there are jobs of. What is done or cancelled is not counted.',
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
        summary: 'Run jobs again that failed or were cancelled',
        tags,
        querystring: RetryQuery,
        body: RetryMany,
        response: { 200: RetriedMany },
        description:
          'Those of a type, or of all; 1,000 at most, those first that ended first. Each with all its attempts before it.',
      },
    },
    async (request) => await jobService.retryMany(request.ctx, request.body),
  );

  app.get(
    '/:id',
    {
      config: { access },
      schema: { operationId: 'getJob', summary: 'A job and how far it is', tags, params, response: { 200: JobDetail } },
    },
    async (request, reply) => send(request, reply, await jobService.get(request.params.id)),
  );

  app.post(
    '/:id/cancel',
    {
      config: { access, idempotent: true, conditional: true },
      schema: {
        operationId: 'cancelJob',
        summary: 'Cancel a job that waits or runs',
        tags,
        params,
        response: { 200: JobDetail },
        description: 'The node that runs it tells it within a second. What it has written stays.',
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
        summary: 'Run a job again that failed or was cancelled',
        tags,
        params,
        response: { 200: JobDetail },
        description: 'With all its attempts before it.',
      },
    },
    async (request, reply) => send(request, reply, await jobService.retry(request.ctx, request.params.id)),
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { jobService: JobService } }>;
