/** A node, in the order by which cycles are broken. */
interface Node {
  id: string;
}
interface Edge {
  source_id: string;
  target_id: string;
}

/** The edges that remain where each one that closes a cycle is ignored: those found first are kept. */
function withoutCycles(nodes: readonly Node[], targets: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const kept = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  const states = new Map<string, 'open' | 'done'>();
  for (const { id: start } of nodes) {
    if (states.has(start)) continue;
    const stack = [{ id: start, next: 0 }];
    states.set(start, 'open');
    while (stack.length > 0) {
      const at = stack.at(-1)!;
      const to = targets.get(at.id)![at.next++];
      if (to === undefined) {
        states.set(at.id, 'done');
        stack.pop();
      } else if (states.get(to) !== 'open') {
        kept.get(at.id)!.push(to);
        if (!states.has(to)) {
          states.set(to, 'open');
          stack.push({ id: to, next: 0 });
        }
      }
    }
  }
  return kept;
}

/**
 * The layer of each node from 0: below all nodes that have an edge to it, by the longest path. Nodes without any edge are
 * in the first layer.
 * @param nodes in a stable order, by which cycles are broken; those without incoming edges should come first
 */
export function layersOf(nodes: readonly Node[], edges: readonly Edge[]): Map<string, number> {
  const targets = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { source_id, target_id } of edges)
    if (source_id !== target_id && targets.has(target_id)) targets.get(source_id)?.push(target_id);
  const entered = new Set([...targets.values()].flat());
  const ordered = [...nodes].sort((a, b) => Number(entered.has(a.id)) - Number(entered.has(b.id)));
  const kept = withoutCycles(ordered, targets);
  const incoming = new Map(nodes.map(({ id }) => [id, 0]));
  for (const to of [...kept.values()].flat()) incoming.set(to, incoming.get(to)! + 1);
  const layers = new Map(nodes.map(({ id }) => [id, 0]));
  const ready = nodes.filter(({ id }) => incoming.get(id) === 0).map(({ id }) => id);
  for (const id of ready)
    for (const to of kept.get(id)!) {
      layers.set(to, Math.max(layers.get(to)!, layers.get(id)! + 1));
      incoming.set(to, incoming.get(to)! - 1);
      if (incoming.get(to) === 0) ready.push(to);
    }
  return layers;
}
