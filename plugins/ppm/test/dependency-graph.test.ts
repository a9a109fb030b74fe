import t from 'tap';
import { findCycle, type GraphEdge, type GraphItem } from '../dependencies/graph.js';
import { treeOf, type TreeRow } from '../wbs/tree.js';

let seed = 20_260_301;
const random = (below: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * below);
};

/** Whether leaves depend on themselves: every dependency is written out for all pairs of leaves that it concerns. */
function hasCycle(items: readonly GraphItem[], edges: readonly GraphEdge[]): boolean {
  const leavesOf = (id: string): string[] => {
    const below = items.filter(({ parent_id }) => parent_id === id);
    return below.length === 0 ? [id] : below.flatMap((one) => leavesOf(one.id));
  };
  const reached = new Map(items.map(({ id }) => [id, new Set<string>()]));
  for (const { predecessor_id, successor_id } of edges)
    for (const from of leavesOf(predecessor_id)) for (const to of leavesOf(successor_id)) reached.get(from)!.add(to);
  // Warshall's transitive closure.
  for (const [middle, beyond] of reached)
    for (const set of reached.values()) if (set.has(middle)) for (const id of beyond) set.add(id);
  return [...reached].some(([id, set]) => set.has(id));
}

t.test('a cycle is found exactly if there is one, in 2,000 random plans', (t) => {
  let cyclic = 0;
  for (let round = 0; round < 2_000; round++) {
    const n = 2 + random(9);
    const items = Array.from({ length: n }, (_, i) => ({
      id: `i${i}`,
      parent_id: i > 0 && random(2) === 0 ? `i${random(i)}` : null,
    })).sort(() => random(3) - 1);
    const edges = Array.from({ length: random(n + 2) }, () => ({
      predecessor_id: `i${random(n)}`,
      successor_id: `i${random(n)}`,
    })).filter(({ predecessor_id, successor_id }) => predecessor_id !== successor_id);
    const found = findCycle(items, edges);
    if ((found !== undefined) !== hasCycle(items, edges)) t.fail('another answer', { items, edges, found });
    if (!found) continue;
    cyclic++;
    const known = new Set(items.map(({ id }) => id));
    if (!found.every((id) => known.has(id)) || new Set(found).size !== found.length) t.fail('no cycle', { found });
  }
  t.ok(cyclic > 400 && cyclic < 1_600, `${cyclic} plans have one`);
  t.end();
});

t.test('a chain of 10,000 items is searched without recursion', (t) => {
  const items = Array.from({ length: 10_000 }, (_, i) => ({ id: `i${i}`, parent_id: null }));
  const chain = items.slice(1).map(({ id }, i) => ({ predecessor_id: `i${i}`, successor_id: id }));
  t.equal(findCycle(items, chain), undefined);
  t.equal(findCycle(items, [...chain, { predecessor_id: 'i9999', successor_id: 'i0' }])?.length, 10_000);
  t.end();
});

t.test('summaries are the weighted means of their leaves', (t) => {
  const row = (id: string, parent_id: string | null, duration_days: number | null, completion: number): TreeRow => ({
    id,
    parent_id,
    duration_days,
    completion,
    is_milestone: duration_days === 0,
    start_date: null,
    end_date: null,
  });
  const completionOf = (...rows: TreeRow[]) => treeOf(rows, () => 0).map(({ completion }) => completion);
  t.strictSame(completionOf(row('s', null, 99, 7), row('a', 's', 1, 100), row('b', 's', 2, 0)), [33.33, 100, 0]);
  t.strictSame(completionOf(row('s', null, 1, 0), row('a', 's', 0, 100), row('b', 's', 0, 1)), [50.5, 100, 1]);
  t.strictSame(completionOf(row('s', null, 1, 0), row('a', 's', null, 100), row('b', 's', 3, 0)), [25, 100, 0]);
  const nested = [row('s', null, 1, 0), row('p', 's', 50, 0), row('x', 'p', 1, 0), row('y', 's', 3, 100)];
  t.strictSame(completionOf(...nested), [75, 0, 0, 100], 'leaves count, not the summaries between');
  t.end();
});
