import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Uuid, OneOf } from '../http/schemas.js';

const JOB_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

const ID = '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21';
const anything = (description: string) => Type.Unsafe<unknown>({ description });

const properties = {
  id: Uuid(),
  type: Type.String({
    description: 'The type of the job, such as `cards.purge`; those of a module begin with its id.',
  }),
  has_handler: Type.Boolean({
    description:
      'Whether the service has a handler for this type; without one, because its module is disabled or removed, the jobs wait.',
  }),
  state: OneOf(JOB_STATES, {
    description: 'queued: waits for its start time or a node; failed: after all attempts, with `error`.',
  }),
  origin: Type.String({ description: 'The origin of its changes in the event log.' }),
  payload: anything('The parameters of the job, without secrets.'),
  progress: anything('The progress, in a format of the job type.'),
  result: anything('The result; `null` until the job is done.'),
  error: Nullable(Type.String({ description: 'The error of the last attempt.' })),
  attempts: Type.Integer({ minimum: 0 }),
  max_attempts: Type.Integer({ minimum: 1 }),
  run_at: Timestamp(),
  created_by: Nullable(Type.Object({ id: Uuid(), display_name: Type.String() })),
  on_behalf: Type.Boolean({ description: 'Whether it runs with the permissions of `created_by`.' }),
  created_at: Timestamp(),
  started_at: Nullable(Timestamp()),
  finished_at: Nullable(Timestamp()),
  version: Type.Integer({ minimum: 1, description: 'Changes with the state, not with the progress.' }),
};
const example = {
  id: ID,
  type: 'cards.purge',
  has_handler: true,
  state: 'done',
  origin: 'cron',
  payload: {},
  progress: {},
  result: { deleted: 3 },
  error: null,
  attempts: 2,
  max_attempts: 5,
  run_at: '2026-01-15T03:10:00.000Z',
  created_by: null,
  on_behalf: false,
  created_at: '2026-01-15T03:10:00.000Z',
  started_at: '2026-01-15T03:10:00.040Z',
  finished_at: '2026-01-15T03:10:02.200Z',
  version: 5,
};

export const JobView = Type.Object(properties, { examples: [example] });
export type JobView = Static<typeof JobView>;
export const JobPage = Page(JobView);

export const JobDetail = Type.Object(
  {
    ...properties,
    failures: Type.Array(
      Type.Object({ attempt: Type.Integer({ minimum: 1 }), at: Timestamp(), error: Type.String() }),
      {
        description: 'The last ten failed attempts, the oldest first; kept when the job is retried.',
      },
    ),
  },
  { examples: [{ ...example, failures: [{ attempt: 1, at: '2026-01-15T03:10:00.100Z', error: 'the disk is full' }] }] },
);
export type JobDetail = Static<typeof JobDetail>;

const TypeFilter = () =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'A type, or a prefix of types that ends in a dot.',
    examples: ['cards.'],
  });

export const JobQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('created_at', 'run_at', 'finished_at', 'type', 'state'),
  state: Type.Optional(
    Type.String({
      pattern: `^(?:${JOB_STATES.join('|')})(?:,(?:${JOB_STATES.join('|')})){0,10}$`,
      description: 'Any of these states, comma separated.',
      examples: ['queued,running'],
    }),
  ),
  type: Type.Optional(TypeFilter()),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Created at or after this time.' })),
});
export type JobQuery = Static<typeof JobQuery>;

const FINAL = ['failed', 'cancelled'] as const;
/** Maximum number of jobs that one call retries. */
export const RETRY_MOST = 1_000;

export const RetryQuery = Strict({
  dry_run: Type.Optional(Type.Boolean({ description: 'Returns the full result without storing anything.' })),
});
export const RetryMany = Strict(
  {
    type: Type.Optional(TypeFilter()),
    state: Type.Optional(OneOf(FINAL, { default: 'failed' })),
  },
  { examples: [{ type: 'imports.', state: 'failed' }] },
);
export type RetryMany = Static<typeof RetryMany>;
export const RetriedMany = Type.Object(
  {
    retried: Type.Integer({ minimum: 0, maximum: RETRY_MOST }),
    remaining: Type.Integer({ minimum: 0, description: 'Number of remaining jobs that the same call would retry.' }),
  },
  { examples: [{ retried: 12, remaining: 0 }] },
);
export type RetriedMany = Static<typeof RetriedMany>;

const count = (description?: string) => Type.Integer({ minimum: 0, ...(description !== undefined && { description }) });
export const JobSummary = Type.Object(
  {
    type: properties.type,
    has_handler: properties.has_handler,
    queued: count(),
    due: count('Queued jobs whose start time has come.'),
    running: count(),
    failed: count('Failed after all attempts: kept for a retry until they are deleted.'),
    oldest_due_at: Nullable(Timestamp()),
  },
  {
    'x-name': 'JobSummary',
    examples: [
      {
        type: 'imports.apply',
        has_handler: true,
        queued: 3,
        due: 2,
        running: 1,
        failed: 1,
        oldest_due_at: '2026-01-15T09:41:07.000Z',
      },
    ],
  },
);
export type JobSummary = Static<typeof JobSummary>;
export const JobSummaryPage = Page(JobSummary);
export const JobSummaryQuery = Strict({ ...PageQuery, sort_by: SortBy('type', 'queued', 'due', 'running', 'failed') });
