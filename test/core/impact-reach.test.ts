/** Cards reachable from several cards: equal results from SQL and from memory. */
import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import { registerAdmin, testApp, until } from '../support/app.js';

const NOWHERE = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

/** A node with a cycle of five cards and one without relations. @param most largest number of relations held in memory */
async function sideOf(name: string, most: number) {
  const { app, origin, close } = await testApp({ config: { impactGraphMaxRelations: most } });
  t.teardown(close);
  const { api } = await registerAdmin(origin);
  const cards: Record<string, string> = {};
  for (const card of ['a', 'b', 'c', 'd', 'e', 'lone'])
    cards[card] = (await api.post('/cards', { type: 'Application', name: card })).body.id;
  for (const way of ['ab', 'bc', 'cd', 'de', 'ea'])
    await api.post('/relations', { type: 'related', source_id: cards[way[0]!], target_id: cards[way[1]!] });
  const names = new Map(Object.entries(cards).map(([card, id]) => [id, card]));
  const { impact } = app.services;
  const reach = (starts: string[], query: object = {}) =>
    impact.reach(
      systemContext('test'),
      starts.map((card) => cards[card] ?? card),
      query,
    );
  const told = async (starts: string[], query: object = {}) =>
    (await reach(starts, query)).nodes.map((node) => `${names.get(node.id)}${node.depth}${node.path.length}`).sort();
  if (most > 0) await until(async () => (await reach(['a'])).nodes.length > 0 && impact.held > 0);
  return { name, cards, reach, told, impact, most };
}

const sides = [await sideOf('from SQL', 0), await sideOf('from memory', 1_000_000)];
for (const { name, cards, reach, told, impact, most } of sides) {
  t.test(name, async (t) => {
    t.equal(impact.held > 0, most > 0);
    t.strictSame(await told(['a']), ['b11', 'c22', 'd33']);
    t.strictSame(
      await told(['a', 'd']),
      ['b11', 'c22', 'e11'],
      'with the distance from the nearest start, without the starts',
    );
    t.strictSame(await told(['a', 'd'], { direction: 'both', depth: 1 }), ['b11', 'c11', 'e11']);
    t.strictSame(await told(['a', cards['a']!.toUpperCase(), NOWHERE], { depth: 1 }), ['b11']);
    t.strictSame([await told(['lone']), await told([])], [[], []]);
    const { edges, truncated } = await reach(['a', 'd']);
    t.strictSame([edges.length, truncated], [5, false]);
    await t.rejects(reach(['a'], { relation_type: 'nothing' }), { code: 'validation_failed' });
  });
}
