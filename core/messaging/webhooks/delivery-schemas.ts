import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Uuid, OneOf } from '../../foundation/http/schemas.js';

const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const attempt = {
  at: Timestamp(),
  status: Nullable(Type.Integer({ description: 'HTTP status of the response; null if there was none.' })),
  error: Nullable(Type.String({ description: 'Why it failed, or was not sent.' })),
  duration_ms: Type.Integer({ minimum: 0 }),
};
export const AttemptView = Type.Object({
  ...attempt,
  response: Nullable(
    Type.String({
      description:
        'The beginning of the receiver’s response. Shown only to the user whose permissions were used, and to no API token, because it may repeat the message.',
    }),
  ),
});
export type AttemptView = Static<typeof AttemptView>;

const AT = '2026-01-15T10:00:00.000Z';
const ID = '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21';
const SAMPLE = {
  id: ID,
  webhook_id: ID,
  event_id: 4711,
  event_type: 'card.updated',
  subject_id: ID,
  state: 'delivered',
  attempts: 1,
  next_at: null,
  redelivery_of: null,
  created_at: AT,
  finished_at: AT,
  last_attempt: { at: AT, status: 204, error: null, duration_ms: 31 },
};
const view = {
  id: Uuid(),
  webhook_id: Uuid(),
  event_id: Type.Integer({ description: 'Position of the event in the log; `webhook-id` is `evt_` and this.' }),
  event_type: Type.String(),
  subject_id: Type.String({
    description: 'Id of the subject of the event. Events of one subject are sent in order.',
  }),
  state: OneOf(DELIVERY_STATES, {
    description:
      'failed: all attempts failed; skipped: the owner may not see the event, or the filter no longer matches.',
  }),
  attempts: Type.Integer({ minimum: 0 }),
  next_at: Nullable(Timestamp()),
  redelivery_of: Nullable(Uuid({ description: 'The delivery that was repeated.' })),
  created_at: Timestamp(),
  finished_at: Nullable(Timestamp()),
  last_attempt: Nullable(Type.Object(attempt)),
};
export const DeliveryItem = Type.Object(view, { examples: [SAMPLE] });
export type DeliveryItem = Static<typeof DeliveryItem>;
export const DeliveryPage = Page(DeliveryItem);

export const DeliveryView = Type.Object(
  { ...view, log: Type.Array(AttemptView, { description: 'The last attempts, the latest last.' }) },
  { examples: [{ ...SAMPLE, log: [{ ...SAMPLE.last_attempt, response: null }] }] },
);
export type DeliveryView = Static<typeof DeliveryView>;

export const DeliveryParams = Strict({ id: Uuid(), did: Uuid() });
const states = DELIVERY_STATES.join('|');
export const DeliveryQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('created_at'),
  state: Type.Optional(
    Type.String({
      pattern: `^(?:${states})(?:,(?:${states})){0,10}$`,
      description: 'Any of these states, comma separated.',
      examples: ['pending,failed'],
    }),
  ),
  type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'An event type, or a prefix of types that ends in a dot.',
      examples: ['card.'],
    }),
  ),
  subject_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
});
export type DeliveryQuery = Static<typeof DeliveryQuery>;
