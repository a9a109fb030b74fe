/** The metamodel as data: what administrators can change at run time, and the rules for cards and relations. */

export const FIELD_KINDS = [
  'text',
  'multiline',
  'number',
  'integer',
  'cost',
  'percentage',
  'boolean',
  'date',
  'url',
  'email',
  'single_select',
  'multiple_select',
  'user',
  'card_reference',
  'calculated',
] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

export interface FieldOption {
  key: string;
  label: string;
  color?: string;
}

/** One attribute of a card type or of a relation type. */
export interface FieldDefinition {
  key: string;
  label: string;
  kind: FieldKind;
  /** Required for approval, not for storing. */
  required: boolean;
  /** Weight in data quality; 0 excludes the field from the score. */
  weight: number;
  unit?: string;
  min?: number;
  max?: number;
  pattern?: string;
  options?: FieldOption[];
  default?: unknown;
  help?: string;
  group?: string;
  readonly?: boolean;
  /** Whether an index is maintained, for filtering by a range and for sorting. */
  filterable?: boolean;
}

export interface Subtype {
  key: string;
  label: string;
  hidden_fields: string[];
}

export interface Section {
  key: string;
  label: string;
  fields: FieldDefinition[];
}

export interface StakeholderRole {
  key: string;
  label: string;
  /** Card permissions the role grants on its card, e.g. `card.edit`. */
  permissions: Record<string, boolean>;
  /** Whether its permissions also apply to all cards below, of any type. */
  inherited?: boolean;
}

/** Weights of items other than fields in the data-quality score. */
export type QualityWeights = Record<
  'description' | 'lifecycle' | 'relation' | 'tag_group' | 'stakeholder_role',
  number
>;

export interface CardTypeDefinition {
  key: string;
  label: string;
  description?: string;
  icon?: string;
  color?: string;
  category: string;
  has_hierarchy: boolean;
  max_level?: number;
  allowed_parent_types: string[];
  subtypes: Subtype[];
  sections: Section[];
  quality_weights: QualityWeights;
  /** `four_eyes`: the user who last edited a card may not approve it. */
  approval_policy?: { four_eyes: boolean };
  stakeholder_roles: StakeholderRole[];
  /** ArchiMate 3.2 element kinds an import maps to this type. */
  archimate?: string[];
  translations: Record<string, Record<string, string>>;
  is_hidden: boolean;
  built_in: boolean;
  sort_order: number;
}

export type Cardinality = '1:1' | '1:n' | 'n:m';

/** `source_type` and `target_type` name a card type, or `*` for any. */
export interface RelationTypeDefinition {
  key: string;
  label: string;
  reverse_label: string;
  source_type: string;
  target_type: string;
  cardinality: Cardinality;
  fields: FieldDefinition[];
  source_mandatory: boolean;
  target_mandatory: boolean;
  allow_self: boolean;
  is_hidden: boolean;
  built_in: boolean;
  translations: Record<string, Record<string, string>>;
  sort_order: number;
}

export interface Tag {
  id: string;
  name: string;
  color: string | null;
  description: string | null;
  version: number;
  created_at: string;
  updated_at: string;
}

/** A group of tags; compiled from the stored rows, therefore in camel case. */
export interface TagGroup {
  id: string;
  name: string;
  /** Whether a card may have one tag of the group or several. */
  mode: 'single' | 'multi';
  /** Whether a card must have a tag of the group to be approved; also part of data quality. */
  mandatory: boolean;
  /** Card types whose cards may have its tags; empty for all. */
  restrictToTypes: readonly string[];
  tags: readonly Tag[];
  version: number;
  createdAt: string;
  updatedAt: string;
}
