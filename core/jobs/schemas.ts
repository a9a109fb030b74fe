import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Uuid } from '../http/schemas.js';

export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

const ID = '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21';
const anything = (description: string) => Type.Unsafe<unknown>({ description });

export const JobView = Type.Object({
  id: Uuid(),
  type: Type.String({ description: 'What it does, such as `cards.purge`; of a module it begins with its id.' }),
  state: Type.String({ enum: [...JOB_STATES], description: 'queued: waits for its time or a node; failed: for good, with `error`.' }),
  origin: Type.String({ description: 'What the event log says of what it does.' }),
  payload: anything('What it was given, without secrets.'),
  progress: anything('How far it is, in its own terms.'),
  result: anything('What it gave; `null` while it is not done.'),
  error: Nullable(Type.String({ description: 'Why the last attempt failed.' })),
  attempts: Type.Integer({ minimum: 0 }),
  max_attempts: Type.Integer({ minimum: 1 }),
  run_at: Timestamp(),
  created_by: Nullable(Type.Object({ id: Uuid(), display_name: Type.String() })),
  created_at: Timestamp(),
  finished_at: Nullable(Timestamp()),
  version: Type.Integer({ minimum: 1, description: 'Moves with the state, not with the progress.' }),
}, {
  examples: [{
    id: ID, type: 'cards.purge', state: 'done', origin: 'cron', payload: {}, progress: {}, result: { deleted: 3 }, error: null, attempts: 1, max_attempts: 5,
    run_at: '2026-01-15T03:10:00.000Z', created_by: null, created_at: '2026-01-15T03:10:00.000Z', finished_at: '2026-01-15T03:10:00.200Z', version: 3,
  }],
});
export type JobView = Static<typeof JobView>;
export const JobPage = Page(JobView);

export const JobQuery = Strict({
  ...PageQuery, sort_by: SortBy('created_at', 'run_at', 'finished_at', 'type', 'state'),
  state: Type.Optional(Type.String({ pattern: `^(?:${JOB_STATES.join('|')})(?:,(?:${JOB_STATES.join('|')})){0,10}$`, description: 'Any of these states, by comma.', examples: ['queued,running'] })),
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'A type, or the beginning of types, which ends in a dot.', examples: ['cards.'] })),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Made at this time or later.' })),
});
export type JobQuery = Static<typeof JobQuery>;
