import type { Test } from 'tap';
import { linkKey, naiveImpact, tally, type Direction } from './naive-answers.js';
import { spread } from './search-terms.js';
import { differing, each, PAGE, type List, type World } from './together-world.js';

interface Relation {
  id: string;
  type: string;
  source_id: string;
  target_id: string;
  valid_to: string | null;
}
interface Impact {
  nodes: { id: string; type: string; name: string; depth: number; path: string[] }[];
  edges: { type: string; source_id: string; target_id: string }[];
  truncated: boolean;
}

/** Checks that impact, in all directions and depths, equals the result of a walk over all relations. */
export async function checkImpact(t: Test, { expected, ids, keys, get }: World): Promise<void> {
  const relations = new Map<string, Relation>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: List<Relation> = await get<List<Relation>>('/relations', {
      page_size: PAGE,
      ...(cursor !== '' && { cursor }),
    });
    for (const relation of page.items) relations.set(relation.id, relation);
    cursor = page.next_cursor;
  }
  const link = ({ type, source_id, target_id }: Omit<Relation, 'id' | 'valid_to'>): string =>
    linkKey({ type, source: keys.get(source_id)!, target: keys.get(target_id)! });
  t.same(
    differing(
      [...relations.values()].map((r) => `${link(r)} ${r.valid_to}`),
      expected.relations.map((r) => `${linkKey(r)} ${r.valid_to}`),
    ),
    [],
    'every relation, with its end',
  );
  const today = new Date().toISOString().slice(0, 10);
  t.ok(
    expected.relations.some(({ valid_to }) => valid_to !== null && valid_to < today),
    'some have ended',
  );
  const degree = tally(expected.relations.flatMap(({ source, target }) => [source, target]));
  const related = [...degree].sort(([a, n], [b, m]) => m - n || (a! < b! ? -1 : 1)).map(([key]) => key!);
  const starts = [
    ...related.slice(0, 6),
    ...['Application', 'ITComponent', 'Organization', 'BusinessCapability', 'Provider'].flatMap((type) =>
      spread(
        related.filter((key) => key.startsWith(`${type} `)),
        3,
      ),
    ),
  ];
  t.equal(new Set(starts).size, starts.length, 'each start once');
  const depths: [Direction, number[]][] = [
    ['downstream', [1, 2, 3, 4, 5, 6]],
    ['upstream', [1, 2, 3, 4, 5, 6]],
    ['both', [2, 4, 6]],
  ];
  const asked = starts.flatMap((start) =>
    depths.flatMap(([direction, all]) => all.map((depth) => ({ start, direction, depth }))),
  );
  const wrong: string[] = [];
  let widest = 0;
  await each(asked, async ({ start, direction, depth }) => {
    const { nodes, edges, truncated } = await get<Impact>(`/cards/${ids.get(start)!}/impact`, { direction, depth });
    const right = naiveImpact(expected.relations, start, direction, depth, today);
    const what = `${start} ${direction} ${depth}`;
    widest = Math.max(widest, nodes.length);
    const reached = nodes
      .map((node) => `${node.depth} ${keys.get(node.id)!}`)
      .sort()
      .join('\n');
    if (
      truncated ||
      reached !==
        [...right.depths]
          .map(([key, steps]) => `${steps} ${key}`)
          .sort()
          .join('\n')
    )
      wrong.push(`${what}: ${nodes.length} cards and not ${right.depths.size}, or others`);
    if (edges.map(link).sort().join('\n') !== [...right.edges].sort().join('\n'))
      wrong.push(`${what}: ${edges.length} relations and not ${right.edges.size}, or others`);
    for (const node of nodes) {
      let at = ids.get(start)!;
      for (const id of node.path) {
        const { source_id, target_id } = relations.get(id)!;
        at =
          at === source_id && direction !== 'upstream'
            ? target_id
            : at === target_id && direction !== 'downstream'
              ? source_id
              : 'nowhere';
      }
      if (at !== node.id || node.path.length !== node.depth) wrong.push(`${what}: no way to ${node.name}`);
    }
  });
  t.same(wrong, []);
  t.ok(starts.length >= 20 && widest > 1_000, `${starts.length} cards, up to ${widest} reached`);
}
