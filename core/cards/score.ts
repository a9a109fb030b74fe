import { dataQuality, type CardType, type Metamodel } from '../metamodel/index.js';
import type { CardState } from './types.js';

/** How a side of a relation type stands among the facts around a card. */
const sideFact = ({ key, side }: { key: string; side: 'source' | 'target' }): string => `${side === 'source' ? 's' : 't'}:${key}`;

/** Relation types with a side that must be there, the only ones whose relations count in a score. */
export function mandatoryRelations(metamodel: Metamodel): string[] {
  return [...metamodel.relationTypes.values()].filter(({ definition: d }) => d.source_mandatory || d.target_mandatory).map((t) => t.key);
}

/** Data quality of a card as the write path holds it. */
export function scoreOf(metamodel: Metamodel, type: CardType, card: CardState): number {
  const facts = new Set(card.facts);
  const sides = metamodel.mandatoryFor(type.key).map(sideFact);
  const groups = metamodel.mandatoryGroups(type.key).map((id) => `g:${id}`);
  const held = (wanted: readonly string[]) => ({ demanded: wanted.length, filled: wanted.filter((f) => facts.has(f)).length });
  const roles = held([...type.roles].map((role) => `r:${role}`));
  return dataQuality(type, card, { relations: held(sides), tagGroups: held(groups), rolesHeld: roles.filled });
}

/** What the card lacks that is demanded of it around its own fields. */
export function missingAround(metamodel: Metamodel, type: CardType, card: CardState): { sides: { key: string; side: 'source' | 'target' }[]; groups: string[] } {
  const facts = new Set(card.facts);
  return {
    sides: metamodel.mandatoryFor(type.key).filter((side) => !facts.has(sideFact(side))),
    groups: metamodel.mandatoryGroups(type.key).filter((id) => !facts.has(`g:${id}`)),
  };
}
