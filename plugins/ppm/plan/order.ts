/** Positions leave gaps, so that most moves change one row. */
export const GAP = 2 ** 20;

/**
 * A position between two neighbours.
 * @param before undefined at the beginning
 * @param after undefined at the end
 * @returns undefined if there is no gap
 */
export function between(before: number | undefined, after: number | undefined): number | undefined {
  if (after === undefined) return (before ?? 0) + GAP;
  const low = before ?? after - 2 * GAP;
  const middle = Math.floor((low + after) / 2);
  return middle > low && middle < after ? middle : undefined;
}

/** Where something is put among its siblings: beside one of them, or at the end. */
export interface Anchor {
  before_id?: string | undefined;
  after_id?: string | undefined;
}

/** Sets of rows in which positions are unique. */
export interface Siblings {
  /** The position of a sibling; undefined if it is none. */
  positionOf(id: string): Promise<number | undefined>;
  /** The position next to another one; undefined if there is none. The row that is moved does not count. */
  nextTo(position: number, side: 'before' | 'after'): Promise<number | undefined>;
  /** The last position, without the row that is moved. */
  last(): Promise<number | undefined>;
  /** Makes gaps between all siblings, in one statement. */
  renumber(): Promise<void>;
}

/** An anchor that is no sibling. */
export class UnknownAnchor extends Error {
  constructor(readonly field: 'before_id' | 'after_id') {
    super(`${field} names no sibling`);
  }
}

/**
 * The position at a place, after making room for it. To be called while the plan is locked.
 * @param current the position of the row, if it is among these siblings already: it stays where it is, if that is the place
 * @throws UnknownAnchor
 */
export async function positionAt(
  { before_id, after_id }: Anchor,
  siblings: Siblings,
  current?: number,
): Promise<number> {
  const [field, id] = before_id === undefined ? (['after_id', after_id] as const) : (['before_id', before_id] as const);
  const free = async (): Promise<number | undefined> => {
    const [low, high] = id === undefined ? [await siblings.last(), undefined] : await gap(field, id.toLowerCase());
    const isThere = current !== undefined && current > (low ?? -Infinity) && current < (high ?? Infinity);
    return isThere ? current : between(low, high);
  };
  const gap = async (name: typeof field, anchorId: string): Promise<[number | undefined, number | undefined]> => {
    const anchor = await siblings.positionOf(anchorId);
    if (anchor === undefined) throw new UnknownAnchor(name);
    const next = await siblings.nextTo(anchor, name === 'before_id' ? 'before' : 'after');
    return name === 'before_id' ? [next, anchor] : [anchor, next];
  };
  const found = await free();
  if (found !== undefined) return found;
  await siblings.renumber();
  current = undefined;
  return (await free())!;
}
