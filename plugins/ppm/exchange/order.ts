/** Positions of items among those of the same parent. */

/** Distance of new positions, as for moves. */
const GAP = 2 ** 20;

/** An item of a parent, in the wanted order; `position` is that of an item which was there already. */
export interface Sibling {
  id: string;
  position: number | undefined;
}

/** The positions to be written. */
export interface Positions {
  positions: Map<string, number>;
  /** Items whose order among the others has become different. */
  reordered: Set<string>;
}

/** @param siblings of one parent */
export function positionsOf(siblings: readonly Sibling[]): Positions {
  const positions = new Map<string, number>();
  const reordered = new Set<string>();
  let last = Number.NEGATIVE_INFINITY;
  for (const { id, position } of siblings) {
    if (position === undefined) continue;
    if (position > last) last = position;
    else reordered.add(id);
  }
  const firstNew = siblings.findIndex(({ position }) => position === undefined);
  const isAppended = firstNew < 0 || siblings.slice(firstNew).every(({ position }) => position === undefined);
  if (reordered.size === 0 && isAppended) {
    let at = Math.max(0, ...siblings.flatMap(({ position }) => position ?? []));
    for (const { id, position } of siblings) if (position === undefined) positions.set(id, (at += GAP));
  } else
    for (const [i, { id, position }] of siblings.entries())
      if (position !== (i + 1) * GAP) positions.set(id, (i + 1) * GAP);
  return { positions, reordered };
}
