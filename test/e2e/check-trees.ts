import type { Test } from 'tap';
import type { ExpectedCard } from './expected-inventory.js';
import { pathOf, subtreeOf } from './naive-answers.js';
import { spread } from './search-terms.js';
import { each, keyOf, PAGE, type Card, type List, type World } from './together-world.js';

interface Node {
  id: string;
  name: string;
  child_count: number;
  children?: Node[];
}
interface Hierarchy {
  ancestors: { id: string }[];
  children: Node[];
  descendant_count: number;
  truncated: boolean;
}

const LEVELS = [1, 2, 3];

/** Checks that subtrees, children and hierarchies equal those of the files, at every level. */
export async function checkTrees(t: Test, { expected, cards, exported, ids, keys, get }: World): Promise<void> {
  const children = new Map<string, ExpectedCard[]>();
  for (const card of cards)
    if (card.parent !== null) children.set(card.parent, [...(children.get(card.parent) ?? []), card]);
  const names = (nodes: readonly { name: string }[]): string[] => nodes.map(({ name }) => name).sort();
  const level = (card: ExpectedCard): number => pathOf(expected.cards, card).length + 1;
  const of = (type: string, at: number): ExpectedCard[] =>
    cards.filter((card) => card.type === type && level(card) === at);
  t.same(
    LEVELS.map((at) => of('BusinessCapability', at).length),
    [191, 1_198, 4_215],
    'levels of the catalogue',
  );
  const picked = [
    ...LEVELS.flatMap((at) => spread(of('BusinessCapability', at), 20)),
    ...of('TechCategory', 1),
    ...spread(of('Organization', 1), 15),
    ...cards.filter(({ key }) => key === 'Provider crunchbase'),
  ];
  const wrong: string[] = [];
  await each(picked, async (card) => {
    const id = ids.get(card.key)!;
    const below = subtreeOf(expected.cards, card.key);
    const beneath = children.get(card.key) ?? [];
    const inTree = await get<List<Card>>('/cards', { root_id: id, total: 'exact', page_size: PAGE });
    const directly = await get<List<Card>>('/cards', { parent_id: id, total: 'exact', page_size: PAGE });
    const {
      ancestors,
      children: nodes,
      descendant_count,
      truncated,
    } = await get<Hierarchy>(`/cards/${id}/hierarchy`, { depth: 3 });
    const deep = (all: readonly Node[]): number => all.reduce((n, node) => n + 1 + deep(node.children ?? []), 0);
    const checks: Record<string, [unknown, unknown]> = {
      root_id: [inTree.total, below.size],
      parent_id: [directly.total, beneath.length],
      descendants: [descendant_count, below.size - 1],
      ancestors: [
        ancestors.map((above) => expected.cards.get(keys.get(above.id)!)!.name),
        pathOf(expected.cards, card),
      ],
      children: [names(nodes), names(beneath)],
      tree: [truncated ? 0 : deep(nodes), below.size - 1],
      'children of children': [
        nodes.map((node) => [node.name, node.child_count]).sort(),
        beneath.map((child) => [child.name, (children.get(child.key) ?? []).length]).sort(),
      ],
      ...(below.size <= PAGE && {
        'cards below': [inTree.items.map((item) => keys.get(item.id)!).sort(), [...below].sort()],
      }),
      ...(beneath.length <= PAGE && { 'cards directly below': [names(directly.items), names(beneath)] }),
    };
    for (const [what, [is, right]] of Object.entries(checks))
      if (JSON.stringify(is) !== JSON.stringify(right))
        wrong.push(
          `${card.key}: ${what} ${JSON.stringify(is)?.slice(0, 200)} and not ${JSON.stringify(right).slice(0, 200)}`,
        );
  });
  t.same(wrong, []);
  t.ok(picked.length > 80, `${picked.length} trees`);
  const misplaced = exported.filter((card) => {
    const path = pathOf(expected.cards, expected.cards.get(keyOf(card))!);
    return card.path.join('\n') !== path.join('\n') || card.level !== path.length + 1;
  });
  t.same(misplaced, [], 'path and level of every card');
}
