import { readName } from './names.js';
import type { SupplierNode } from './schemas.js';
import type { TreeRow } from './tree-repository.js';
import { OWNERS } from './words.js';

export interface Edge {
  child: string;
  parent: string;
}
type Evidence = NonNullable<SupplierNode['evidence']>;

const OWNER_KEYS = OWNERS.map(([child, parent]) => [readName(child)!.key, readName(parent)!.key] as const);

/** Suppliers of which one is known to own the other. */
export function ownedPairs(rows: readonly TreeRow[]): Edge[] {
  const byKey = idsByKey(rows);
  return OWNER_KEYS.flatMap(([child, parent]) => {
    const [of, to] = [byKey.get(child), byKey.get(parent)];
    return of !== undefined && to !== undefined && of !== to ? [{ child: of, parent: to }] : [];
  });
}

/** Suppliers whose name begins with the whole name of another one, the longest one: they may be a part of it. */
export function namedPairs(rows: readonly TreeRow[]): Edge[] {
  const byKey = idsByKey(rows);
  return rows.flatMap(({ id, keys }) => {
    for (const key of keys)
      for (let words = key.split(' ').slice(0, -1); words.length > 0; words = words.slice(0, -1)) {
        const parent = byKey.get(words.join(' '));
        if (parent !== undefined && parent !== id) return [{ child: id, parent }];
      }
    return [];
  });
}

function idsByKey(rows: readonly TreeRow[]): Map<string, string> {
  return new Map(rows.flatMap(({ id, keys }) => keys.map((key) => [key, id] as const)));
}

/**
 * The suppliers as a tree, parents before children. Each has one parent, by the first evidence that does not close a circle.
 * @param evidence in the order of its strength
 */
export function treeOf(
  rows: readonly TreeRow[],
  evidence: readonly (readonly [Evidence, readonly Edge[]])[],
): SupplierNode[] {
  const parents = new Map<string, { parent: string; evidence: Evidence }>();
  const known = new Set(rows.map(({ id }) => id));
  const isBelow = (id: string, other: string): boolean => {
    for (let at: string | undefined = id; at !== undefined; at = parents.get(at)?.parent) if (at === other) return true;
    return false;
  };
  for (const [kind, edges] of evidence)
    for (const { child, parent } of edges)
      if (known.has(child) && known.has(parent) && !parents.has(child) && !isBelow(parent, child))
        parents.set(child, { parent, evidence: kind });
  const children = new Map<string | null, TreeRow[]>();
  for (const row of rows) {
    const parent = parents.get(row.id)?.parent ?? null;
    children.set(parent, [...(children.get(parent) ?? []), row]);
  }
  const nodes: SupplierNode[] = [];
  const open = [...(children.get(null) ?? [])].reverse();
  for (let row = open.pop(); row; row = open.pop()) {
    const { id, name, dependants, spend, share } = row;
    const above = parents.get(id);
    nodes.push({
      id,
      name,
      dependants,
      spend,
      share,
      parent_id: above?.parent ?? null,
      evidence: above?.evidence ?? null,
    });
    open.push(...[...(children.get(id) ?? [])].reverse());
  }
  return nodes;
}
