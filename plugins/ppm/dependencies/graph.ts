/** An item of the work breakdown. */
export interface GraphItem {
  id: string;
  parent_id: string | null;
}
/** Two items, the second of which depends on the first. */
export interface GraphEdge {
  predecessor_id: string;
  successor_id: string;
}

/**
 * Finds a cycle of dependencies. A dependency of an item concerns all items below it: an item is entered before those below it, and left
 * after them. Types and lags are not looked at: whatever they are, two items that depend on each other are a cycle.
 * @returns the items of one cycle in its order, without summaries that it merely passes; undefined if there is none
 */
export function findCycle(items: readonly GraphItem[], edges: readonly GraphEdge[]): string[] | undefined {
  const index = new Map(items.map(({ id }, i) => [id, i]));
  // Node 2i is where item i is entered, node 2i + 1 where it is left; of an item without others below it they follow each other.
  const hasChildren = new Set(items.flatMap(({ parent_id }) => parent_id ?? []));
  const next: number[][] = items.flatMap(({ id }, i) => [hasChildren.has(id) ? [] : [2 * i + 1], []]);
  for (const [i, { parent_id }] of items.entries()) {
    const parent = parent_id === null ? undefined : index.get(parent_id);
    if (parent === undefined) continue;
    next[2 * parent]!.push(2 * i);
    next[2 * i + 1]!.push(2 * parent + 1);
  }
  for (const { predecessor_id, successor_id } of edges) {
    const [from, to] = [index.get(predecessor_id), index.get(successor_id)];
    if (from !== undefined && to !== undefined) next[2 * from + 1]!.push(2 * to);
  }
  const cycle = cycleIn(next);
  if (!cycle) return undefined;
  const passed = [...new Set(cycle.map((node) => items[node >> 1]!.id))];
  const leaves = passed.filter((id) => !hasChildren.has(id));
  return leaves.length > 1 ? leaves : passed;
}

/** Nodes of a cycle by a depth-first search without recursion: plans may have chains of thousands of items. */
function cycleIn(next: readonly (readonly number[])[]): number[] | undefined {
  const OPEN = 1;
  const DONE = 2;
  const state = new Uint8Array(next.length);
  for (let start = 0; start < next.length; start++) {
    if (state[start] !== 0) continue;
    const path = [start];
    const places = [0];
    state[start] = OPEN;
    while (path.length > 0) {
      const node = path.at(-1)!;
      const to = next[node]![places[places.length - 1]!++];
      if (to === undefined) {
        state[node] = DONE;
        path.pop();
        places.pop();
      } else if (state[to] === OPEN) {
        return path.slice(path.indexOf(to));
      } else if (state[to] === 0) {
        state[to] = OPEN;
        path.push(to);
        places.push(0);
      }
    }
  }
  return undefined;
}
