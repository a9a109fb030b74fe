import { isDeepStrictEqual } from 'node:util';
import type { CardTypeDefinition, FieldDefinition, RelationTypeDefinition } from './types.js';

/** What a change of a card type takes away, and what cards must therefore not use. */
export interface BreakingChange {
  /** Fields that go, or change their kind. */
  fields: string[];
  options: { field: string; option: string }[];
  subtypes: string[];
  roles: string[];
  /** The deepest level from now on, where that is less than before. */
  maxLevel: number | null;
  /** The types a parent may have from now on, where some may no longer. */
  parents: string[] | null;
}

/** What a change of a relation type takes away; ends and cardinality are told where they get narrower. */
export interface RuleNarrowing extends Pick<BreakingChange, 'fields' | 'options'> {
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

/** Parents a type allows in effect: without a hierarchy none, whatever is listed. */
const parentsOf = (type: CardTypeDefinition): string[] => (type.has_hierarchy ? type.allowed_parent_types : []);

/** @returns undefined where the change takes nothing away */
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

/** @returns undefined where the change takes nothing away */
export function ruleNarrowingOf(
  before: RelationTypeDefinition,
  after: RelationTypeDefinition,
): RuleNarrowing | undefined {
  const found: RuleNarrowing = {
    ...values(before.fields, after.fields),
    source: end(before.source_type, after.source_type),
    target: end(before.target_type, after.target_type),
    oneSource: after.cardinality !== 'n:m' && before.cardinality === 'n:m',
    oneTarget: after.cardinality === '1:1' && before.cardinality !== '1:1',
    noSelf: before.allow_self && !after.allow_self,
  };
  return isDeepStrictEqual(found, NO_RULE) ? undefined : found;
}
const NO_RULE: RuleNarrowing = {
  fields: [],
  options: [],
  source: null,
  target: null,
  oneSource: false,
  oneTarget: false,
  noSelf: false,
};
