import { Type } from 'typebox';
import { ActorView, Nullable, Page, Timestamp, Uuid, OneOf } from '../../foundation/http/schemas.js';

const Field = Type.Object(
  {
    key: Type.String(),
    label: Type.String(),
    kind: Type.String(),
    required: Type.Boolean(),
    weight: Type.Number(),
    unit: Type.Optional(Type.String()),
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number()),
    pattern: Type.Optional(Type.String()),
    options: Type.Optional(
      Type.Array(
        Type.Object(
          { key: Type.String(), label: Type.String(), color: Type.Optional(Type.String()) },
          { 'x-name': 'FieldOption' },
        ),
      ),
    ),
    default: Type.Optional(Type.Unknown()),
    help: Type.Optional(Type.String()),
    group: Type.Optional(Type.String()),
    readonly: Type.Optional(Type.Boolean()),
    filterable: Type.Optional(Type.Boolean()),
  },
  { 'x-name': 'FieldDefinition' },
);
const Translations = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()));
const Permissions = Type.Record(Type.String(), Type.Boolean());

export const CardTypeView = Type.Object({
  key: Type.String({ examples: ['Application'] }),
  label: Type.String(),
  description: Type.Optional(Type.String()),
  icon: Type.Optional(Type.String()),
  color: Type.Optional(Type.String()),
  category: Type.String(),
  has_hierarchy: Type.Boolean(),
  max_level: Type.Optional(Type.Integer()),
  allowed_parent_types: Type.Array(Type.String()),
  subtypes: Type.Array(
    Type.Object({ key: Type.String(), label: Type.String(), hidden_fields: Type.Array(Type.String()) }),
  ),
  sections: Type.Array(Type.Object({ key: Type.String(), label: Type.String(), fields: Type.Array(Field) })),
  quality_weights: Type.Record(Type.String(), Type.Number()),
  approval_policy: Type.Object({ four_eyes: Type.Boolean() }),
  stakeholder_roles: Type.Array(
    Type.Object({
      key: Type.String(),
      label: Type.String(),
      permissions: Permissions,
      inherited: Type.Optional(Type.Boolean()),
    }),
  ),
  archimate: Type.Optional(Type.Array(Type.String())),
  translations: Translations,
  is_hidden: Type.Boolean(),
  built_in: Type.Boolean(),
  sort_order: Type.Integer(),
  updated_at: Timestamp(),
  version: Type.Integer(),
});

export const RelationTypeView = Type.Object({
  key: Type.String({ examples: ['applicationToBusinessCapability'] }),
  label: Type.String(),
  reverse_label: Type.String(),
  source_type: Type.String({ description: 'A card type, or `*` for any.' }),
  target_type: Type.String({ description: 'A card type, or `*` for any.' }),
  cardinality: OneOf(['1:1', '1:n', 'n:m']),
  fields: Type.Array(Field),
  source_mandatory: Type.Boolean(),
  target_mandatory: Type.Boolean(),
  allow_self: Type.Boolean(),
  is_hidden: Type.Boolean(),
  built_in: Type.Boolean(),
  translations: Translations,
  sort_order: Type.Integer(),
  updated_at: Timestamp(),
  version: Type.Integer(),
});

export const RoleView = Type.Object({
  key: Type.String({ examples: ['responsible'] }),
  label: Type.String(),
  permissions: Permissions,
  inherited: Type.Boolean(),
  version: Type.Integer({ description: 'Version of the card type, which contains the role.' }),
});

const Count = Type.Integer({ minimum: 0 });
export const UsageView = Type.Object(
  {
    cards: Count,
    active: Count,
    archived: Count,
    fields: Type.Array(
      Type.Object({
        key: Type.String(),
        cards: Nullable(
          Type.Integer({ minimum: 0, description: 'Cards with a value; null for a cost the caller may not see.' }),
        ),
        options: Type.Optional(Type.Array(Type.Object({ key: Type.String(), cards: Count }))),
      }),
    ),
    subtypes: Type.Array(Type.Object({ key: Type.String(), cards: Count })),
    stakeholder_roles: Type.Array(Type.Object({ key: Type.String(), stakeholders: Count })),
  },
  { description: 'Archived cards are included, because they can be restored.' },
);

export const RevisionPage = Page(
  Type.Object({
    revision: Type.Integer(),
    at: Timestamp(),
    actor: ActorView(),
    change_id: Nullable(Uuid()),
    summary: Type.String({ examples: ['card type Application changed: label, fields.timeModel'] }),
  }),
);
