import { Type, type Static } from 'typebox';
import { Nullable, PageQuery, SortBy, Strict, OneOf } from '../../foundation/http/schemas.js';
import { KEY_SYNTAX } from './field-rules.js';
import { MAX_PATTERN } from './pattern.js';
import { FIELD_KINDS } from './types.js';

const KEY_RULE = 'A letter, then letters, digits and underscores, at most 63.';
const ONE_LINE = '^(?!\\s*$)[^\\p{Cc}\\p{Zl}\\p{Zp}]*$';
/** Keys are validated with the rest of a definition, so that all errors are reported together. */
const Key = (options: Record<string, unknown> = {}) =>
  Type.String({ minLength: 1, maxLength: 200, description: KEY_RULE, ...options });
const Label = () => Type.String({ minLength: 1, maxLength: 200, pattern: ONE_LINE });
const Prose = (maxLength: number) => Type.String({ maxLength });
const Color = () => Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', examples: ['#1565c0'] });
const Weight = () => Type.Number({ minimum: 0, maximum: 1_000, description: 'Weight in data quality; 0 excludes it.' });
const SortOrder = () => Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 });
const opt = Type.Optional;

const FieldInput = Strict(
  {
    key: Key(),
    label: opt(Label()),
    kind: OneOf(FIELD_KINDS),
    required: opt(Type.Boolean({ description: 'Required for approval.' })),
    weight: opt(Weight()),
    unit: opt(Type.String({ minLength: 1, maxLength: 50 })),
    min: opt(Type.Number()),
    max: opt(Type.Number()),
    pattern: opt(
      Type.String({
        minLength: 1,
        maxLength: MAX_PATTERN,
        description: 'For text: RE2 syntax; any part of the text must match.',
      }),
    ),
    options: opt(
      Type.Array(Strict({ key: Key(), label: opt(Label()), color: opt(Color()) }, { 'x-name': 'FieldOptionInput' }), {
        maxItems: 1_000,
      }),
    ),
    default: opt(Type.Unknown({ description: 'Default value of the field for new cards.' })),
    help: opt(Prose(2_000)),
    group: opt(Label()),
    readonly: opt(Type.Boolean()),
    filterable: opt(
      Type.Boolean({
        description: 'For card types: an index is maintained, so that filtering by ranges and sorting are fast.',
      }),
    ),
  },
  { 'x-name': 'FieldDefinitionInput' },
);
export type FieldInput = Static<typeof FieldInput>;

const Permissions = Type.Union(
  [
    Type.Record(Type.String(), Type.Boolean(), { maxProperties: 500 }),
    Type.Array(Type.String({ maxLength: 200 }), { maxItems: 500 }),
  ],
  { description: 'Card permissions that the role grants on its card: `{"card.edit": true}`, or a list of keys.' },
);
const Inherited = () =>
  Type.Boolean({
    description: 'Whether its permissions also apply to every card below, of any type.',
  });
const RoleInput = Strict(
  {
    key: Key({ examples: ['product_owner'] }),
    label: opt(Label()),
    permissions: opt(Permissions),
    inherited: opt(Inherited()),
  },
  { examples: [{ key: 'product_owner', label: 'Product owner', permissions: { 'card.edit': true } }] },
);
export type RoleInput = Static<typeof RoleInput>;
export const RoleCreate = RoleInput;
export const RolePatch = Strict(
  {
    label: opt(Label()),
    inherited: opt(Inherited()),
    permissions: opt(
      Type.Union(
        [
          Type.Record(Type.String(), Nullable(Type.Boolean()), { maxProperties: 500 }),
          Type.Array(Type.String({ maxLength: 200 }), { maxItems: 500 }),
        ],
        { description: 'A map is merged, a list replaces the current ones.' },
      ),
    ),
  },
  { minProperties: 1, description: 'JSON Merge Patch.', examples: [{ permissions: { 'card.archive': true } }] },
);
export type RolePatch = Static<typeof RolePatch>;

