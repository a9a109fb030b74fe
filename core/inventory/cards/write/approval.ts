import { isFilled, type CardType, type Metamodel } from '../../metamodel/index.js';
import { groupFact, sideFact } from './data-quality.js';
import type { CardState } from '../types.js';

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
