import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { JobStatus } from '@lintel/sdk';
import { pageOf } from '../http/memory-page.js';
import { sendPage, sendResource } from '../http/respond.js';
import { SchedulePage, ScheduleParams, ScheduleQuery } from './schedule-schemas.js';
import type { ScheduleService } from './schedule-service.js';

const tags = ['jobs'];
const access = { permission: 'jobs.manage' };

/** Routes for recurring jobs of the core and of modules. */
export default (async (app, { services: { schedules } }) => {
  app.get(
    '',
    {
      config: { access },
      schema: {
        operationId: 'listSchedules',
        summary: 'Recurring jobs',
        tags,
        querystring: ScheduleQuery,
        response: { 200: SchedulePage },
        description: 'Those of the core and of enabled modules.',
      },
    },
    async (request, reply) =>
      sendPage(request, reply, pageOf(await schedules.list(), 'job', 'job', request.query, 'schedules')),
  );

  app.post(
    '/:job/run',
    {
      config: { access, idempotent: true },
      schema: {
        operationId: 'runSchedule',
        summary: 'Run a recurring job now',
        tags,
        params: ScheduleParams,
        response: { 202: JobStatus },
        description:
          'Queues one job, besides those of the schedule. 409 `invalid_state` with `job_id` while a job of the schedule is queued or running.',
      },
    },
    async (request, reply) => {
      const job = await schedules.run(request.ctx, request.params.job);
      const { version, progress: derived } = job;
      reply.header('location', `/api/v1/jobs/${job.id}`);
      return sendResource(request, reply, { status: 202, version, derived, body: job });
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { schedules: ScheduleService } }>;
