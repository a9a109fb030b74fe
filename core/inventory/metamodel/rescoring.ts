import { isDeepStrictEqual } from 'node:util';
import { fieldsOf } from './breaking-changes.js';
import type { CardTypeDefinition, RelationTypeDefinition, TagGroup } from './types.js';

/** Card types whose scores are affected by a change; null for all, an empty list for none. */
export type Rescored = readonly string[] | null;

/** Fields of these kinds do not count in every score. */
const COUNTED_APART: readonly string[] = ['cost', 'card_reference'];

function scored(type: CardTypeDefinition): unknown {
  return {
    fields: Object.fromEntries(
      fieldsOf(type).map((f) => [f.key, [f.weight, COUNTED_APART.find((kind) => kind === f.kind)]]),
    ),
    hidden: Object.fromEntries(type.subtypes.map((s) => [s.key, [...s.hidden_fields].sort()])),
    weights: type.quality_weights,
    roles: type.stakeholder_roles.map((r) => r.key).sort(),
  };
}

/** Types to rescore after a change of a card type: if weights, fields, their part in the scores, hidden fields or roles change. */
export function rescoredByType(before: CardTypeDefinition, after: CardTypeDefinition): Rescored {
  return isDeepStrictEqual(scored(before), scored(after)) ? [] : [after.key];
}

/** The ends at which a relation is mandatory, with their card types. */
function demands(type: RelationTypeDefinition | undefined): string[] {
  return type
    ? [
        ...(type.source_mandatory ? [`s ${type.source_type}`] : []),
        ...(type.target_mandatory ? [`t ${type.target_type}`] : []),
      ]
    : [];
}

/** Types to rescore after a change of a relation type: those at an end that is, or was, mandatory. */
export function rescoredByRelationType(
  before: RelationTypeDefinition | undefined,
  after: RelationTypeDefinition | undefined,
): Rescored {
  const [was, is] = [demands(before), demands(after)];
  const ends = [...was.filter((end) => !is.includes(end)), ...is.filter((end) => !was.includes(end))].map((end) =>
    end.slice(2),
  );
  return ends.includes('*') ? null : [...new Set(ends)];
}

type Demand = Pick<TagGroup, 'mandatory' | 'restrictToTypes'>;

/** Types to rescore after a change of a tag group. */
export function rescoredByTagGroup(before: Demand | undefined, after: Demand | undefined): Rescored {
  const types = (group: Demand | undefined) => (group?.mandatory ? [...group.restrictToTypes].sort() : undefined);
  const [was, is] = [types(before), types(after)];
  if (isDeepStrictEqual(was, is)) return [];
  return [was, is].some((list) => list?.length === 0) ? null : [...new Set([...(was ?? []), ...(is ?? [])])];
}
