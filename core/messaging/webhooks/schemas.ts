import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Uuid, OneOf } from '../../foundation/http/schemas.js';
import { OPERATORS } from './filter.js';

const DISABLED = ['failing', 'gone', 'owner_inactive', 'owner_not_permitted'] as const;
export type DisabledReason = (typeof DISABLED)[number];

const Name = () =>
  Nullable(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^(?!\\s*$)[^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
      description: 'One line; surrounding blanks are removed.',
      examples: ['Pipeline'],
    }),
  );
const Url = () =>
  Type.String({
    maxLength: 2_048,
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\p{Cc}\\p{Z}]+$',
    description:
      'Where events are sent: http or https, without credentials. A private address must be in OUTBOUND_ALLOW; names are looked up at each delivery.',
    examples: ['https://hooks.example.org/lintel'],
  });
const EventTypes = () =>
  Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_]*(\\.[a-z0-9_]+)*\\.?$', maxLength: 100, examples: ['card.'] }), {
    maxItems: 100,
    uniqueItems: true,
    description:
      'Event types; one that ends in a dot is a prefix: `card.` matches every type of card events. Empty matches all.',
  });
const scalar = () => [Type.String({ maxLength: 1_000 }), Type.Number(), Type.Boolean(), Type.Null()];
const Condition = () =>
  Strict({
    field: Type.String({
      maxLength: 300,
      pattern: '^/?[A-Za-z0-9_-]+([./][A-Za-z0-9_-]+)*$',
      examples: ['subject.type'],
      description:
        'A member of the event: `type`, `origin`, `subject.kind`, `subject.id`, `subject.type`, `subject.name`, `actor.id`, `data.<path>`; with `changed`, a field as named in `data.changes`, or a prefix of several.',
    }),
    op: OneOf(OPERATORS, {
      description:
        'A missing member counts as null. `contains`: the text contains the part, or the list the item. `changed`: the field was changed and, if `value` is given, now has that value.',
    }),
    value: Type.Optional(
      Type.Unsafe<unknown>(
        Type.Union([...scalar(), Type.Array(Type.Union(scalar()), { minItems: 1, maxItems: 100 })], {
          description: 'A list with `in`; with `exists`, whether it must exist (default `true`).',
          examples: ['Application'],
        }),
      ),
    ),
  });
const Conditions = () =>
  Type.Array(Condition(), {
    maxItems: 20,
    description: 'All conditions must be true for the event, as the owner may see it.',
  });

const ID = '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21';
const AT = '2026-01-15T10:00:00.000Z';
const SAMPLE = {
  id: ID,
  name: 'Pipeline',
  url: 'https://hooks.example.org/lintel',
  types: ['card.'],
  conditions: [{ field: 'subject.type', op: 'eq', value: 'Application' }],
  is_active: true,
  disabled_reason: null,
  owner: { id: ID, display_name: 'Ada Admin' },
  previous_secret_until: null,
  status: {
    pending: 0,
    failing_since: null,
    last_attempt_at: AT,
    last_success_at: AT,
    last_status: 204,
    last_error: null,
  },
  created_at: AT,
  updated_at: AT,
  version: 1,
};

const view = {
  id: Uuid(),
  name: Nullable(Type.String()),
  url: Type.String(),
  types: EventTypes(),
  conditions: Conditions(),
  is_active: Type.Boolean(),
  disabled_reason: Nullable(
    OneOf(DISABLED, {
      description:
        'Why the service disabled it: all attempts failed for days, the receiver responded with 410, or the owner is not an active user or may not manage webhooks. Null if a user disabled it.',
    }),
  ),
  owner: Nullable(
    Type.Object(
      { id: Uuid(), display_name: Type.String() },
      {
        description:
          'The user whose permissions decide which events are sent and what they contain: the one who last changed the URL or the filter.',
      },
    ),
  ),
  previous_secret_until: Nullable(Timestamp()),
  status: Type.Object({
    pending: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'Number of pending deliveries; 10,000 means at least that many.',
    }),
    failing_since: Nullable(Timestamp()),
    last_attempt_at: Nullable(Timestamp()),
    last_success_at: Nullable(Timestamp()),
    last_status: Nullable(
      Type.Integer({ description: 'HTTP status of the last attempt; null if there was no response.' }),
    ),
    last_error: Nullable(Type.String()),
  }),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  version: Type.Integer({ minimum: 1 }),
};
export const WebhookView = Type.Object(
  {
    ...view,
    secret: Type.Object({ is_set: Type.Boolean() }, { description: 'Whether there is one; it is not shown again.' }),
  },
  { examples: [{ ...SAMPLE, secret: { is_set: true } }] },
);
export type WebhookView = Static<typeof WebhookView>;
export const WebhookPage = Page(WebhookView);

/** The only response that contains the secret. */
export const WebhookWithSecret = Type.Object(
  {
    ...view,
    secret: Type.String({
      description: 'Signing secret of Standard Webhooks, not shown again.',
      examples: ['whsec_…'],
    }),
  },
  {
    'x-name': 'WebhookWithSecret',
    examples: [{ ...SAMPLE, secret: 'whsec_TGludGVsIHNpZ25zIHdoYXQgaXQgc2VuZHMgdG8geW91' }],
  },
);

const options = {
  name: Type.Optional(Name()),
  types: Type.Optional(EventTypes()),
  conditions: Type.Optional(Conditions()),
  is_active: Type.Optional(Type.Boolean()),
};
export const WebhookCreate = Strict(
  { url: Url(), ...options },
  {
    examples: [
      {
        name: 'Pipeline',
        url: 'https://hooks.example.org/lintel',
        types: ['card.'],
        conditions: [{ field: 'subject.type', op: 'eq', value: 'Application' }],
      },
    ],
  },
);
export type WebhookCreate = Static<typeof WebhookCreate>;
export const WebhookPatch = Strict(
  { url: Type.Optional(Url()), ...options },
  { minProperties: 1, examples: [{ types: ['card.', 'relation.'] }] },
);
export type WebhookPatch = Static<typeof WebhookPatch>;

export const WebhookQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('created_at', 'updated_at', 'name', 'url'),
  is_active: Type.Optional(Type.Boolean()),
});
export type WebhookQuery = Static<typeof WebhookQuery>;
