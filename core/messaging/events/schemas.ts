import { Type, type Static } from 'typebox';
import { ActorView, Nullable, PageQuery, SortBy, Strict, Timestamp, Uuid } from '../../foundation/http/schemas.js';

const TYPES = Type.String({
  pattern: '^[a-z][a-z0-9_]*(\\.[a-z0-9_]+)*\\.?(,[a-z][a-z0-9_]*(\\.[a-z0-9_]+)*\\.?)*$',
  maxLength: 2_000,
  examples: ['card.,relation.created'],
  description: 'Comma-separated types; one that ends in a dot is a prefix: `card.` matches every type of card events.',
});
const SubjectId = Type.String({ minLength: 1, maxLength: 200, description: 'Id of the subject of the events.' });

export const EventIdParams = Strict({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Position in the event log.' }),
});

export const EventView = Type.Object({
  id: Type.Integer({ description: 'Position in the event log: ascending, and never given twice.', examples: [4711] }),
  type: Type.String({ examples: ['card.updated'] }),
  occurred_at: Timestamp(),
  actor: ActorView(),
  origin: Type.String({ description: 'What caused it: api, import, cron, job …', examples: ['api'] }),
  request_id: Nullable(Type.String()),
  change_id: Nullable(Type.String({ description: 'The same for all changes made by one request or job.' })),
  subject: Type.Object({
    kind: Type.String({ examples: ['card'] }),
    id: Type.String(),
    type: Nullable(Type.String({ examples: ['Application'] })),
    name: Nullable(Type.String()),
  }),
  data: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'The changed data; for most updates `changes`, a list of field, old and new.',
    },
  ),
});

export const EventTypeSchema = Type.Object(
  {
    type: Type.String({
      description: 'A type, or the prefix of all types of a kind whose types are not declared, such as `votes.`.',
    }),
    kind: Type.String({ description: 'Kind of the subject.' }),
    module: Nullable(Type.String({ description: 'The module that emits it; null: the core.' })),
    permission: Nullable(
      Type.String({ description: 'The permission to receive it, or `authenticated`; null: it depends on the event.' }),
    ),
    description: Nullable(Type.String()),
    data: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'JSON Schema of `data` of the event; later versions may add members.',
      },
    ),
  },
  {
    'x-name': 'EventType',
    examples: [
      {
        type: 'card.deleted',
        kind: 'card',
        module: null,
        permission: null,
        description: 'A card was deleted for good.',
        data: { type: 'object', required: ['version'], properties: { version: { type: 'integer' } } },
      },
    ],
  },
);

export const EventTypeQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('type', 'kind'),
  kind: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Kind of the subject.' })),
  module: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Id of a module, or `core`.' })),
});

export const EventListQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('id'),
  type: Type.Optional(TYPES),
  subject_id: Type.Optional(SubjectId),
  actor_id: Type.Optional(Uuid({ description: 'Id of the user who caused it.' })),
  token_id: Type.Optional(Uuid({ description: 'Id of the API token by which it was caused.' })),
  origin: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Events at or after this time.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Events before this time.' })),
});
export type EventListQuery = Static<typeof EventListQuery>;

const TicketText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, examples: ['mV0zB1oPcc0-9iY2wq4mSg8rKkPq1xkD3sJ7r0aTq9E'] });

export const StreamTicket = Type.Object({
  ticket: TicketText('Opens one stream, as `?ticket=`.'),
  expires_in: Type.Integer({ description: 'Lifetime in seconds.', examples: [30] }),
});

export const StreamQuery = Strict({
  ticket: Type.Optional(
    TicketText('In place of a bearer token, where none can be sent: of POST /events/stream-ticket.'),
  ),
  types: Type.Optional(TYPES),
  subject_id: Type.Optional(SubjectId),
  last_event_id: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}$',
      description: 'Resumes after this position, for clients that cannot send the Last-Event-ID header.',
    }),
  ),
});
export type StreamQuery = Static<typeof StreamQuery>;
