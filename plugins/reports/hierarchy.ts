/** A card in its hierarchy, as it is read. */
export interface Placed {
  id: string;
  name_key: string;
  /** Ids of the cards above, the root first. */
  path: readonly string[];
}

/** Sorts by name, equal names by id. */
export const byName = (a: { id: string; name_key: string }, b: { id: string; name_key: string }): number =>
  a.name_key === b.name_key ? (a.id < b.id ? -1 : 1) : a.name_key < b.name_key ? -1 : 1;

/**
 * Cards in the order of their hierarchy: each one before those below it, siblings by name.
 * @returns with the id of the nearest card above among them, and null without one
 */
export function depthFirst<C extends Placed>(cards: Iterable<C>): { card: C; parent: string | null }[] {
  const known = new Map([...cards].map((card) => [card.id, card]));
  const below = new Map<string | null, C[]>();
  for (const card of known.values()) {
    const parent = card.path.findLast((id) => known.has(id)) ?? null;
    const siblings = below.get(parent);
    if (siblings) siblings.push(card);
    else below.set(parent, [card]);
  }
  const ordered: { card: C; parent: string | null }[] = [];
  const append = (parent: string | null): void => {
    for (const card of (below.get(parent) ?? []).sort(byName)) {
      ordered.push({ card, parent });
      append(card.id);
    }
  };
  append(null);
  return ordered;
}
