/** Items in the order of the tree, with outline numbers. */

/** An item in the tree; `depth` is 0 for the highest ones. */
export interface Placed<T> {
  row: T;
  depth: number;
  /** Such as `1.2.3`. */
  outline: string;
  isSummary: boolean;
}

/** @param rows with those of the same parent in their order; a parent that is not among them counts as none */
export function inOrder<T extends { id: string; parent_id: string | null }>(rows: readonly T[]): Placed<T>[] {
  const known = new Set(rows.map(({ id }) => id));
  const children = new Map<string | null, T[]>();
  for (const row of rows) {
    const parent = row.parent_id !== null && known.has(row.parent_id) ? row.parent_id : null;
    const list = children.get(parent);
    if (list) list.push(row);
    else children.set(parent, [row]);
  }
  const placed: Placed<T>[] = [];
  const add = (parent: string | null, depth: number, prefix: string): void => {
    for (const [i, row] of (children.get(parent) ?? []).entries()) {
      const outline = `${prefix}${i + 1}`;
      placed.push({ row, depth, outline, isSummary: children.has(row.id) });
      add(row.id, depth + 1, `${outline}.`);
    }
  };
  add(null, 0, '');
  return placed;
}
