import type { Metamodel } from '../../../metamodel/index.js';

/** The relation type used where no other type fits. */
export const ANY_RELATION = 'related';
const SUCCESSOR = /Successor$/;

interface Mapping {
  /** The card type of an element kind; undefined where there is none. */
  typeOf(kind: string): string | undefined;
  /** The relation type of an ordered pair of card types; `reversed` where only the opposite order has one. */
  relationOf(source: string, target: string): { type: string; reversed: boolean } | undefined;
}

/**
 * The mapping of a model to cards and relations: by the element kinds in the card types, and the relation types between
 * them.
 */
export function mappingOf(metamodel: Metamodel): Mapping {
  const exact = new Map<string, string>();
  const prefixes: [prefix: string, type: string][] = [];
  for (const { key, definition } of metamodel.types.values()) {
    for (const kind of definition.archimate ?? []) {
      if (kind.endsWith('*')) prefixes.push([kind.slice(0, -1), key]);
      else if (!exact.has(kind)) exact.set(kind, key);
    }
  }
  prefixes.sort(([a], [b]) => b.length - a.length);
  const pairs = new Map<string, string>();
  for (const {
    key,
    definition: { source_type, target_type, cardinality },
  } of metamodel.relationTypes.values()) {
    // Successor relations and relation types with a restricted cardinality do not occur in ArchiMate models.
    if (source_type === '*' || target_type === '*' || SUCCESSOR.test(key) || cardinality !== 'n:m') continue;
    const pair = `${source_type} ${target_type}`;
    if (!pairs.has(pair)) pairs.set(pair, key);
  }
  const any = metamodel.relationTypes.get(ANY_RELATION);
  return {
    typeOf: (kind) => exact.get(kind) ?? prefixes.find(([prefix]) => kind.startsWith(prefix))?.[1],
    relationOf(source, target) {
      const straight = pairs.get(`${source} ${target}`);
      if (straight !== undefined) return { type: straight, reversed: false };
      const turned = pairs.get(`${target} ${source}`);
      if (turned !== undefined) return { type: turned, reversed: true };
      return any?.allowsSource(source) && any.allowsTarget(target)
        ? { type: ANY_RELATION, reversed: false }
        : undefined;
    },
  };
}
