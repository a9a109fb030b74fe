/** A finding about two cards, as a caller sees it. */
export interface ClusterPair {
  id: string;
  a: string;
  b: string;
  /** 0 to 100. */
  score: number;
  state: string;
}

/** Cards that do the same, as far as a caller sees it. */
export interface Cluster {
  /** The smallest id of its cards. */
  id: string;
  cards: string[];
  /** The pairs between its cards, the most alike first. */
  pairs: ClusterPair[];
  /** The highest score of its pairs. */
  score: number;
}

/** Cards of one cluster. */
const MOST_CARDS = 50;

/**
 * Clusters of the pairs that a caller sees. They are joined from the most alike pair on. Two clusters are joined by a pair
 * only if more than half of the pairs of their cards are findings: so a chain, in which each card is like the next one, but
 * the first one is not like the last, does not become one cluster. A confirmed pair joins without this rule, and no cluster contains a pair
 * that was dismissed.
 */
export function clustersOf(pairs: readonly ClusterPair[]): Cluster[] {
  const joins = pairs.filter(({ state }) => state !== 'dismissed');
  joins.sort((x, y) => y.score - x.score || (x.id < y.id ? -1 : x.id > y.id ? 1 : 0));
  const linked = new Set(joins.map(({ a, b }) => keyOf(a, b)));
  const dismissed = new Set(pairs.filter(({ state }) => state === 'dismissed').map(({ a, b }) => keyOf(a, b)));
  const clusterOf = new Map<string, string[]>();
  const cards = (id: string): string[] => clusterOf.get(id) ?? [id];
  for (const pair of joins) {
    const [left, right] = [cards(pair.a), cards(pair.b)];
    if (left === right || left.length + right.length > MOST_CARDS) continue;
    let [found, forbidden] = [0, false];
    for (const x of left)
      for (const y of right) {
        if (linked.has(keyOf(x, y))) found++;
        forbidden ||= dismissed.has(keyOf(x, y));
      }
    if (forbidden || (pair.state !== 'confirmed' && found * 2 <= left.length * right.length)) continue;
    const joined = [...left, ...right];
    for (const id of joined) clusterOf.set(id, joined);
  }
  const inside = new Map<string[], ClusterPair[]>();
  for (const pair of joins) {
    const cluster = clusterOf.get(pair.a);
    if (!cluster || cluster !== clusterOf.get(pair.b)) continue;
    const list = inside.get(cluster);
    if (list) list.push(pair);
    else inside.set(cluster, [pair]);
  }
  return [...inside].map(([members, own]) => {
    const sorted = [...members].sort();
    return { id: sorted[0]!, cards: sorted, pairs: own, score: Math.max(...own.map(({ score }) => score)) };
  });
}

const keyOf = (a: string, b: string): string => (a < b ? `${a}:${b}` : `${b}:${a}`);
