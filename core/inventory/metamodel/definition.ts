import { mergePatch } from '../../foundation/merge-patch.js';
import { DEFAULT_WEIGHTS } from './data-quality.js';
import type {
  CardTypeCreate,
  CardTypePatch,
  FieldInput,
  RelationTypeCreate,
  RelationTypePatch,
  RoleInput,
} from './schemas.js';
import type {
  Cardinality,
  CardTypeDefinition,
  FieldDefinition,
  FieldKind,
  RelationTypeDefinition,
  StakeholderRole,
} from './types.js';

/** Removes undefined members, so that a definition is stored in the same form as it is read. */
function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function field(input: FieldInput, weight: number): FieldDefinition {
  const {
    key,
    label,
    kind,
    options,
    required,
    default: given,
    unit,
    min,
    max,
    pattern,
    help,
    group,
    readonly,
    filterable,
  } = input;
  return {
    key,
    label: label ?? key,
    kind: kind as FieldKind,
    required: required ?? false,
    weight: input.weight ?? weight,
    ...present({
      unit,
      min,
      max,
      pattern,
      help,
      group,
      readonly,
      filterable: filterable === true ? true : undefined,
      default: given === null ? undefined : given,
      options: options?.map((o) => ({ key: o.key, label: o.label ?? o.key, ...present({ color: o.color }) })),
    }),
  };
}

/** A role as stored: contains only granted permissions. */
export function completeRole({ key, label, permissions, inherited }: RoleInput): StakeholderRole {
  const granted = Array.isArray(permissions)
    ? permissions
    : Object.entries(permissions ?? {})
        .filter(([, isGranted]) => isGranted)
        .map(([name]) => name);
  return {
    key,
    label: label ?? key,
    permissions: Object.fromEntries(granted.map((name) => [name, true])),
    ...present({ inherited: inherited === true ? true : undefined }),
  };
}

interface Place {
  sortOrder: number;
  builtIn: boolean;
  roles: readonly StakeholderRole[];
}

function completeCardType(d: CardTypeCreate, { sortOrder, builtIn, roles }: Place): CardTypeDefinition {
  const hierarchy = d.has_hierarchy ?? false;
  return {
    key: d.key,
    label: d.label,
    ...present({ description: d.description, icon: d.icon, color: d.color, max_level: d.max_level }),
    category: d.category ?? 'custom',
    has_hierarchy: hierarchy,
    allowed_parent_types: d.allowed_parent_types ?? (hierarchy ? [d.key] : []),
    subtypes: (d.subtypes ?? []).map((s) => ({
      key: s.key,
      label: s.label ?? s.key,
      hidden_fields: s.hidden_fields ?? [],
    })),
    sections: (d.sections ?? []).map((s) => ({
      key: s.key,
      label: s.label ?? s.key,
      fields: (s.fields ?? []).map((f) => field(f, 1)),
    })),
    quality_weights: { ...DEFAULT_WEIGHTS, ...present(d.quality_weights ?? {}) },
    ...present({ approval_policy: d.approval_policy?.four_eyes === true ? { four_eyes: true } : undefined }),
    stakeholder_roles: d.stakeholder_roles?.map(completeRole) ?? [...roles],
    ...present({ archimate: d.archimate }),
    translations: d.translations ?? {},
    is_hidden: d.is_hidden ?? false,
    built_in: builtIn,
    sort_order: d.sort_order ?? sortOrder,
  };
}

/**
 * A new card type with defaults filled in.
 * @param sortOrder default sort order
 * @param roles default stakeholder roles
 */
export function newCardType(
  body: CardTypeCreate,
  sortOrder: number,
  roles: readonly StakeholderRole[],
): CardTypeDefinition {
  return completeCardType(body, { sortOrder, builtIn: false, roles });
}

/** A card type after a merge patch; removed values get their defaults. */
export function patchedCardType(before: CardTypeDefinition, patch: CardTypePatch): CardTypeDefinition {
  const { built_in: builtIn, sort_order: sortOrder, ...rest } = before;
  const merged = mergePatch(rest, patch) as CardTypeCreate;
  // A newly enabled hierarchy gets the default parent types.
  if (
    patch.has_hierarchy === true &&
    patch.allowed_parent_types === undefined &&
    before.allowed_parent_types.length === 0
  )
    delete merged.allowed_parent_types;
  return completeCardType(merged, { sortOrder, builtIn, roles: before.stakeholder_roles });
}

function completeRelationType(
  d: RelationTypeCreate,
  { sortOrder, builtIn }: Omit<Place, 'roles'>,
): RelationTypeDefinition {
  return {
    key: d.key,
    label: d.label,
    reverse_label: d.reverse_label ?? d.label,
    source_type: d.source_type,
    target_type: d.target_type,
    cardinality: (d.cardinality ?? 'n:m') as Cardinality,
    // Data quality is a score of cards, so the default weight of relation fields is 0.
    fields: (d.fields ?? []).map((f) => field(f, 0)),
    source_mandatory: d.source_mandatory ?? false,
    target_mandatory: d.target_mandatory ?? false,
    allow_self: d.allow_self ?? false,
    is_hidden: d.is_hidden ?? false,
    built_in: builtIn,
    translations: d.translations ?? {},
    sort_order: d.sort_order ?? sortOrder,
  };
}

/** A new relation type with defaults filled in. */
export function newRelationType(body: RelationTypeCreate, sortOrder: number): RelationTypeDefinition {
  return completeRelationType(body, { sortOrder, builtIn: false });
}

/** A relation type after a merge patch. */
export function patchedRelationType(before: RelationTypeDefinition, patch: RelationTypePatch): RelationTypeDefinition {
  const { built_in: builtIn, sort_order: sortOrder, ...rest } = before;
  return completeRelationType(mergePatch(rest, patch) as RelationTypeCreate, { sortOrder, builtIn });
}
