import { isDeepStrictEqual } from 'node:util';
import type { CardTypeDefinition, FieldDefinition, RelationTypeDefinition } from './types.js';

/** What a change of a card type removes, and what cards therefore must not use. */
export interface BreakingChange {
  /** Fields that are removed or change their kind. */
  fields: string[];
  options: { field: string; option: string }[];
  subtypes: string[];
  roles: string[];
  /** The new maximum level, where it is reduced. */
  maxLevel: number | null;
  /** The new parent types, where some are no longer allowed. */
  parents: string[] | null;
}

/** What a change of a relation type removes; ends and cardinality are set where they become more restrictive. */
export interface RelationBreakingChange extends Pick<BreakingChange, 'fields' | 'options'> {
  source: string | null;
  target: string | null;
  oneSource: boolean;
  oneTarget: boolean;
  noSelf: boolean;
}

const gone = (before: readonly string[], after: readonly string[]): string[] =>
  before.filter((key) => !after.includes(key));
const keys = (list: readonly { key: string }[]): string[] => list.map(({ key }) => key);
export const fieldsOf = (type: CardTypeDefinition): FieldDefinition[] =>
  type.sections.flatMap((section) => section.fields);

function values(
  before: readonly FieldDefinition[],
  after: readonly FieldDefinition[],
): Pick<BreakingChange, 'fields' | 'options'> {
  const next = new Map(after.map((f) => [f.key, f]));
  const fields = before.filter((f) => next.get(f.key)?.kind !== f.kind).map((f) => f.key);
  const kept = before.filter((f) => next.get(f.key)?.kind === f.kind);
  const options = kept.flatMap((f) =>
    gone(keys(f.options ?? []), keys(next.get(f.key)!.options ?? [])).map((option) => ({ field: f.key, option })),
  );
  return { fields, options };
}

/** The effective parent types: none without a hierarchy, even if some are listed. */
const parentsOf = (type: CardTypeDefinition): string[] => (type.has_hierarchy ? type.allowed_parent_types : []);

/** @returns undefined where the change removes nothing */
export function breakingChangeOf(before: CardTypeDefinition, after: CardTypeDefinition): BreakingChange | undefined {
  const found: BreakingChange = {
    ...values(fieldsOf(before), fieldsOf(after)),
    subtypes: gone(keys(before.subtypes), keys(after.subtypes)),
    roles: gone(keys(before.stakeholder_roles), keys(after.stakeholder_roles)),
    maxLevel:
      after.max_level !== undefined && after.max_level < (before.max_level ?? Infinity) ? after.max_level : null,
    parents: gone(parentsOf(before), parentsOf(after)).length > 0 ? parentsOf(after) : null,
  };
  return isDeepStrictEqual(found, NOTHING) ? undefined : found;
}
const NOTHING: BreakingChange = { fields: [], options: [], subtypes: [], roles: [], maxLevel: null, parents: null };

const end = (before: string, after: string): string | null => (after === '*' || after === before ? null : after);

/** @returns undefined where the change removes nothing */
export function relationBreakingChangeOf(
  before: RelationTypeDefinition,
  after: RelationTypeDefinition,
): RelationBreakingChange | undefined {
  const found: RelationBreakingChange = {
    ...values(before.fields, after.fields),
    source: end(before.source_type, after.source_type),
    target: end(before.target_type, after.target_type),
    oneSource: after.cardinality !== 'n:m' && before.cardinality === 'n:m',
    oneTarget: after.cardinality === '1:1' && before.cardinality !== '1:1',
    noSelf: before.allow_self && !after.allow_self,
  };
  return isDeepStrictEqual(found, NOTHING_OF_RELATIONS) ? undefined : found;
}
const NOTHING_OF_RELATIONS: RelationBreakingChange = {
  fields: [],
  options: [],
  source: null,
  target: null,
  oneSource: false,
  oneTarget: false,
  noSelf: false,
};
