import { Type, type Static } from 'typebox';
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
import { MAX_OPERATIONS } from '../../foundation/json-patch.js';
import { CardName, EXPANDED } from './expand.js';
import { LIFECYCLE_PHASES } from './types.js';

const ID = '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21';
const OpenMap = (example: Record<string, unknown>, description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { maxProperties: 1_000, description, examples: [example] });

const AttributesIn = OpenMap(
  { businessCriticality: 'missionCritical', costTotalAnnual: 120000 },
  'Values by field key of the card type; `null` removes.',
);
const LifecycleIn = Type.Record(Type.String(), Nullable(Type.String({ maxLength: 100 })), {
  maxProperties: 50,
  description: `Dates by phase: ${LIFECYCLE_PHASES.join(', ')}, in this order.`,
  examples: [{ plan: '2026-01-01', active: '2026-06-01' }],
});
const NameIn = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: '1 to 500 characters after trimming.',
  examples: ['Billing'],
});
const OptionalText = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })));

const WRITABLE = {
  subtype: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  description: OptionalText(50_000),
  parent_id: Type.Optional(Nullable(Uuid())),
  lifecycle: Type.Optional(LifecycleIn),
  attributes: Type.Optional(AttributesIn),
  external_id: OptionalText(500),
  alias: OptionalText(500),
};

export const CardCreate = Strict(
  { type: Type.String({ maxLength: 63, examples: ['Application'] }), name: NameIn, ...WRITABLE },
  {
    examples: [
      {
        type: 'Application',
        name: 'Billing',
        description: 'Issues invoices',
        attributes: { businessCriticality: 'businessCritical' },
        lifecycle: { active: '2024-01-01' },
      },
    ],
  },
);
export const CardPatch = Strict(
  { name: Type.Optional(NameIn), ...WRITABLE },
  {
    description:
      'JSON Merge Patch (RFC 7396): absent members are unchanged, `null` removes a value, also inside `attributes` and `lifecycle`.',
    examples: [{ description: 'Issues and sends invoices', attributes: { costTotalAnnual: 90000 } }],
  },
);

export const CardView = Type.Object({
  id: Uuid({ examples: [ID] }),
  type: Type.String(),
  subtype: Nullable(Type.String()),
  name: Type.String(),
  description: Nullable(Type.String()),
  parent_id: Nullable(Uuid({ description: 'Also null if the parent is hidden from the reader.' })),
  path: Type.Array(Nullable(Type.String()), {
    description: 'Names of the ancestors, root first; null for hidden ones.',
  }),
  level: Type.Integer({ minimum: 1 }),
  lifecycle: Type.Record(Type.String(), DateOnly()),
  lifecycle_phase: Nullable(Type.String()),
  attributes: Type.Record(Type.String(), Type.Unknown()),
  status: OneOf(['ACTIVE', 'ARCHIVED']),
  approval_status: OneOf(['DRAFT', 'APPROVED', 'REJECTED', 'BROKEN']),
  data_quality: Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'Filled weight in percent, of what the caller may see.',
  }),
  external_id: Nullable(Type.String()),
  alias: Nullable(Type.String()),
  tags: Type.Array(Type.Object({ id: Uuid(), group_id: Uuid(), name: Type.String(), color: Nullable(Type.String()) })),
  stakeholders: Type.Optional(
    Type.Array(Type.Object({ id: Uuid(), user_id: Uuid(), role: Type.String(), display_name: Type.String() }), {
      description: 'Stakeholders of the card itself; omitted without `stakeholders.view`.',
    }),
  ),
  created_by: Nullable(Uuid()),
  updated_by: Nullable(Uuid()),
  archived_at: Nullable(Timestamp()),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  version: Type.Integer({ minimum: 1 }),
  ...EXPANDED,
});
export type CardView = Static<typeof CardView>;

const TypeKey = Type.String({ maxLength: 63 });
const REFERENCE = {
  id: Type.Optional(Uuid()),
  type: Type.Optional(TypeKey),
  external_id: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  path: Type.Optional(
    Type.Union([Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 100 }), Type.String({ maxLength: 10_000 })], {
      description:
        'Names of the ancestors, root first, as a list or joined by ` / `; empty for a card without a parent. Without it the name must be unique among cards of the type.',
    }),
  ),
};
/** How a body refers to an existing card. */
export const CardPointer = Strict(REFERENCE, {
  minProperties: 1,
  description: '`{id}`, `{type, external_id}` or `{type, path, name}`.',
  'x-name': 'CardPointer',
});
const Reference = Strict(
  { ...REFERENCE, ref: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) },
  {
    minProperties: 1,
    'x-name': 'CardReference',
    description: '`{id}`, `{ref}` of an operation of the call, `{type, external_id}` or `{type, path, name}`.',
  },
);

const ChildStrategyIn = Type.Optional(
  OneOf(['cascade', 'disconnect', 'reparent'], {
    description:
      'What happens to the children: they are included, lose their parent, or move up to the parent of the card.',
  }),
);
const RelationIn = Strict(
  {
    type: TypeKey,
    target: Reference,
    attributes: Type.Optional(OpenMap({ supportType: 'leading' }, 'Values by field key of the relation type.')),
    description: OptionalText(10_000),
    valid_from: Type.Optional(Nullable(DateOnly())),
    valid_to: Type.Optional(Nullable(DateOnly())),
  },
  { 'x-name': 'CardBulkRelation' },
);
const Relations = Type.Optional(
  Type.Array(RelationIn, {
    maxItems: 1_000,
    description: 'Relations from this card, created or updated as specified here.',
  }),
);

