import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Uuid } from '../../foundation/http/schemas.js';

const ID = '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21';
const KEY = '[a-z][a-z0-9_]*(?:\\.[a-z0-9_]+)?';

export const NotificationView = Type.Object(
  {
    id: Uuid(),
    kind: Type.String({
      description:
        'Such as `mention`; those of modules begin with the id of the module. `GET /notifications/preferences` lists all.',
      examples: ['mention'],
    }),
    title: Type.String({ description: 'The text, in English and on one line.' }),
    count: Type.Integer({
      minimum: 1,
      description: 'Number of occurrences: one change of many cards is one notification.',
    }),
    subject: Type.Object(
      {
        kind: Type.String({ examples: ['card'] }),
        id: Type.String(),
        type: Nullable(Type.String({ examples: ['Application'] })),
        name: Nullable(Type.String()),
      },
      { description: 'The subject; the first of several.' },
    ),
    actor: Nullable(
      Type.Object(
        { id: Uuid(), display_name: Type.String() },
        { description: 'The user who caused it; null for the system.' },
      ),
    ),
    fields: Type.Array(Type.String(), {
      description: 'Names of the changed fields, for one change of one card; costs are never named.',
    }),
    link: Nullable(
      Type.String({
        description: 'Path of the subject, below `/api/v1`; null if it was deleted.',
        examples: [`/cards/${ID}`],
      }),
    ),
    event_id: Nullable(
      Type.Integer({ description: 'Position of the event, the latest of several; null for notifications of modules.' }),
    ),
    created_at: Timestamp(),
    updated_at: Timestamp(),
    read_at: Nullable(Timestamp()),
    version: Type.Integer({ minimum: 1 }),
  },
  {
    examples: [
      {
        id: ID,
        kind: 'mention',
        title: 'Ada mentioned you on Application “Shop”',
        count: 1,
        subject: { kind: 'card', id: ID, type: 'Application', name: 'Shop' },
        actor: { id: ID, display_name: 'Ada' },
        fields: [],
        link: `/cards/${ID}`,
        event_id: 4711,
        created_at: '2026-01-15T10:00:00.000Z',
        updated_at: '2026-01-15T10:00:00.000Z',
        read_at: null,
        version: 1,
      },
    ],
  },
);
export type NotificationView = Static<typeof NotificationView>;
export const NotificationPage = Page(NotificationView);

export const NotificationQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('created_at', 'updated_at'),
  unread: Type.Optional(Type.Boolean({ description: '`true`: only unread; `false`: only read.' })),
  kind: Type.Optional(
    Type.String({
      maxLength: 1_000,
      pattern: `^${KEY}(?:,${KEY})*$`,
      description: 'Any of these kinds, comma separated.',
      examples: ['mention,assignment'],
    }),
  ),
});
export type NotificationQuery = Static<typeof NotificationQuery>;

export const UnreadCount = Type.Object({ unread: Type.Integer({ minimum: 0 }) }, { examples: [{ unread: 3 }] });

export const ReadAll = Strict(
  {
    until: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Notifications created or updated after this time stay unread: send the latest `updated_at` that was displayed.',
      }),
    ),
  },
  { examples: [{ until: '2026-01-15T10:00:00.000Z' }] },
);
export type ReadAll = Static<typeof ReadAll>;
export const ReadCount = Type.Object({
  count: Type.Integer({ minimum: 0, description: 'Number of notifications that were unread.' }),
});

export const PreferencesView = Type.Object(
  {
    kinds: Type.Record(
      Type.String(),
      Type.Object({
        title: Type.String(),
        description: Type.String(),
        module: Nullable(Type.String({ description: 'Id of the module that sends it.' })),
        in_app: Type.Boolean({ description: 'Whether it is shown in the list.' }),
        email: Type.Boolean({ description: 'Whether it is mailed, unless it is read before.' }),
      }),
      { description: 'All kinds.' },
    ),
    version: Type.Integer({ minimum: 1 }),
  },
  {
    examples: [
      {
        kinds: {
          mention: {
            title: 'Mentions',
            description: 'A comment mentions you.',
            module: null,
            in_app: true,
            email: true,
          },
        },
        version: 1,
      },
    ],
  },
);
export type PreferencesView = Static<typeof PreferencesView>;

const Channel = Type.Optional(Nullable(Type.Boolean({ description: '`null` restores the default.' })));
export const PreferencesPatch = Strict(
  {
    kinds: Type.Record(Type.String(), Nullable(Strict({ in_app: Channel, email: Channel })), {
      maxProperties: 1_000,
      description: 'By kind; `null` restores the defaults of a kind.',
    }),
  },
  { examples: [{ kinds: { comment: { email: true }, mention: { email: null } } }] },
);
export type PreferencesPatch = Static<typeof PreferencesPatch>;
