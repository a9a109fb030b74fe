import { dataQuality, type CardType, type Metamodel, type Scores } from '../../metamodel/index.js';
import type { CardState } from '../types.js';

/** The fact of one side of a relation type. */
const sideFact = ({ key, side }: { key: string; side: 'source' | 'target' }): string =>
  `${side === 'source' ? 's' : 't'}:${key}`;

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
    groups: metamodel.mandatoryGroups(type.key).map((id) => `g:${id}`),
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

/** Mandatory facts other than fields that the card lacks. */
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
