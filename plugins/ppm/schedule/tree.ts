/** Items in the order of the tree, with outline numbers. */
import { mapInSlices, visitInSlices } from '../slices.js';

/** An item in the tree; `depth` is 0 for the highest ones. */
export interface Placed<T> {
  row: T;
  depth: number;
  /** Such as `1.2.3`. */
  outline: string;
  isSummary: boolean;
}

/** @param rows with those of the same parent in their order; a parent that is not among them counts as none */
export async function inOrder<T extends { id: string; parent_id: string | null }>(
  rows: readonly T[],
): Promise<Placed<T>[]> {
  const known = new Set<string>();
  await visitInSlices(rows, ({ id }) => known.add(id));
  const children = new Map<string | null, T[]>();
  await visitInSlices(rows, (row) => {
    const parent = row.parent_id !== null && known.has(row.parent_id) ? row.parent_id : null;
    const list = children.get(parent);
    if (list) list.push(row);
    else children.set(parent, [row]);
  });
  function* below(parent: string | null, depth: number, prefix: string): Generator<Placed<T>> {
    for (const [i, row] of (children.get(parent) ?? []).entries()) {
      const outline = `${prefix}${i + 1}`;
      const isSummary = children.has(row.id);
      yield { row, depth, outline, isSummary };
      if (isSummary) yield* below(row.id, depth + 1, `${outline}.`);
    }
  }
  return await mapInSlices(below(null, 0, ''), (placed) => placed);
}
