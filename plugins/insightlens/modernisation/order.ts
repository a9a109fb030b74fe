/** The order of things that depend on one another. */

/** A group that is done together: one thing, or several that depend on one another in a circle. */
export interface Group {
  members: string[];
  /** From 1: the first in which all that it depends on is in earlier ones. */
  wave: number;
}

/**
 * Groups what depends on one another in a circle, and orders the groups so that each comes after what it depends on: strongly connected
 * components by Tarjan's algorithm (R. Tarjan, Depth-first search and linear graph algorithms, 1972), without recursion; it returns them in that order.
 * @param ids each once
 * @param edges the source depends on the target; both are among the ids
 */
export function orderByDependencies(
  ids: readonly string[],
  edges: readonly { source: string; target: string }[],
): Group[] {
  const targets = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { source, target } of edges) targets.get(source)?.push(target);
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const groupOf = new Map<string, Group>();
  const stack: string[] = [];
  const groups: Group[] = [];
  const open = (id: string): { id: string; next: number } => {
    index.set(id, index.size);
    low.set(id, index.get(id)!);
    stack.push(id);
    return { id, next: 0 };
  };
  for (const root of ids) {
    if (index.has(root)) continue;
    const path = [open(root)];
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const { id } = top;
      const target = targets.get(id)![top.next++];
      if (target !== undefined) {
        if (!index.has(target)) path.push(open(target));
        else if (!groupOf.has(target)) low.set(id, Math.min(low.get(id)!, index.get(target)!));
        continue;
      }
      path.pop();
      const above = path.at(-1)?.id;
      if (above !== undefined) low.set(above, Math.min(low.get(above)!, low.get(id)!));
      if (low.get(id) === index.get(id)) groups.push(closed(stack.splice(stack.lastIndexOf(id)), targets, groupOf));
    }
  }
  return groups;
}

/** All that the members depend on outside of the group is in groups that are complete. */
function closed(
  members: string[],
  targets: ReadonlyMap<string, readonly string[]>,
  groupOf: Map<string, Group>,
): Group {
  let before = 0;
  for (const id of members)
    for (const target of targets.get(id)!) before = Math.max(before, groupOf.get(target)?.wave ?? 0);
  const group = { members: members.sort(), wave: before + 1 };
  for (const id of members) groupOf.set(id, group);
  return group;
}
