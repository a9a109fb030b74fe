import type { Metamodel } from '../../../metamodel/index.js';

/** The relation type of what no other type fits. */
export const ANY_RELATION = 'related';
const SUCCESSOR = /Successor$/;

export interface Mapping {
  /** The card type of an element kind; undefined where there is none. */
  typeOf(kind: string): string | undefined;
  /** The relation type of an ordered pair of card types; `reversed` where it is that of the other order. */
  relationOf(source: string, target: string): { type: string; reversed: boolean } | undefined;
}

/** How a model becomes cards and relations: by the kinds the card types name, and the relation types between them. */
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
    // A foreign model knows nothing of successors, and nothing of how many there may be.
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
