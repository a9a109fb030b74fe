/** Which items of a file are which items of the plan, and where they are in the tree. */
import type { ItemRow } from '../schedule/repository.js';
import type { FileItem, Problems } from './file-plan.js';

/** An item of a file with its place. */
export interface MatchedItem {
  file: FileItem;
  /** The stored item; undefined for a new one. */
  stored: ItemRow | undefined;
  id: string;
  /** Position in the file of the item above it; −1 for none. */
  parent: number;
  hasChildren: boolean;
}

/**
 * Finds the stored item of every item of a file: by its id, otherwise by its external id. An id of another plan counts as an
 * external id, so that a file that is read again finds the items it has created.
 * @param newId returns an id for a new item
 */
export function matched(
  items: readonly FileItem[],
  stored: readonly ItemRow[],
  newId: () => string,
  problems: Problems,
): MatchedItem[] {
  const byId = new Map(stored.map((row) => [row.id, row]));
  const byExternal = new Map(
    stored.flatMap((row) => (row.external_id === null ? [] : [[row.external_id, row] as const])),
  );
  const lines = new Map<string, number>();
  const externals = new Map<string, number>();
  /** Positions of the last items of each level. */
  const above: number[] = [];
  return items.map((file, i) => {
    if (file.depth > above.length) problems.add(file.line, 'An item is more than one level below the one before it.');
    above.length = Math.min(file.depth, above.length);
    const parent = above.at(-1) ?? -1;
    above.push(i);
    const external = file.external_id ?? (file.id !== null && !byId.has(file.id) ? file.id : null);
    const found =
      (file.id === null ? undefined : byId.get(file.id)) ?? (external === null ? undefined : byExternal.get(external));
    const id = found?.id ?? newId();
    if (lines.has(id)) problems.add(file.line, `This is the same item as in line ${lines.get(id)}.`);
    lines.set(id, file.line);
    if (external !== null) {
      if (externals.has(external))
        problems.add(file.line, `The external_id is also that of line ${externals.get(external)}.`);
      externals.set(external, file.line);
    }
    const hasChildren = (items[i + 1]?.depth ?? 0) > file.depth;
    return { file: { ...file, external_id: external }, stored: found, id, parent, hasChildren };
  });
}
