import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { dataQuality, isFilled, type CardType, type Metamodel, type Scores } from '../../metamodel/index.js';
import { factsOf, lockCards } from '../lock-repository.js';
import { rescoreCards } from '../repository.js';
import type { CardState } from '../types.js';

/** The fact that a card has a relation of the type at this end. */
const sideFact = ({ key, side }: { key: string; side: 'source' | 'target' }): string =>
  `${side === 'source' ? 's' : 't'}:${key}`;

/** The fact that a card has a tag of the group. */
const groupFact = (id: string): string => `g:${id}`;

/** Relation types with a mandatory side, the only ones whose relations count in a score. */
export function mandatoryRelations(metamodel: Metamodel): string[] {
  return [...metamodel.relationTypes.values()]
    .filter(({ definition: d }) => d.source_mandatory || d.target_mandatory)
    .map((t) => t.key);
}

interface Demands {
  sides: readonly string[];
  groups: readonly string[];
  roles: readonly string[];
}

/** Equal for all cards of a type, and computed once per metamodel. */
const KNOWN = new WeakMap<Metamodel, Map<string, Demands>>();

function demandsOf(metamodel: Metamodel, type: CardType): Demands {
  const byType = KNOWN.get(metamodel) ?? new Map<string, Demands>();
  KNOWN.set(metamodel, byType);
  const demands = byType.get(type.key) ?? {
    sides: metamodel.mandatoryFor(type.key).map(sideFact),
    groups: metamodel.mandatoryGroups(type.key).map(groupFact),
    roles: [...type.roles].map((role) => `r:${role}`),
  };
  byType.set(type.key, demands);
  return demands;
}

/** Data quality of a card in the write path, with and without costs. */
export function scoresOf(metamodel: Metamodel, type: CardType, card: CardState): Scores {
  const { sides, groups, roles } = demandsOf(metamodel, type);
  const filled = (wanted: readonly string[]) => wanted.filter((fact) => card.facts.includes(fact)).length;
  return dataQuality(type, card, {
    relations: { demanded: sides.length, filled: filled(sides) },
    tagGroups: { demanded: groups.length, filled: filled(groups) },
    rolesHeld: filled(roles),
  });
}

const SCORES = ['data_quality', 'open_quality', 'basic_quality'] as const satisfies (keyof Scores)[];

/**
 * Computes the data quality of cards again and stores it.
 * @param onlyDifferent whether scores that stay the same are not written. Where facts changed they are, so that a
 *   concurrent update that was computed from the former facts finds the row changed.
 */
export async function rescore(
  uow: UnitOfWork,
  metamodel: Metamodel,
  ids: readonly string[],
  onlyDifferent: boolean,
): Promise<void> {
  const cards = await lockCards(uow, 'write', [...ids]);
  if (cards.length === 0) return;
  const facts = await factsOf(
    uow,
    cards.map((c) => c.id),
    mandatoryRelations(metamodel),
  );
  const scores = cards.flatMap((card) => {
    const type = metamodel.types.get(card.type);
    const now = type && scoresOf(metamodel, type, { ...card, facts: facts.get(card.id) ?? [] });
    return !now || (onlyDifferent && SCORES.every((score) => now[score] === card[score]))
      ? []
      : [{ id: card.id, ...now }];
  });
  if (scores.length > 0) await rescoreCards(uow, scores);
}

/** Something a card must have before it may be approved. */
interface Missing {
  kind: 'field' | 'relation' | 'tag_group';
  key: string;
  label: string;
}

/** Required fields that the subtype shows, mandatory relation sides and mandatory tag groups that are unmet. */
export function missingForApproval(metamodel: Metamodel, type: CardType, card: CardState): Missing[] {
  const facts = new Set(card.facts);
  const sides = metamodel.mandatoryFor(type.key).filter((side) => !facts.has(sideFact(side)));
  const groups = metamodel.mandatoryGroups(type.key).filter((id) => !facts.has(groupFact(id)));
  return [
    ...type
      .visibleFields(card.subtype)
      .filter((f) => f.required && !isFilled(card.attributes[f.key]))
      .map(({ key, label }) => ({ kind: 'field' as const, key, label })),
    ...sides.map(({ key, side }) => {
      const { label, reverse_label } = metamodel.relationTypes.get(key)!.definition;
      return { kind: 'relation' as const, key, label: side === 'source' ? label : reverse_label };
    }),
    ...groups.map((id) => ({ kind: 'tag_group' as const, key: id, label: metamodel.tagGroups.get(id)?.name ?? id })),
  ];
}
