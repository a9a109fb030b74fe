import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Uuid } from '../http/schemas.js';

export const ScheduleView = Type.Object(
  {
    job: Type.String({ description: 'The name of the recurring job; those of a module begin with its id.' }),
    type: Type.String({ description: 'The type of the jobs that it queues.' }),
    expression: Type.String({ description: 'Five or six fields, in UTC; with six, the first is seconds.' }),
    last_run_at: Nullable(
      Type.String({
        format: 'date-time',
        description: 'The latest scheduled time for which a job was queued; runs on request do not count.',
      }),
    ),
    next_run_at: Nullable(Timestamp()),
    job_id: Nullable(Uuid({ description: 'Its job that is queued or running.' })),
  },
  {
    'x-name': 'Schedule',
    examples: [
      {
        job: 'cards.purge',
        type: 'cards.purge',
        expression: '10 3 * * *',
        last_run_at: '2026-01-15T03:10:00.000Z',
        next_run_at: '2026-01-16T03:10:00.000Z',
        job_id: null,
      },
    ],
  },
);
export type ScheduleView = Static<typeof ScheduleView>;
export const SchedulePage = Page(ScheduleView);
export const ScheduleQuery = Strict({ ...PageQuery, sort_by: SortBy('job', 'type', 'last_run_at', 'next_run_at') });
export const ScheduleParams = Strict({ job: Type.String({ minLength: 1, maxLength: 200 }) });