const Operation = Strict({
  op: OneOf(['create', 'update', 'upsert', 'archive', 'restore', 'delete']),
  ref: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  id: Type.Optional(Uuid()),
  version: Type.Optional(Type.Integer({ minimum: 1 })),
  card: Type.Optional(
    Strict({
      type: Type.Optional(TypeKey),
      name: Type.Optional(Type.String({ maxLength: 1_000 })),
      ...WRITABLE,
      parent: Type.Optional(Nullable(Reference)),
      relations: Relations,
    }),
  ),
  relations: Relations,
  child_strategy: ChildStrategyIn,
});
export const BulkBody = Strict(
  {
    mode: Type.Optional(OneOf(['all_or_nothing', 'per_row'], { description: 'Default all_or_nothing.' })),
    operations: Type.Array(Operation, { minItems: 1, maxItems: 10_000 }),
  },
  {
    examples: [
      {
        mode: 'all_or_nothing',
        operations: [
          { op: 'upsert', ref: 'crm', card: { type: 'Application', external_id: 'app-17', name: 'CRM' } },
          {
            op: 'create',
            card: { type: 'Application', name: 'CRM mobile', parent: { ref: 'crm' } },
            relations: [
              {
                type: 'applicationToBusinessCapability',
                target: { type: 'BusinessCapability', path: ['Sales'], name: 'Customer care' },
              },
            ],
          },
        ],
      },
    ],
  },
);
export const BulkQuery = Strict({
  dry_run: Type.Optional(
    Type.Boolean({ description: 'Runs all checks and returns the full result without storing anything.' }),
  ),
});

export const BulkView = Type.Object({
  change_id: Uuid(),
  summary: Type.Record(Type.String(), Type.Integer()),
  results: Type.Array(
    Type.Object(
      {
        index: Type.Integer(),
        ref: Type.Optional(Type.String()),
        id: Type.Optional(Uuid()),
        version: Type.Optional(Type.Integer()),
        outcome: OneOf(['created', 'updated', 'unchanged', 'archived', 'restored', 'deleted', 'failed']),
        relations: Type.Optional(
          Type.Array(Type.Object({ id: Uuid(), outcome: OneOf(['created', 'updated', 'unchanged']) })),
        ),
        errors: Type.Optional(Type.Array(FieldErrorView)),
      },
      { 'x-name': 'CardBulkRow' },
    ),
  ),
});

export const ArchiveBody = Nullable(
  Strict({ child_strategy: ChildStrategyIn }, { examples: [{ child_strategy: 'reparent' }] }),
);
/** An empty body. */
export const NothingMore = Nullable(Strict({}, { examples: [{}] }));
export const DeleteQuery = Strict({ child_strategy: ChildStrategyIn });
export const ApprovalBody = Strict(
  {
    action: OneOf(['approve', 'reject', 'reset']),
    comment: Type.Optional(Type.String({ maxLength: 2_000 })),
  },
  { examples: [{ action: 'approve', comment: 'Checked with the owner' }] },
);

export const ArchiveImpactView = Type.Object({
  child_count: Type.Integer(),
  descendant_count: Type.Integer({ description: 'Active cards below it, on all levels.' }),
  approved_count: Type.Integer({ description: 'Approved cards among the card and those below it.' }),
  related: Type.Array(Type.Object({ ...CardName.properties, relation_types: Type.Array(Type.String()) }), {
    description: 'Cards outside the subtree that are related to any card in it, the first 200 by name.',
  }),
  related_count: Type.Integer(),
});

/** RFC 6902. */
export const JsonPatch = Type.Array(
  Strict(
    {
      op: OneOf(['add', 'remove', 'replace', 'move', 'copy', 'test']),
      path: Type.String({ maxLength: 500 }),
      from: Type.Optional(Type.String({ maxLength: 500 })),
      value: Type.Optional(Type.Unknown()),
    },
    { 'x-name': 'JsonPatchOperation' },
  ),
  {
    minItems: 1,
    maxItems: MAX_OPERATIONS,
    description:
      'JSON Patch (RFC 6902) over the writable members of the card; `copy` and `move` accept scalar values only, not objects and lists.',
    examples: [[{ op: 'replace', path: '/attributes/costTotalAnnual', value: 90000 }]],
  },
);

export const StakeholderView = Type.Object({
  id: Uuid(),
  user_id: Uuid(),
  role: Type.String(),
  display_name: Type.String(),
});
export const StakeholderCreate = Strict(
  { user_id: Uuid(), role: Type.String({ maxLength: 63, examples: ['responsible'] }) },
  { examples: [{ user_id: ID, role: 'responsible' }] },
);
export const StakeholderParams = Strict({ id: Uuid(), sid: Uuid() });
export const StakeholderQuery = Strict({ ...PageQuery, sort_by: SortBy('role', 'display_name') });
