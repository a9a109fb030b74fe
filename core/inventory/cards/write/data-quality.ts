import { dataQuality, type CardType, type Metamodel, type Scores } from '../../metamodel/index.js';
import type { CardState } from '../types.js';

/** How a side of a relation type stands among the facts around a card. */
const sideFact = ({ key, side }: { key: string; side: 'source' | 'target' }): string =>
  `${side === 'source' ? 's' : 't'}:${key}`;

/** Relation types with a side that must be there, the only ones whose relations count in a score. */
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

/** The same for all cards of a type, and worked out once for each metamodel. */
const KNOWN = new WeakMap<Metamodel, Map<string, Demands>>();

function demandsOf(metamodel: Metamodel, type: CardType): Demands {
  const byType = KNOWN.get(metamodel) ?? new Map<string, Demands>();
  KNOWN.set(metamodel, byType);
  const demands = byType.get(type.key) ?? {
    sides: metamodel.mandatoryFor(type.key).map(sideFact),
    groups: metamodel.mandatoryGroups(type.key).map((id) => `g:${id}`),
    roles: [...type.roles].map((role) => `r:${role}`),
  };
  byType.set(type.key, demands);
  return demands;
}

/** Data quality of a card as the write path holds it, with costs and without. */
export function scoresOf(metamodel: Metamodel, type: CardType, card: CardState): Scores {
  const { sides, groups, roles } = demandsOf(metamodel, type);
  const filled = (wanted: readonly string[]) => wanted.filter((fact) => card.facts.includes(fact)).length;
  return dataQuality(type, card, {
    relations: { demanded: sides.length, filled: filled(sides) },
    tagGroups: { demanded: groups.length, filled: filled(groups) },
    rolesHeld: filled(roles),
  });
}

/** What the card lacks that is demanded of it around its own fields. */
export function missingAround(
  metamodel: Metamodel,
  type: CardType,
  card: CardState,
): { sides: { key: string; side: 'source' | 'target' }[]; groups: string[] } {
  const facts = new Set(card.facts);
  return {
    sides: metamodel.mandatoryFor(type.key).filter((side) => !facts.has(sideFact(side))),
    groups: metamodel.mandatoryGroups(type.key).filter((id) => !facts.has(`g:${id}`)),
  };
}
