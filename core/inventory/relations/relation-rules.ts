import type { FieldError, RelationChange, RelationChangeKind, RuleCard, RuleRelation } from '@lintel/sdk';
import { ruleCards, type CardReference, type CardState } from '../cards/index.js';
import type { Problem } from '../../foundation/errors.js';
import { concerns, refusalBy, runRule, type OwnedRule, type RuledWrite } from '../rules.js';
import type { RelationState } from './types.js';

/** A planned change of a relation; the id `''`, of the relation or a card, is one that does not exist yet. */
export interface PlannedRelation {
  kind: RelationChangeKind;
  before: RelationState | undefined;
  after: RelationState | undefined;
  /** Pointer to the relation in the body. */
  pointer: string;
}

export interface RelationRefusal {
  errors: FieldError[];
  cause: Problem | undefined;
}

const idOf = (id: string): string | null => (id === '' ? null : id);

/** A relation as rules see it: a copy of the write path's. */
function ruleRelation(relation: RelationState): RuleRelation {
  const { id, type, source_id, source_type, target_id, target_type, description, valid_from, valid_to } = relation;
  return {
    id: idOf(id),
    type,
    source: { id: idOf(source_id), type: source_type },
    target: { id: idOf(target_id), type: target_type },
    attributes: structuredClone(relation.attributes),
    description,
    valid_from,
    valid_to,
  };
}

/**
 * Calls the rules of modules, in their order, with the planned changes of relations.
 * @param find finds a card of the same bulk, which may not be written yet
 * @returns the refusals, by index of `planned`
 */
export async function relationRefusals(
  rules: readonly OwnedRule[],
  write: RuledWrite,
  planned: readonly PlannedRelation[],
  find?: (reference: CardReference) => CardState | undefined,
): Promise<Map<number, RelationRefusal>> {
  const refused = new Map<number, RelationRefusal>();
  for (const owned of rules) {
    const { rule, services } = owned;
    if (!rule.relations) continue;
    const changes = new Map<RelationChange, number>();
    planned.forEach(({ kind, before, after }, index) => {
      const type = (after ?? before)!.type;
      if (rule.relationTypes?.includes(type) === false || !concerns(owned, [kind]) || refused.has(index)) return;
      changes.set({ kind, before: before && ruleRelation(before), after: after && ruleRelation(after) }, index);
    });
    if (changes.size === 0) continue;
    const cards = (ids: readonly string[]): Promise<Map<string, RuleCard>> =>
      ruleCards(write.uow, ids, (id) => find?.({ id }));
    const call = async (batch: Parameters<NonNullable<typeof rule.relations>>[1]) => rule.relations!(services, batch);
    for (const decision of await runRule(owned, write, [...changes.keys()], cards, call, false)) {
      const index = changes.get(decision.change)!;
      const refusal = refusalBy(decision, planned[index]!.pointer);
      const errors = [...(refused.get(index)?.errors ?? []), ...(refusal?.errors ?? [])];
      if (refusal) refused.set(index, { errors, cause: refused.get(index)?.cause ?? refusal.cause });
    }
  }
  return refused;
}
