import { fieldFaults, keyFault, keyFaults, type Fault } from './field-rules.js';
import type { Metamodel } from './metamodel.js';
import { fieldsOf } from './breaking-changes.js';
import type { CardTypeDefinition, RelationTypeDefinition, StakeholderRole } from './types.js';

interface Surrounding {
  /** The stored metamodel without the change being validated. */
  metamodel: Metamodel;
  /** Whether a stakeholder role can grant the permission, which the core or an installed module declares. */
  grantable(permission: string): boolean;
}

const at = (field: string, reason: string | undefined): Fault[] => (reason === undefined ? [] : [{ field, reason }]);

function repeated(list: readonly string[], pointer: string): Fault[] {
  return list.flatMap((value, i) =>
    list.indexOf(value) < i ? [{ field: `${pointer}/${i}`, reason: 'is repeated' }] : [],
  );
}

/** @param before the current roles of the type: a granted permission of a removed module may remain */
function roleFaults(
  roles: readonly StakeholderRole[],
  before: readonly StakeholderRole[],
  { grantable }: Surrounding,
): Fault[] {
  const kept = new Set(before.flatMap((r) => Object.keys(r.permissions)));
  return roles.flatMap((role, i) =>
    Object.keys(role.permissions)
      .filter((p) => !grantable(p) && !kept.has(p))
      .map((p) => ({
        field: `/stakeholder_roles/${i}/permissions/${p.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        reason: 'is no permission a stakeholder role can grant',
      })),
  );
}

/** Each filterable field has an index, which is updated by writes of every card with a value. */
const MAX_FILTERABLE = 20;
/** For all card types together: every index adds to the planning time of lists. */
const MAX_ALL_FILTERABLE = 200;

function filterableFaults(type: CardTypeDefinition, metamodel: Metamodel): Fault[] {
  const count = (of: CardTypeDefinition): number => fieldsOf(of).filter((f) => f.filterable === true).length;
  const [own, others] = [
    count(type),
    [...metamodel.types.values()].reduce((sum, t) => sum + (t.key === type.key ? 0 : count(t.definition)), 0),
  ];
  if (own > MAX_FILTERABLE) return at('/sections', `must not have more than ${MAX_FILTERABLE} filterable fields`);
  return at(
    '/sections',
    own > 0 && own + others > MAX_ALL_FILTERABLE
      ? `must not bring the filterable fields of all card types above ${MAX_ALL_FILTERABLE}`
      : undefined,
  );
}

/**
 * All errors of a card type.
 * @param before the current type; undefined for a new one
 */
export function cardTypeFaults(type: CardTypeDefinition, around: Surrounding, before?: CardTypeDefinition): Fault[] {
  const { metamodel } = around;
  const fields = new Set(fieldsOf(type).map((f) => f.key));
  const mapped = new Map(
    [...metamodel.types.values()]
      .filter((t) => t.key !== type.key)
      .flatMap((t) => (t.definition.archimate ?? []).map((kind) => [kind, t.key] as const)),
  );
  return [
    ...at('/key', before ? undefined : keyFault(type.key)),
    ...type.allowed_parent_types.flatMap((key, i) =>
      at(`/allowed_parent_types/${i}`, key === type.key || metamodel.types.has(key) ? undefined : 'names no card type'),
    ),
    ...repeated(type.allowed_parent_types, '/allowed_parent_types'),
    ...keyFaults(type.sections, '/sections'),
    ...fieldFaults(
      type.sections.map((s, i) => ({ fields: s.fields, pointer: `/sections/${i}/fields` })),
      '/sections',
    ),
    ...filterableFaults(type, metamodel),
    ...keyFaults(type.subtypes, '/subtypes'),
    ...type.subtypes.flatMap((s, i) => [
      ...s.hidden_fields.flatMap((key, j) =>
        at(`/subtypes/${i}/hidden_fields/${j}`, fields.has(key) ? undefined : 'names no field of the type'),
      ),
      ...repeated(s.hidden_fields, `/subtypes/${i}/hidden_fields`),
    ]),
    ...keyFaults(type.stakeholder_roles, '/stakeholder_roles'),
    ...roleFaults(type.stakeholder_roles, before?.stakeholder_roles ?? [], around),
    ...(type.archimate ?? []).flatMap((kind, i) =>
      at(`/archimate/${i}`, mapped.has(kind) ? `is mapped to ${mapped.get(kind)} already` : undefined),
    ),
    ...repeated(type.archimate ?? [], '/archimate'),
  ];
}

/** All errors of a relation type. */
export function relationTypeFaults(
  type: RelationTypeDefinition,
  { metamodel }: Surrounding,
  before?: RelationTypeDefinition,
): Fault[] {
  const end = (key: string) => (key === '*' || metamodel.types.has(key) ? undefined : 'names no card type');
  return [
    ...at('/key', before ? undefined : keyFault(type.key)),
    ...at('/source_type', end(type.source_type)),
    ...at('/target_type', end(type.target_type)),
    ...fieldFaults([{ fields: type.fields, pointer: '/fields' }], '/fields'),
    ...type.fields.flatMap((field, i) =>
      at(`/fields/${i}/filterable`, field.filterable === true ? 'is only for fields of card types' : undefined),
    ),
  ];
}
