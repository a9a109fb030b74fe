import { Type } from 'typebox';
import { ATTRIBUTES, CardPointer, CardView, Expand } from '../cards/index.js';
import {
  DateOnly,
  FieldErrorView,
  Nullable,
  PageQuery,
  SortBy,
  Strict,
  Timestamp,
  Uuid,
  OneOf,
} from '../../foundation/http/schemas.js';

const ID = '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21';
const Attributes = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 1_000,
  description: 'Values by field key of the relation type; `null` removes.',
});
const Values = {
  attributes: Type.Optional(Attributes),
  description: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
  valid_from: Type.Optional(Nullable(DateOnly())),
  valid_to: Type.Optional(Nullable(DateOnly())),
};
const TypeKey = Type.String({ maxLength: 63, examples: ['applicationToBusinessCapability'] });

export const RelationCreate = Strict(
  { type: TypeKey, source_id: Uuid(), target_id: Uuid(), ...Values },
  {
    examples: [
      {
        type: 'applicationToBusinessCapability',
        source_id: ID,
        target_id: '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e22',
        attributes: { supportType: 'leading' },
      },
    ],
  },
);
export const RelationPatch = Strict(Values, {
  description: 'JSON Merge Patch; type and ends do not change.',
  examples: [{ description: 'Since the merger' }],
});

const End = Type.Object({ id: Uuid(), type: Type.String(), name: Type.String() }, { 'x-name': 'CardName' });
export const RelationView = Type.Object({
  id: Uuid(),
  type: Type.String(),
  source_id: Uuid(),
  target_id: Uuid(),
  source: End,
  target: End,
  attributes: Type.Record(Type.String(), Type.Unknown()),
  description: Nullable(Type.String()),
  valid_from: Nullable(DateOnly()),
  valid_to: Nullable(DateOnly()),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  version: Type.Integer(),
  source_card: Type.Optional(CardView),
  target_card: Type.Optional(CardView),
});

const EXPAND = {
  expand: Expand(
    '`source_card` and `target_card`, the whole cards at the ends as `GET /cards/{id}` returns them.',
    'target_card',
  ),
};
export const RelationViewQuery = Strict(EXPAND);

const roots = (end: string) =>
  Type.Optional(
    Type.String({
      maxLength: 8_000,
      description: `Relations whose ${end} is in the subtree of any of these cards, including these.`,
    }),
  );
const endTypes = (end: string) =>
  Type.Optional(Type.String({ maxLength: 2_000, description: `Card types of the ${end}, comma separated: any of.` }));

export const RelationQuery = Strict(
  {
    ...PageQuery,
    sort_by: SortBy('created_at', 'updated_at', 'type'),
    type: Type.Optional(Type.String({ maxLength: 2_000, description: 'Relation types, comma separated: any of.' })),
    card_id: Type.Optional(Uuid({ description: 'Relations at either end of a card.' })),
    source_id: Type.Optional(Uuid()),
    target_id: Type.Optional(Uuid()),
    direction: Type.Optional(OneOf(['outgoing', 'incoming', 'both'], { description: 'As seen from `card_id`.' })),
    source_root_id: roots('source'),
    target_root_id: roots('target'),
    source_type: endTypes('source'),
    target_type: endTypes('target'),
    total: Type.Optional(
      OneOf(['exact', 'none'], {
        description: '`none` omits the count: `total` is null. Otherwise all hits are counted, as with `exact`.',
      }),
    ),
    ...EXPAND,
  },
  ATTRIBUTES,
);

const Operation = Strict({
  op: OneOf(['create', 'update', 'upsert', 'delete']),
  id: Type.Optional(Uuid()),
  version: Type.Optional(Type.Integer({ minimum: 1 })),
  type: Type.Optional(TypeKey),
  source_id: Type.Optional(Uuid()),
  target_id: Type.Optional(Uuid()),
  source: Type.Optional(CardPointer),
  target: Type.Optional(CardPointer),
  ...Values,
});
export const BulkBody = Strict(
  {
    mode: Type.Optional(OneOf(['all_or_nothing', 'per_row'], { description: 'Default all_or_nothing.' })),
    operations: Type.Array(Operation, { minItems: 1, maxItems: 10_000 }),
  },
  {
    examples: [
      {
        operations: [
          {
            op: 'upsert',
            type: 'providerToApplication',
            source: { type: 'Provider', external_id: 'acme' },
            target: { type: 'Application', external_id: 'app-17' },
          },
        ],
      },
    ],
  },
);
export const BulkQuery = Strict({
  dry_run: Type.Optional(Type.Boolean({ description: 'All checks and the full result; nothing is stored.' })),
});
export const BulkView = Type.Object({
  change_id: Uuid(),
  summary: Type.Record(Type.String(), Type.Integer()),
  results: Type.Array(
    Type.Object(
      {
        index: Type.Integer(),
        id: Type.Optional(Uuid()),
        version: Type.Optional(Type.Integer()),
        outcome: OneOf(['created', 'updated', 'unchanged', 'deleted', 'failed']),
        errors: Type.Optional(Type.Array(FieldErrorView)),
      },
      { 'x-name': 'RelationBulkRow' },
    ),
  ),
});