const Locale = Type.String({ pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$' });
const closed = (maxProperties: number) => ({ additionalProperties: false, maxProperties });
const Words = <T extends ReturnType<typeof Prose> | ReturnType<typeof Nullable>>(value: T) =>
  Type.Record(Type.String({ maxLength: 200 }), value, { maxProperties: 5_000 });
const TranslationsInput = Type.Record(Locale, Words(Prose(500)), {
  ...closed(50),
  description: 'By locale, then by the translated member, such as `label` or `fields.costBudget`.',
});
const TranslationsPatch = Type.Record(Locale, Nullable(Words(Nullable(Prose(500)))), closed(50));

const WEIGHTS = ['description', 'lifecycle', 'relation', 'tag_group', 'stakeholder_role'] as const;
const weights = <T extends ReturnType<typeof Weight> | ReturnType<typeof Nullable>>(of: () => T) =>
  Strict(
    Object.fromEntries(WEIGHTS.map((key) => [key, opt(of())])) as Record<
      (typeof WEIGHTS)[number],
      ReturnType<typeof Type.Optional<T>>
    >,
    { description: 'Default: 1 each.' },
  );

const typeValues = {
  category: opt(Label()),
  has_hierarchy: opt(Type.Boolean()),
  allowed_parent_types: opt(
    Type.Array(Key(), {
      maxItems: 500,
      description: 'Default: the type itself, if the type has a hierarchy.',
    }),
  ),
  subtypes: opt(
    Type.Array(Strict({ key: Key(), label: opt(Label()), hidden_fields: opt(Type.Array(Key(), { maxItems: 500 })) }), {
      maxItems: 200,
    }),
  ),
  sections: opt(
    Type.Array(Strict({ key: Key(), label: opt(Label()), fields: opt(Type.Array(FieldInput, { maxItems: 500 })) }), {
      maxItems: 100,
      description: 'At most 500 fields in total.',
    }),
  ),
  stakeholder_roles: opt(
    Type.Array(RoleInput, { maxItems: 100, description: 'Default: `responsible` and `observer`.' }),
  ),
  archimate: opt(
    Type.Array(Type.String({ pattern: '^[A-Za-z]{1,60}$' }), {
      maxItems: 200,
      description: 'ArchiMate 3.2 element kinds an import maps to this type.',
    }),
  ),
  approval_policy: opt(
    Strict({ four_eyes: opt(Type.Boolean({ description: 'The user who last edited a card may not approve it.' })) }),
  ),
  is_hidden: opt(Type.Boolean()),
  sort_order: opt(SortOrder()),
};
const MaxLevel = () => Type.Integer({ minimum: 1, maximum: 100 });
const typeTexts = { description: Prose(5_000), icon: Label(), color: Color(), max_level: MaxLevel() };
const nullable = {
  description: opt(Nullable(typeTexts.description)),
  icon: opt(Nullable(typeTexts.icon)),
  color: opt(Nullable(typeTexts.color)),
  max_level: opt(Nullable(typeTexts.max_level)),
};

export const CardTypeCreate = Strict(
  {
    key: Key({ examples: ['Sensor'] }),
    label: Label(),
    description: opt(typeTexts.description),
    icon: opt(typeTexts.icon),
    color: opt(typeTexts.color),
    max_level: opt(typeTexts.max_level),
    ...typeValues,
    quality_weights: opt(weights(Weight)),
    translations: opt(TranslationsInput),
  },
  {
    examples: [
      {
        key: 'Sensor',
        label: 'Sensor',
        has_hierarchy: true,
        sections: [
          {
            key: 'general',
            label: 'General',
            fields: [{ key: 'range', label: 'Range', kind: 'number', unit: 'm', min: 0 }],
          },
        ],
      },
    ],
  },
);
export type CardTypeCreate = Static<typeof CardTypeCreate>;

export const CardTypePatch = Strict(
  {
    label: opt(Label()),
    ...nullable,
    ...typeValues,
    quality_weights: opt(weights(() => Nullable(Weight()))),
    translations: opt(TranslationsPatch),
  },
  {
    minProperties: 1,
    description: 'JSON Merge Patch; lists are replaced as a whole.',
    examples: [{ label: 'Sensors', quality_weights: { lifecycle: 0 } }],
  },
);
export type CardTypePatch = Static<typeof CardTypePatch>;

const EndType = (options: Record<string, unknown> = {}) =>
  Type.String({ minLength: 1, maxLength: 200, description: 'A card type, or `*` for any.', ...options });
const CardinalityInput = () => OneOf(['1:1', '1:n', 'n:m'], { description: '`1:n`: a target has at most one source.' });
const relationValues = {
  reverse_label: opt(Label()),
  cardinality: opt(CardinalityInput()),
  fields: opt(Type.Array(FieldInput, { maxItems: 500 })),
  source_mandatory: opt(Type.Boolean()),
  target_mandatory: opt(Type.Boolean()),
  allow_self: opt(Type.Boolean()),
  is_hidden: opt(Type.Boolean()),
  sort_order: opt(SortOrder()),
};
export const RelationTypeCreate = Strict(
  {
    key: Key({ examples: ['sensorToApplication'] }),
    label: Label(),
    source_type: EndType({ examples: ['Interface'] }),
    target_type: EndType({ examples: ['Application'] }),
    ...relationValues,
    translations: opt(TranslationsInput),
  },
  {
    examples: [
      {
        key: 'interfaceMonitorsApplication',
        label: 'monitors',
        reverse_label: 'is monitored by',
        source_type: 'Interface',
        target_type: 'Application',
        cardinality: 'n:m',
      },
    ],
  },
);
export type RelationTypeCreate = Static<typeof RelationTypeCreate>;

export const RelationTypePatch = Strict(
  {
    label: opt(Label()),
    source_type: opt(EndType()),
    target_type: opt(EndType()),
    ...relationValues,
    translations: opt(TranslationsPatch),
  },
  {
    minProperties: 1,
    description: 'JSON Merge Patch; lists are replaced as a whole.',
    examples: [{ reverse_label: 'is watched by' }],
  },
);
export type RelationTypePatch = Static<typeof RelationTypePatch>;

export const MetamodelQuery = Strict({ ...PageQuery, sort_by: SortBy('sort_order', 'key', 'label') });
const KeyParam = () => Type.String({ pattern: KEY_SYNTAX.source });
export const KeyParams = Strict({ key: KeyParam() });
export const RoleParams = Strict({ key: KeyParam(), role: KeyParam() });
export const RoleQuery = Strict({ ...PageQuery, sort_by: SortBy('key', 'label') });
export const RevisionQuery = Strict({ ...PageQuery, sort_by: SortBy('revision') });
